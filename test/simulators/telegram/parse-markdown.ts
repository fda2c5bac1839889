// The MarkdownV2 parse mode: marks become entities, an unescaped reserved character is refused like Telegram does.
// https://core.telegram.org/bots/api#markdownv2-style (expandable quotations are left out)
import { byteOffset, cannotParse } from './parse-html.ts'
import type { TgEntity } from './types.ts'

const reserved = '_*[]()~`>#+-=|{}.!'
const marks: readonly (readonly [mark: string, type: string])[] = [
  ['```', 'pre'],
  ['__', 'underline'],
  ['||', 'spoiler'],
  ['`', 'code'],
  ['_', 'italic'],
  ['*', 'bold'],
  ['~', 'strikethrough'],
]
const typeNames: Readonly<Record<string, string>> = { text_link: 'TextUrl', pre: 'Pre', code: 'Code' }

type Open = { readonly mark: string; readonly type: string; readonly offset: number; readonly place: number }

type Parsing = {
  readonly source: string
  text: string
  readonly entities: TgEntity[]
  readonly open: Open[]
  at: number
}

export function parseMarkdownV2(source: string): { text: string; entities: TgEntity[] } {
  const parsing: Parsing = { source, text: '', entities: [], open: [], at: 0 }
  while (parsing.at < source.length) step(parsing)
  endQuote(parsing)
  const unclosed = parsing.open.at(-1)
  if (unclosed !== undefined) throw noEnd(unclosed, source)
  return {
    text: parsing.text,
    entities: parsing.entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length),
  }
}

function step(parsing: Parsing): void {
  const { source, at } = parsing
  const char = source.charAt(at)
  if (char === '\\' && at + 1 < source.length && source.charCodeAt(at + 1) < 127) {
    parsing.text += source.charAt(at + 1)
    parsing.at += 2
    return
  }
  const top = parsing.open.at(-1)
  if (top?.type === 'code' || top?.type === 'pre') return stepInCode(parsing, top)
  const atLineStart = at === 0 || source.charAt(at - 1) === '\n'
  if (atLineStart && char === '>') {
    if (!parsing.open.some((one) => one.type === 'blockquote')) push(parsing, '>', 'blockquote')
    else parsing.at += 1
    return
  }
  if (char === '\n' && source.charAt(at + 1) !== '>') endQuote(parsing)
  if (char === '[') return push(parsing, '[', 'text_link')
  if (char === '!' && source.charAt(at + 1) === '[') return push(parsing, '![', 'custom_emoji')
  if (char === ']' && (top?.type === 'text_link' || top?.type === 'custom_emoji')) return endLink(parsing, top)
  const mark = marks.find(([one]) => source.startsWith(one, at))
  if (mark !== undefined) return top?.mark === mark[0] ? pop(parsing, top) : push(parsing, mark[0], mark[1])
  if (reserved.includes(char)) {
    throw cannotParse(`Character '${char}' is reserved and must be escaped with the preceding '\\'`)
  }
  parsing.text += char
  parsing.at += 1
}

function stepInCode(parsing: Parsing, top: Open): void {
  if (parsing.source.startsWith(top.mark, parsing.at)) return pop(parsing, top)
  parsing.text += parsing.source.charAt(parsing.at)
  parsing.at += 1
}

function push(parsing: Parsing, mark: string, type: string): void {
  const alreadyOpen = parsing.open.find((one) => one.mark === mark)
  if (alreadyOpen !== undefined) throw noEnd(parsing.open.at(-1) ?? alreadyOpen, parsing.source)
  parsing.open.push({ mark, type, offset: parsing.text.length, place: parsing.at })
  parsing.at += mark.length
}

function pop(parsing: Parsing, top: Open, extra: Partial<TgEntity> = {}): void {
  parsing.open.pop()
  parsing.at += top.mark.length
  const { offset } = top
  let shown = extra
  if (top.type === 'pre') {
    const language = /^([^\s`]+)\n/.exec(parsing.text.slice(offset))
    const leading = language?.[0] ?? (parsing.text.charAt(offset) === '\n' ? '\n' : '')
    parsing.text = parsing.text.slice(0, offset) + parsing.text.slice(offset + leading.length)
    if (language?.[1] !== undefined) shown = { language: language[1] }
  }
  const length = parsing.text.length - offset
  if (length > 0) parsing.entities.push({ type: top.type, offset, length, ...shown })
}

function endLink(parsing: Parsing, top: Open): void {
  const target = /^\]\(((?:\\.|[^)\\])*)\)/.exec(parsing.source.slice(parsing.at))
  if (target === null) throw noEnd(top, parsing.source)
  const url = (target[1] ?? '').replaceAll(/\\(.)/g, '$1')
  const emoji = /^tg:\/\/emoji\?id=(\d+)$/.exec(url)?.[1]
  pop(parsing, top, emoji === undefined ? { url } : { custom_emoji_id: emoji })
  parsing.at += target[0].length - top.mark.length
}

function endQuote(parsing: Parsing): void {
  const top = parsing.open.at(-1)
  if (top?.type !== 'blockquote') return
  const at = parsing.at
  pop(parsing, top)
  parsing.at = at
}

function noEnd(open: Open, source: string): Error {
  const name = typeNames[open.type] ?? open.type.charAt(0).toUpperCase() + open.type.slice(1)
  return cannotParse(`Can't find end of ${name} entity at byte offset ${byteOffset(source, open.place)}`)
}

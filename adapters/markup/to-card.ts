// Renders Markdown as that of Feishu's cards (JSON 2.0): what it shares with GFM stays markup, every other sign is written as a character
// reference, so that it stands as it was said. Nothing becomes a mention, a colour, an emoji or an image, and a link never hides where it
// leads. https://open.feishu.cn/document/feishu-cards/card-json-v2-components/content-components/rich-text
import { askedTwice } from './asked-twice.ts'
import { isSameAddress, visible } from './link-words.ts'
import { toReadable } from './markdown.ts'
import { orPlain } from './or-plain.ts'
import { firstOf, wrapFlanking, type Beside } from './flanking.ts'
import { gap, marks, onOneLine, plain } from './phrase-marks.ts'
import { readBlocks, type Block, type Item, type Link, type Phrase } from './read-blocks.ts'
import { toTableText } from './table-text.ts'

/** A card with more tables is refused; the others are shown as text in columns. */
const mostTables = 4
/** Below the head: live tenants refuse a table of fifty. */
const mostRows = 49

/** Never empty: what would show nothing is shown as it was written, or as an ellipsis. */
export const toCardMarkdown = askedTwice(orPlain((markdown: string) => render(markdown, 0), toPlain))

/** With its tables as text in columns, where a card with such tables was refused. */
export const toFencedMarkdown = orPlain((markdown: string) => render(markdown, mostTables), toPlain)

/** `tables`: so many are taken for shown. */
function render(markdown: string, tables: number): string {
  const text = blocks({ tables }, readBlocks(toReadable(markdown)), '\n\n')
  return visible.test(text) ? text : toPlain(markdown)
}

function toPlain(markdown: string): string {
  const source = toReadable(markdown)
  return visible.test(source) ? escapeCard(source) : '…'
}

/** A text that a card shows as it is. */
export function escapeCard(text: string): string {
  return text
    .replaceAll(/[&<>\\*_~`[\]|!$]/g, toReference)
    .replaceAll(/:(?=[A-Za-z][\w-]{0,40}:)/g, '&#58;')
    .replaceAll(/^([^\S\n\r\u2028\u2029]*)([#+=-])/gm, (_, blank: string, mark: string) => blank + toReference(mark))
    .replaceAll(/^([^\S\n\r\u2028\u2029]*\d+)([.)])/gm, (_, start: string, mark: string) => start + toReference(mark))
}

const toReference = (sign: string): string => `&#${sign.codePointAt(0)};`

type Rendering = { tables: number }

function blocks(so: Rendering, all: readonly Block[], between: string): string {
  return all
    .map((one) => block(so, one))
    .filter((text) => text !== '')
    .join(between)
}

function block(so: Rendering, one: Block): string {
  switch (one.kind) {
    case 'paragraph':
      return inline(one.phrases)
    case 'heading': {
      const words = onOneLine(inline(one.phrases))
      return words.trim() === '' ? '' : `${'#'.repeat(one.depth)} ${words}`
    }
    case 'list':
      return one.items.map((item) => listItem(so, item)).join(one.spread ? '\n\n' : '\n')
    case 'quote':
      return blocks(so, one.blocks, '\n\n').replaceAll(/^/gm, '> ')
    case 'code': {
      const said = one.info ? escapeCard(one.info) : ''
      if (!visible.test(one.value)) return said
      return `${said && `${said}\n\n`}${fence(one.value, one.language)}`
    }
    case 'table':
      return longTable(so, one)
    case 'rule':
      return '---'
    default:
      return one satisfies never
  }
}

type Table = Extract<Block, { kind: 'table' }>

/** A long table goes on in another one with the same head; what no table is left for is text in columns. */
function longTable(so: Rendering, { rows: [head = [], ...body], aligns, kind }: Table): string {
  const parts: string[] = []
  for (let from = 0; from === 0 || from < body.length; from += mostRows) {
    so.tables += 1
    const rows = [head, ...body.slice(from)]
    if (so.tables > mostTables)
      return [...parts, fence(toTableText(rows.map((row) => row.map(plain))), '')].join('\n\n')
    parts.push(table({ kind, rows: rows.slice(0, 1 + mostRows), aligns }))
  }
  return parts.join('\n\n')
}

function table({ rows, aligns }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const [head = [], ...body] = rows.map((row) =>
    row.map((phrases) => onOneLine(inline(phrases.map(toCell)).replaceAll('\n', '; '))),
  )
  const rule = head.map((_, i) => ({ left: ':--', center: ':-:', right: '--:' })[aligns[i] ?? 'left'])
  return [line(head), line(rule), ...body.map(line)].join('\n')
}

/** A bar in code would end the cell: such code is text. */
function toCell(one: Phrase): Phrase {
  if ('phrases' in one) return { ...one, phrases: one.phrases.map(toCell) }
  return one.kind === 'code' && one.value.includes('|') ? { kind: 'text', value: onOneLine(one.value) } : one
}

/** What lies below an item's first line stands four blanks further in. */
function listItem(so: Rendering, { mark = '-', isOutOfTurn, blocks: inner }: Item): string {
  const [first = '', ...rest] = blocks(so, inner, '\n').split('\n')
  return [
    `${isOutOfTurn ? escapeCard(mark) : mark} ${first}`,
    ...rest.map((line) => (line === '' ? line : `    ${line}`)),
  ].join('\n')
}

/** Marks of neighbours must not add up to others. */
function inline(phrases: readonly Phrase[], { before, after }: Beside = { before: '', after: '' }): string {
  return phrases.reduce((text, one, i) => {
    const next = phrases[i + 1]
    const behind = next ? firstSign(next) : after
    const more = phrase(one, { before: text === '' ? before : text, after: behind })
    const isRun = /[*~`]$/.test(text) && text.at(-1) === more.at(0)
    return isRun ? text + gap + more : text + more
  }, '')
}

/** What a phrase begins with when it is rendered. */
function firstSign(one: Phrase): string {
  if (one.kind === 'text' || one.kind === 'formula') return firstOf(escapeCard(firstOf(one.value)))
  if (one.kind === 'break') return '\n'
  if (one.kind === 'code') return '`'
  if (one.kind !== 'link') return marks[one.kind]
  const [words] = one.phrases
  return words && !isSameAddress(plain(one.phrases), one.url) ? firstSign(words) : '['
}

function phrase(one: Phrase, beside: Beside): string {
  switch (one.kind) {
    case 'text':
    case 'formula':
      return escapeCard(one.value)
    case 'strong':
    case 'emphasis':
    case 'delete':
      return wrapFlanking(marks[one.kind], inline(one.phrases, beside), beside)
    case 'code':
      return code(one.value)
    case 'break':
      return '\n'
    case 'link':
      return link(one)
    default:
      return one satisfies never
  }
}

/** A tag in code is shown by some clients as what it stands for. */
const withoutTags = (value: string): string => value.replaceAll(/<(?=\/?[a-z])/gi, `<${gap}`)

/** Code with the very mark of code is text. */
function code(value: string): string {
  const said = onOneLine(value)
  if (said.trim() === '') return ''
  return said.includes('`') ? escapeCard(said) : `\`${withoutTags(said)}\``
}

function fence(value: string, language: string): string {
  const safe = withoutTags(value).replaceAll(/`{3,}/g, (ticks) => [...ticks].join(gap))
  return `\`\`\`${language}\n${safe}\n\`\`\``
}

function link({ url, title, phrases }: Link): string {
  const [words, said] = [inline(phrases), plain(phrases)]
  const destination = toDestination(url)
  const shown = destination === undefined ? escapeCard(url) : `[${escapeCard(url)}](${destination})`
  const name = title ? ` “${escapeCard(title)}”` : ''
  if (!visible.test(said) || isSameAddress(said, url)) return shown + name
  return `${words} (${shown})${name}`
}

/** Between letters an underscore is no mark. */
const signs = /[*~|()[\]"']|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g

/** The address with its signs encoded: Feishu may take them for marks or for the end of the link. Undefined for an address that is no link. */
function toDestination(url: string): string | undefined {
  const host = /^https?:\/\/[^/?#*~|()[\]"']+(?=[/?#]|$)/i.exec(url)?.[0]
  if (host === undefined || !URL.canParse(url) || /[\s<>\\`]/.test(url)) return undefined
  const encode = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  return host + url.slice(host.length).replaceAll(signs, encode)
}

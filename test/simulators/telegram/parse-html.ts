// The HTML parse mode: tags become entities, character references characters. Throws `can't parse entities` like Telegram.
// https://core.telegram.org/bots/api#html-style
import { badRequest, type ApiError } from './api-error.ts'
import type { TgEntity } from './types.ts'

const tagTypes: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
  a: 'text_link',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
  'tg-emoji': 'custom_emoji',
}
const references: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

type OpenTag = { readonly name: string; readonly offset: number; readonly attributes: string }

export function parseHtml(source: string): { text: string; entities: TgEntity[] } {
  const open: OpenTag[] = []
  const entities: TgEntity[] = []
  let text = ''
  let at = 0
  while (at < source.length) {
    const char = source.charAt(at)
    if (char === '&') {
      const reference = /^&(?:#(\d+)|#x([0-9a-f]+)|(lt|gt|amp|quot));/i.exec(source.slice(at))
      text += reference === null ? '&' : decode(reference)
      at += reference?.[0].length ?? 1
      continue
    }
    if (char !== '<') {
      text += char
      at += 1
      continue
    }
    const tag = /^<(\/?)([a-z][a-z0-9-]*)([^<>]*)>/i.exec(source.slice(at))
    if (tag === null) throw cannotParse(`Unsupported start tag "" at byte offset ${byteOffset(source, at)}`)
    const name = (tag[2] ?? '').toLowerCase()
    if (tag[1] === '/') {
      const last = open.pop()
      if (last === undefined) throw cannotParse(`Unexpected end tag at byte offset ${byteOffset(source, at)}`)
      if (last.name !== name) {
        const place = byteOffset(source, at)
        throw cannotParse(`Unmatched end tag at byte offset ${place}, expected "</${last.name}>", found "</${name}>"`)
      }
      const entity = toEntity(last, text, open)
      if (entity !== undefined) entities.push(entity)
    } else {
      checkTag(name, tag[3] ?? '', byteOffset(source, at))
      open.push({ name, offset: text.length, attributes: tag[3] ?? '' })
    }
    at += tag[0].length
  }
  const unclosed = open.at(-1)
  if (unclosed !== undefined) throw cannotParse(`Can't find end tag corresponding to start tag "${unclosed.name}"`)
  return { text, entities: entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length) }
}

/** UTF-8 bytes before the position, as Telegram's messages count. */
export function byteOffset(source: string, at: number): number {
  return Buffer.byteLength(source.slice(0, at))
}

export function cannotParse(why: string): ApiError {
  return badRequest(`can't parse entities: ${why}`)
}

function checkTag(name: string, attributes: string, place: number): void {
  const isSpoiler = name !== 'span' || attributes.includes('tg-spoiler')
  if (!(name in tagTypes) || !isSpoiler) throw cannotParse(`Unsupported start tag "${name}" at byte offset ${place}`)
}

function toEntity(tag: OpenTag, text: string, outer: readonly OpenTag[]): TgEntity | undefined {
  const type = tagTypes[tag.name]
  const length = text.length - tag.offset
  if (type === undefined || length === 0) return undefined
  const base = { type, offset: tag.offset, length }
  if (tag.name === 'a') {
    const url = attribute(tag.attributes, 'href') ?? text.slice(tag.offset)
    const mentioned = /^tg:\/\/user\?id=(\d+)$/.exec(url)?.[1]
    if (mentioned === undefined) return { ...base, url }
    return { ...base, type: 'text_mention', user: { id: Number(mentioned), is_bot: false, first_name: 'User' } }
  }
  if (tag.name === 'tg-emoji') {
    const id = attribute(tag.attributes, 'emoji-id')
    return id === undefined ? undefined : { ...base, custom_emoji_id: id }
  }
  // `<pre><code class="language-x">` is one entity, of type pre.
  const language = /language-([\w+#-]+)/.exec(tag.attributes)?.[1]
  if (tag.name === 'code' && outer.at(-1)?.name === 'pre') {
    return language === undefined ? undefined : { ...base, type: 'pre', language }
  }
  return base
}

function attribute(attributes: string, name: string): string | undefined {
  const match = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes)
  return (match?.[1] ?? match?.[2])?.replaceAll('&amp;', '&')
}

function decode(reference: RegExpExecArray): string {
  if (reference[3] !== undefined) return references[reference[3].toLowerCase()] ?? ''
  const code = reference[1] === undefined ? Number.parseInt(reference[2] ?? '', 16) : Number(reference[1])
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
}

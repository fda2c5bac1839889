// Finds in plain text what Telegram marks by itself: commands, mentions, links, hashtags, e-mail addresses.
// Offsets are UTF-16 units. The patterns follow TDLib's MessageEntity.cpp; rare link forms are left out. Names have the lengths that the
// internet allows, so that no text takes long.
import type { TgEntity } from './types.ts'

const wordChar = '[\\p{L}\\p{N}_]'
const patterns: readonly (readonly [type: string, pattern: RegExp])[] = [
  [
    'url',
    /(?<![\p{L}\p{N}_@])(?:https?:\/\/[^\s<>"'）)，。]+|(?:www\.)?(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|io|me|dev|cn|example|test)(?:\/[^\s<>"'）)，。]*)?)(?<![.,!?;:])/giu,
  ],
  ['email', /(?<![\p{L}\p{N}_.@])[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.[a-z]{2,63}/giu],
  [
    'bot_command',
    new RegExp(`(?<!${wordChar}|[/<>])/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32})?(?!${wordChar}|[/<>])`, 'gu'),
  ],
  ['mention', new RegExp(`(?<!${wordChar})@[a-zA-Z0-9_]{4,32}(?!${wordChar})`, 'gu')],
  ['hashtag', new RegExp(`(?<!${wordChar})#(?=${wordChar}{0,255}\\p{L})${wordChar}{1,256}`, 'gu')],
]

/** The entities of a plain text in order of offset; none overlaps another, nor any of `taken`. */
export function detectEntities(text: string, taken: readonly TgEntity[] = []): TgEntity[] {
  const found: TgEntity[] = []
  const isTaken = new Uint8Array(text.length)
  for (const { offset, length } of taken) isTaken.fill(1, offset, offset + length)
  for (const [type, pattern] of patterns) {
    for (const match of text.matchAll(pattern)) {
      const entity = { type, offset: match.index, length: match[0].length }
      const end = entity.offset + entity.length
      if (isTaken.subarray(entity.offset, end).includes(1)) continue
      isTaken.fill(1, entity.offset, end)
      found.push(entity)
    }
  }
  return found.toSorted((a, b) => a.offset - b.offset)
}

/** Every URL a client or server would follow from this text: plain ones and those behind words. */
export function findUrls(text: string, entities: readonly TgEntity[]): string[] {
  return entities.flatMap((entity) => {
    if (entity.type === 'text_link') return entity.url === undefined ? [] : [entity.url]
    return entity.type === 'url' ? [text.slice(entity.offset, entity.offset + entity.length)] : []
  })
}

// What Telegram makes of a bot's text: parse mode or given entities, cleaning, trimming, limits, entities of its own.
// Refuses as Telegram does: empty, too long, entities outside of the text, lone surrogates, the legacy Markdown mode.
import { badRequest } from './api-error.ts'
import { detectEntities } from './detect-entities.ts'
import { parseHtml } from './parse-html.ts'
import { parseMarkdownV2 } from './parse-markdown.ts'
import type { TgEntity } from './types.ts'

export type FormattedText = { readonly text: string; readonly entities: readonly TgEntity[] }

export type TextInput = {
  readonly text: string
  readonly parseMode: string | undefined
  readonly entities: readonly TgEntity[] | undefined
  /** In UTF-16 units, after entity parsing. */
  readonly limit: number
  readonly tooLong: string
}

/** The text as stored; empty is allowed here, for drafts and captions. */
export function formatText({ text, parseMode, entities, limit, tooLong }: TextInput): FormattedText {
  if (!text.isWellFormed()) throw badRequest('strings must be encoded in UTF-8')
  const parsed = parse(text, parseMode, entities)
  for (const entity of parsed.entities) checkEntity(parsed.text, entity)
  const trimmed = trim(parsed)
  if (trimmed.text.length > limit) throw badRequest(tooLong)
  const all = [...trimmed.entities, ...detectEntities(trimmed.text, trimmed.entities)]
  return { text: trimmed.text, entities: all.toSorted((a, b) => a.offset - b.offset || b.length - a.length) }
}

function parse(text: string, parseMode: string | undefined, entities: readonly TgEntity[] | undefined): FormattedText {
  switch (parseMode?.toLowerCase()) {
    case undefined:
    case '':
    case 'none':
      return { text: clean(text), entities: entities ?? [] }
    case 'html':
      return parseHtml(clean(text))
    case 'markdownv2':
      return parseMarkdownV2(clean(text))
    default:
      throw badRequest('unsupported parse_mode')
  }
}

/** Control characters other than the line feed become spaces, as in TDLib's clean_input_string; lengths stay the same. */
function clean(text: string): string {
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f]/g, ' ')
}

function checkEntity(text: string, { offset, length }: TgEntity): void {
  const end = offset + length
  if (offset < 0 || length < 0) throw badRequest('entity offset and length must be non-negative')
  if (end > text.length) {
    throw badRequest(
      `entity beginning at UTF-16 offset ${offset} ends after the end of the text at UTF-16 offset ${end}`,
    )
  }
  for (const border of [offset, end]) {
    if (isLowSurrogate(text, border)) {
      throw badRequest(`entity begins or ends in a middle of a UTF-16 symbol at offset ${border}`)
    }
  }
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** Cuts white space at both ends and moves the entities along; those that vanish are dropped. */
function trim({ text, entities }: FormattedText): FormattedText {
  const start = text.length - text.trimStart().length
  const kept = text.trim()
  const moved = entities.flatMap((entity) => {
    const from = Math.max(0, entity.offset - start)
    const to = Math.min(kept.length, entity.offset + entity.length - start)
    return to > from ? [{ ...entity, offset: from, length: to - from }] : []
  })
  return { text: kept, entities: moved }
}

// A rich message given as blocks: its shape and limits are checked, and it is written out as a person would read it, with what Telegram
// would fetch for it. Blocks that the project never sends are read as far as their media and texts go.
// https://core.telegram.org/bots/api#inputrichmessage
import { z } from 'zod'
import { badRequest } from './api-error.ts'
import { check } from './params.ts'
import type { TgEntity } from './types.ts'

const mostChars = 32_768
const mostBlocks = 500
const mostLevels = 16
const mostMedia = 50
const mostColumns = 20

type RichText = string | RichText[] | { readonly type: string; readonly text?: RichText | undefined }
const inlineTypes = [
  ...([
    'bold',
    'italic',
    'underline',
    'strikethrough',
    'spoiler',
    'subscript',
    'superscript',
    'marked',
    'code',
  ] as const),
  ...(['url', 'email_address', 'phone_number', 'bank_card_number', 'mention', 'hashtag', 'cashtag'] as const),
  ...(['bot_command', 'text_mention', 'date_time', 'custom_emoji', 'mathematical_expression'] as const),
  ...(['anchor', 'anchor_link', 'reference', 'reference_link', 'button'] as const),
]
const richText: z.ZodType<RichText> = z.lazy(() =>
  z.union([z.string(), z.array(richText), z.looseObject({ type: z.enum(inlineTypes), text: richText.optional() })]),
)
const media = ['photo', 'video', 'animation', 'audio', 'document', 'voice_note'] as const
const cell = z.looseObject({
  text: richText.optional(),
  is_header: z.literal(true).optional(),
  align: z.enum(['left', 'center', 'right']),
  valign: z.enum(['top', 'middle', 'bottom']),
})
type Block = { readonly type: string; readonly [field: string]: unknown }
const block: z.ZodType<Block> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.looseObject({ type: z.enum(['paragraph', 'footer', 'pullquote', 'expandable_blockquote']), text: richText }),
    z.looseObject({ type: z.literal('heading'), text: richText, size: z.number().int().min(1).max(6) }),
    z.looseObject({ type: z.literal('pre'), text: richText, language: z.string().optional() }),
    z.looseObject({ type: z.literal('divider') }),
    z.looseObject({ type: z.literal('mathematical_expression'), expression: z.string() }),
    z.looseObject({ type: z.literal('list'), items: z.array(item).min(1) }),
    z.looseObject({ type: z.enum(['blockquote', 'collage', 'slideshow', 'details']), blocks: z.array(block).min(1) }),
    z.looseObject({ type: z.literal('table'), cells: z.array(z.array(cell).min(1)).min(1) }),
    z.looseObject({ type: z.enum([...media, 'map', 'buttons', 'anchor', 'thinking']) }),
  ]),
)
const item = z.looseObject({
  blocks: z.array(block).min(1),
  has_checkbox: z.literal(true).optional(),
  is_checked: z.literal(true).optional(),
  value: z.number().int().optional(),
})

export type RichContent = {
  /** As a person reads it: blocks by lines, list items with their mark, cells between bars. */
  readonly text: string
  /** Links and marks, as entities of that text. */
  readonly entities: readonly TgEntity[]
  /** What Telegram fetches at once. */
  readonly media: readonly string[]
  /** As it is told to who reads it: items have their label. Absent where it was given as a text. */
  readonly blocks?: readonly unknown[]
}

/** Throws Telegram's refusal. */
export function readBlocks(given: readonly unknown[], isDraft: boolean): RichContent {
  const blocks = check(z.object({ blocks: z.array(block) }), { blocks: given }).blocks
  const reading: Reading = { text: '', entities: [], media: [], count: 0, isDraft }
  readAll(reading, blocks, { level: 1, indent: '' })
  if (reading.text.trim() === '' && reading.media.length === 0) throw badRequest('rich message must be non-empty')
  if (Array.from(reading.text).length > mostChars) throw badRequest('rich message is too long')
  if (reading.count > mostBlocks) throw badRequest('rich message has too many blocks')
  if (reading.media.length > mostMedia) throw badRequest('rich message has too many media')
  const { text, entities, media: urls } = reading
  return { text, entities, media: urls, blocks: withLabels(blocks) }
}

/** Telegram writes each item's label out. https://core.telegram.org/bots/api#richblocklistitem */
function withLabels(blocks: readonly Block[]): Block[] {
  return blocks.map((one) => {
    const nested = z.array(block).safeParse(one['blocks'])
    const items = one.type === 'list' ? check(z.array(item), one['items']) : undefined
    return {
      ...one,
      ...(nested.success ? { blocks: withLabels(nested.data) } : {}),
      ...(items === undefined
        ? {}
        : {
            items: items.map((given) => ({
              ...given,
              label: given.value === undefined ? '•' : `${given.value}.`,
              blocks: withLabels(given.blocks),
            })),
          }),
    }
  })
}

type Reading = {
  text: string
  readonly entities: TgEntity[]
  readonly media: string[]
  count: number
  readonly isDraft: boolean
}
type Place = { readonly level: number; readonly indent: string }

function readAll(reading: Reading, blocks: readonly Block[], place: Place): void {
  for (const [i, one] of blocks.entries()) {
    if (i > 0) reading.text += `\n${place.indent}`
    readBlock(reading, one, place)
  }
}

function readBlock(reading: Reading, { type, ...fields }: Block, { level, indent }: Place): void {
  enter(reading, level)
  if (type === 'thinking' && !reading.isDraft) throw badRequest('RICH_MESSAGE_THINKING_INVALID')
  if (fields['text'] !== undefined) readShown(reading, fields['text'], level)
  for (const url of findMedia(fields)) reading.media.push(url)
  if (Array.isArray(fields['blocks']))
    readAll(reading, check(z.array(block), fields['blocks']), { level: level + 1, indent })
  if (type === 'list') readList(reading, check(z.array(item), fields['items']), { level, indent })
  if (type === 'table') readTable(reading, check(z.array(z.array(cell)), fields['cells']), level)
  if (type === 'divider') reading.text += '———'
}

function readList(reading: Reading, items: readonly z.infer<typeof item>[], { level, indent }: Place): void {
  for (const [i, one] of items.entries()) {
    enter(reading, level + 1)
    const box = one.is_checked ? '☑ ' : '☐ '
    const sign = one.has_checkbox ? box : one.value === undefined ? '• ' : `${one.value}. `
    reading.text += `${i > 0 ? `\n${indent}` : ''}${sign}`
    readAll(reading, one.blocks, { level: level + 2, indent: `${indent}  ` })
  }
}

function readTable(reading: Reading, rows: readonly (readonly z.infer<typeof cell>[])[], level: number): void {
  for (const [i, row] of rows.entries()) {
    if (row.length > mostColumns) throw badRequest('rich message table has too many columns')
    if (row.length !== rows[0]?.length) throw badRequest('rich message table rows differ in length')
    enter(reading, level + 1)
    if (i > 0) reading.text += '\n'
    for (const [j, { text }] of row.entries()) {
      if (j > 0) reading.text += ' | '
      readText(reading, text ?? '', level + 2)
    }
  }
}

function enter(reading: Reading, level: number): void {
  reading.count += 1
  checkLevel(level)
}

function checkLevel(level: number): void {
  if (level > mostLevels) throw badRequest('rich message has too many levels of nesting')
}

function readShown(reading: Reading, given: unknown, level: number): void {
  const offset = reading.text.length
  readText(reading, check(richText, given), level)
  if (reading.text.slice(offset).trim() === '') throw badRequest('rich message block must be non-empty')
}

function readText(reading: Reading, text: RichText, level: number): void {
  checkLevel(level)
  if (typeof text === 'string') {
    if (!text.isWellFormed()) throw badRequest('strings must be encoded in UTF-8')
    reading.text += text
    return
  }
  if (Array.isArray(text)) {
    for (const one of text) readText(reading, one, level)
    return
  }
  const offset = reading.text.length
  if (text.text !== undefined) readText(reading, text.text, level + 1)
  const url = 'url' in text && typeof text.url === 'string' ? text.url : undefined
  if (text.type === 'url' && (url === undefined || !/^(?:https?|tg|mailto|tel):/i.test(url))) {
    throw badRequest('RICH_MESSAGE_URL_INVALID')
  }
  const type = text.type === 'url' ? 'text_link' : text.type
  reading.entities.push({ type, offset, length: reading.text.length - offset, ...(url === undefined ? {} : { url }) })
}

/** Every URL in a media block; captions and buttons hold none that is fetched. */
function findMedia(fields: Readonly<Record<string, unknown>>): string[] {
  return media.flatMap((kind) => {
    const given = fields[kind]
    if (typeof given !== 'object' || given === null || !('media' in given)) return []
    return typeof given.media === 'string' ? [given.media] : []
  })
}

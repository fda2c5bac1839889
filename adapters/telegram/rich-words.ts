// The words of a rich message, with the marks in them (mentions, commands) as entities of one text, and the files that stand in it. Pure.
// A kind of block that nobody knows yet gives what words it has. https://core.telegram.org/bots/api#richmessage
import type { Media } from '#shared/chat/quotation.ts'
import { toRecord } from '#adapters/events/to-record.ts'
import { describe } from './describe.ts'
import type { TgEntity } from './updates.ts'

export type RichWords = {
  readonly text: string
  readonly entities: readonly TgEntity[]
  readonly media: readonly Media[]
}

/** Telegram allows 16 levels, 500 blocks and 32,768 characters; what lies beyond these bounds is left out. */
const mostLevels = 40
const mostNodes = 20_000
const mostChars = 40_000
const mostMedia = 50
const files = ['photo', 'video', 'animation', 'audio', 'document', 'voice_note'] as const
/** Blocks without words of their writer's: what a button says is chosen to be pressed. */
const wordless: ReadonlySet<unknown> = new Set(['buttons', 'button', 'anchor', 'thinking'])

export function toRichWords(message: unknown): RichWords {
  const reading: Reading = { text: '', entities: [], media: [], nodes: 0 }
  readBlocks(reading, toRecord(message)['blocks'], { level: 0, indent: '' })
  return reading
}

type Reading = { text: string; readonly entities: TgEntity[]; readonly media: Media[]; nodes: number }
type Place = { readonly level: number; readonly indent: string }

function isFull(reading: Reading, level: number): boolean {
  reading.nodes += 1
  return reading.nodes > mostNodes || level > mostLevels || reading.text.length > mostChars
}

const toList = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : [])

function readBlocks(reading: Reading, blocks: unknown, place: Place): void {
  for (const [i, block] of toList(blocks).entries()) {
    if (isFull(reading, place.level)) return
    // The first one stands behind its item's mark.
    if (i > 0) beginLine(reading, place)
    readBlock(reading, toRecord(block), { ...place, level: place.level + 1 })
  }
}

function readBlock(reading: Reading, block: Readonly<Record<string, unknown>>, place: Place): void {
  const { type, text, summary, expression, caption, credit, language } = block
  if (wordless.has(type)) return
  if (type === 'divider') return add(reading, '———')
  const file = files.find((kind) => kind === type)
  if (file && reading.media.length < mostMedia) reading.media.push(describe(file, block[file]))
  readLine(reading, summary, place)
  if (type === 'pre') {
    add(reading, `\`\`\`${typeof language === 'string' ? language.slice(0, 40) : ''}\n`)
    readText(reading, text, place.level)
    add(reading, '\n```')
  } else readLine(reading, text, place)
  if (typeof expression === 'string') add(reading, `$$${expression}$$`)
  for (const part of ['blocks', 'items', 'cells'] as const) {
    if (!Array.isArray(block[part])) continue
    if (summary !== undefined || text !== undefined) beginLine(reading, place)
    if (part === 'blocks') readBlocks(reading, block.blocks, place)
    else if (part === 'items') readItems(reading, block.items, place)
    else readRows(reading, block.cells, place)
  }
  for (const note of [caption, credit]) if (note !== undefined) readNote(reading, note, place)
}

function readItems(reading: Reading, items: unknown, { level, indent }: Place): void {
  for (const [i, given] of toList(items).entries()) {
    if (isFull(reading, level)) return
    if (i > 0) beginLine(reading, { level, indent })
    const { label, value, blocks, has_checkbox: hasBox, is_checked: isChecked } = toRecord(given)
    const named = typeof label === 'string' && label !== '' ? label.slice(0, 20) : undefined
    const numbered = typeof value === 'number' ? `${value}.` : '•'
    add(reading, `${hasBox === true ? (isChecked === true ? '☑' : '☐') : (named ?? numbered)} `)
    readBlocks(reading, blocks, { level: level + 1, indent: `${indent}  ` })
  }
}

function readRows(reading: Reading, rows: unknown, place: Place): void {
  for (const [i, row] of toList(rows).entries()) {
    if (isFull(reading, place.level)) return
    if (i > 0) beginLine(reading, place)
    for (const [j, cell] of toList(row).entries()) {
      if (j > 0) add(reading, ' | ')
      readText(reading, toRecord(cell)['text'], place.level + 1)
    }
  }
}

/** A caption, alone or with its credit. */
function readNote(reading: Reading, note: unknown, place: Place): void {
  const { text, credit } = toRecord(note)
  const parts =
    typeof note === 'string' || Array.isArray(note) || toRecord(note)['type'] !== undefined ? [note] : [text, credit]
  for (const part of parts) {
    if (part === undefined) continue
    beginLine(reading, place)
    readText(reading, part, place.level)
  }
}

function readLine(reading: Reading, text: unknown, { level }: Place): void {
  if (text !== undefined) readText(reading, text, level)
}

function readText(reading: Reading, given: unknown, level: number): void {
  if (isFull(reading, level)) return
  if (typeof given === 'string') return add(reading, given)
  if (Array.isArray(given)) {
    for (const one of given) readText(reading, one, level + 1)
    return
  }
  const { type, text, alternative_text: emoji, expression, user } = toRecord(given)
  if (wordless.has(type)) return
  const offset = reading.text.length
  if (typeof emoji === 'string') add(reading, emoji)
  if (typeof expression === 'string') add(reading, `$${expression}$`)
  if (text !== undefined) readText(reading, text, level + 1)
  if (typeof type !== 'string') return
  const { id } = toRecord(user)
  const entity = { type, offset, length: reading.text.length - offset }
  reading.entities.push(typeof id === 'number' ? { ...entity, user: { id } } : entity)
}

function beginLine(reading: Reading, { indent }: Place): void {
  if (reading.text !== '' && !/\n *$/.test(reading.text.slice(-80))) reading.text += `\n${indent}`
}

function add(reading: Reading, text: string): void {
  reading.text += text.slice(0, Math.max(0, mostChars - reading.text.length))
}

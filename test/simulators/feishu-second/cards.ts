// Cards of schema 2.0, as strict as the vendor's pages and reports of live tenants: unknown properties and elements, repeated ids, too many
// elements, tables and rows are refused. It tells what people read of a card.
import type { Json } from './state.ts'

export class Refusal extends Error {
  readonly code: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(code: number, words: string, status = 400, headers: Readonly<Record<string, string>> = {}) {
    super(words)
    this.code = code
    this.status = status
    this.headers = headers
  }
}

export const badCard = (inner: number, words: string): Refusal =>
  new Refusal(230_099, `Failed to create card content, ext=ErrCode: ${inner}; ErrMsg: ${words}; ErrorValue: ; `)

export type Button = { readonly label: string; readonly value: unknown }
export type Shown = { readonly text: string; readonly buttons: readonly (readonly Button[])[] }

const most = { bytes: 30 * 1024, elements: 200, tables: 5, rows: 49 }
const cardKeys = new Set(['schema', 'config', 'header', 'body', 'card_link', 'i18n_header'])
const configKeys = new Set(['streaming_mode', 'streaming_config', 'summary', 'update_multi', 'enable_forward', 'style'])
const shared = ['tag', 'element_id', 'margin']
const laid = ['horizontal_spacing', 'vertical_spacing', 'horizontal_align', 'vertical_align', 'direction', 'padding']
const properties: Readonly<Record<string, readonly string[]>> = {
  markdown: [...shared, 'content', 'text_align', 'text_size', 'icon'],
  div: [...shared, 'text', 'fields', 'icon', 'width'],
  column_set: [...shared, ...laid, 'flex_mode', 'background_style', 'columns', 'action'],
  column: [...shared, ...laid, 'width', 'weight', 'background_style', 'elements', 'action'],
  button: [...shared, 'text', 'type', 'size', 'width', 'icon', 'disabled', 'behaviors', 'name', 'confirm'],
  hr: shared,
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Throws a refusal. */
export function readCard(card: unknown): Shown {
  if (!isObject(card) || card['schema'] !== '2.0') throw badCard(200_621, 'parse card json err')
  if (Buffer.byteLength(JSON.stringify(card)) > most.bytes)
    throw new Refusal(230_025, 'The length of the message content reaches its limit.')
  const config = isObject(card['config']) ? card['config'] : {}
  for (const key of Object.keys(card)) if (!cardKeys.has(key)) throw badCard(200_621, `unknown property ${key}`)
  for (const key of Object.keys(config)) if (!configKeys.has(key)) throw badCard(200_621, `unknown property ${key}`)
  const body = isObject(card['body']) ? card['body'] : {}
  if (!Array.isArray(body['elements'])) throw badCard(200_621, 'body.elements')
  const seen: Seen = { count: 0, tables: 0, ids: new Set(), lines: [], rows: [] }
  for (const element of body['elements']) look(element, seen)
  if (seen.count > most.elements) throw badCard(11_310, 'element exceeds the limit')
  if (seen.tables > most.tables) throw badCard(11_310, 'card table number over limit')
  return { text: seen.lines.join('\n'), buttons: seen.rows }
}

type Seen = {
  count: number
  tables: number
  readonly ids: Set<string>
  readonly lines: string[]
  readonly rows: Button[][]
}

function look(element: unknown, seen: Seen, row?: Button[]): void {
  if (!isObject(element)) throw badCard(200_621, 'an element is no object')
  const tag = String(element['tag'])
  const known = properties[tag]
  if (!known) throw badCard(200_861, `cards of schema V2 no longer support this capability, unsupported tag ${tag}`)
  seen.count += 1
  for (const key of Object.keys(element)) if (!known.includes(key)) throw badCard(200_621, `unknown property ${key}`)
  checkId(element['element_id'], seen)
  if (tag === 'markdown') return lookAtMarkdown(element['content'], seen)
  if (tag === 'div' && isObject(element['text'])) seen.lines.push(String(element['text']['content']))
  if (tag === 'button') return void (row ?? newRow(seen)).push(toButton(element))
  const inner: unknown = element['columns'] ?? element['elements'] ?? []
  const into = tag === 'column_set' ? newRow(seen) : row
  for (const one of Array.isArray(inner) ? inner : []) look(one, seen, into)
}

function newRow({ rows }: Seen): Button[] {
  const row: Button[] = []
  rows.push(row)
  return row
}

function checkId(id: unknown, { ids }: Seen): void {
  if (id === undefined) return
  if (typeof id !== 'string' || !/^[A-Za-z]\w{0,19}$/.test(id)) throw badCard(300_301, 'elementID format error')
  if (ids.has(id)) throw badCard(300_301, 'Duplicate element_id')
  ids.add(id)
}

function toButton({ text, behaviors }: Json): Button {
  const label = isObject(text) ? text['content'] : undefined
  if (typeof label !== 'string' || label === '') throw badCard(200_621, 'a button needs a text')
  const all: readonly unknown[] = Array.isArray(behaviors) ? behaviors : []
  const callback = all.filter(isObject).find(({ type }) => type === 'callback')
  if (callback && !isObject(callback['value'])) throw badCard(200_621, 'only objects as callback values')
  return { label, value: callback?.['value'] }
}

function lookAtMarkdown(content: unknown, seen: Seen): void {
  if (typeof content !== 'string' || content === '') throw badCard(200_621, 'markdown content is empty')
  const tables = rowsOfTables(content)
  seen.tables += tables.length
  if (tables.some((rows) => rows > most.rows)) throw badCard(11_310, 'element exceeds the limit')
  seen.lines.push(content)
}

/** Rows below the head of each table outside of code. */
function rowsOfTables(markdown: string): number[] {
  const found: number[] = []
  const lines = markdown.split('\n')
  let isCode = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (/^\s{0,3}```/.test(line)) isCode = !isCode
    const rule = lines[at + 1] ?? ''
    if (isCode || !line.includes('|') || !rule.includes('-') || !/^[\s|:-]+$/.test(rule)) continue
    const from = at + 2
    for (at = from; (lines[at] ?? '').includes('|'); at++);
    found.push(at - from)
  }
  return found
}

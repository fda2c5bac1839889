// What people see of a card: its texts line by line, and its buttons row by row. Buttons in the columns of one set stand in one row, as
// do those of an `action` of schema 1.0; any other has a row of its own.
import { isObject, type CardButton, type CardJson } from './card-json.ts'

export type CardText = { readonly text: string; readonly buttons: readonly (readonly CardButton[])[] }

type Reading = { readonly lines: string[]; readonly rows: CardButton[][]; row: CardButton[] | undefined }

export function toCardText(json: CardJson): CardText {
  const reading: Reading = { lines: [], rows: [], row: undefined }
  const header = isObject(json['header']) ? json['header'] : {}
  for (const text of [textOf(header['title']), textOf(header['subtitle'])]) if (text !== '') reading.lines.push(text)
  const body = isObject(json['body']) ? json['body'] : json
  readAll(body['elements'], reading)
  return { text: reading.lines.join('\n'), buttons: reading.rows }
}

function readAll(elements: unknown, reading: Reading): void {
  if (!Array.isArray(elements)) return
  for (const element of elements) if (isObject(element)) readElement(element, reading)
}

function readElement(element: CardJson, reading: Reading): void {
  switch (element['tag']) {
    case 'markdown':
    case 'plain_text':
    case 'lark_md':
      return addLine(reading, textOf(element))
    case 'div':
      addLine(reading, textOf(element['text']))
      return readAll(element['fields'], reading)
    case 'hr':
      return void reading.lines.push('---')
    case 'table':
      return void reading.lines.push(...readTable(element))
    case 'button':
      return addButton(reading, toButton(element))
    case 'action':
      return inOneRow(reading, () => readAll(element['actions'], reading))
    case 'column_set':
      return inOneRow(reading, () => readAll(element['columns'], reading))
    case 'collapsible_panel': {
      const header = isObject(element['header']) ? element['header'] : {}
      addLine(reading, textOf(header['title']))
      return readAll(element['elements'], reading)
    }
    default:
      addLine(reading, textOf(element['text']))
      readAll(element['elements'], reading)
  }
}

function inOneRow(reading: Reading, read: () => void): void {
  const row: CardButton[] = []
  const outer = reading.row
  reading.row = outer ?? row
  read()
  reading.row = outer
  if (outer === undefined && row.length > 0) reading.rows.push(row)
}

function addButton(reading: Reading, button: CardButton): void {
  if (reading.row === undefined) reading.rows.push([button])
  else reading.row.push(button)
}

function addLine(reading: Reading, text: string): void {
  if (text !== '') reading.lines.push(text)
}

function textOf(part: unknown): string {
  if (!isObject(part)) return ''
  return typeof part['content'] === 'string' ? part['content'] : ''
}

function toButton(element: CardJson): CardButton {
  const behaviors: readonly unknown[] = Array.isArray(element['behaviors']) ? element['behaviors'] : []
  const all = behaviors.filter(isObject)
  const callback = all.find(({ type }) => type === 'callback')
  const link = all.find(({ type }) => type === 'open_url')?.['default_url'] ?? element['url']
  return {
    label: textOf(element['text']),
    value: callback === undefined ? element['value'] : callback['value'],
    url: typeof link === 'string' ? link : undefined,
    name: typeof element['name'] === 'string' ? element['name'] : undefined,
    isDisabled: element['disabled'] === true,
  }
}

function readTable({ columns, rows }: CardJson): string[] {
  const named = (Array.isArray(columns) ? columns : []).filter(isObject)
  const line = (cells: readonly unknown[]) => `| ${cells.map((cell) => toCell(cell)).join(' | ')} |`
  const body = (Array.isArray(rows) ? rows : []).filter(isObject)
  return [
    line(named.map(({ display_name: shown, name }) => shown ?? name)),
    ...body.map((row) => line(named.map(({ name }) => (typeof name === 'string' ? row[name] : '')))),
  ]
}

function toCell(cell: unknown): string {
  if (Array.isArray(cell)) return cell.map((one) => (isObject(one) ? toCell(one['text']) : toCell(one))).join(', ')
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : ''
}

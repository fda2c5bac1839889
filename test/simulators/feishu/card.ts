// Reads a card as the server checks it, and tells what people see of it. Schema 2.0 is strict: unknown properties, unknown elements, bad
// or repeated ids, more than 200 elements or five tables are refused (230099). Schema 1.0 ignores what it does not know.
import { badCard } from './api-error.ts'
import { isObject, type CardButton, type CardJson } from './card-json.ts'
import { elementShape, partShape, type Field, type Shape } from './card-shapes.ts'
import { toCardText } from './card-text.ts'

export type ShownCard = {
  readonly json: CardJson
  readonly schema: '1.0' | '2.0'
  /** Title, then everything that can be read, line by line. */
  readonly text: string
  readonly buttons: readonly (readonly CardButton[])[]
  /** It says `update_multi: true`, which alone lets it be changed; 2.0 takes it for granted. */
  readonly isShared: boolean
  readonly isStreaming: boolean
}

const maxElements = 200
const maxTables = 5
/** Below its head: a live tenant takes 49 and refuses the fiftieth. */
const maxTableRows = 49

/** Throws 230099. */
export function readCard(json: CardJson): ShownCard {
  const config = isObject(json['config']) ? json['config'] : {}
  if (json['schema'] !== undefined && json['schema'] !== '2.0' && json['schema'] !== '1.0') {
    throw badCard(200_621, 'parse card json err, please check whether the card json is correct', 'invalid schema')
  }
  const schema = json['schema'] === '2.0' ? '2.0' : '1.0'
  if (schema === '2.0') checkStrictly(json, config)
  else checkLoosely(json)
  return {
    json,
    schema,
    ...toCardText(json),
    isShared: config['update_multi'] === true,
    isStreaming: config['streaming_mode'] === true,
  }
}

function checkStrictly(json: CardJson, config: CardJson): void {
  const found: Found = { elements: 0, tables: 0, ids: new Set() }
  if (config['update_multi'] === false) throw parseError('update_multi only supports true')
  checkPart(json, partShape('card'), { path: 'ROOT', found })
  if (found.elements > maxElements) throw badCard(11_310, 'element exceeds the limit', 'element')
  if (found.tables > maxTables) throw badCard(11_310, 'card table number over limit', 'table')
}

/** What even the old schema refuses. */
function checkLoosely(json: CardJson): void {
  if (!Array.isArray(json['elements']) && !isObject(json['i18n_elements']) && !isObject(json['header'])) {
    throw parseError('card has neither elements nor header')
  }
}

type Found = { elements: number; tables: number; readonly ids: Set<string> }

type Place = { readonly path: string; readonly found: Found }

function parseError(what: string): ReturnType<typeof badCard> {
  return badCard(200_621, 'parse card json err, please check whether the card json is correct', what)
}

function checkPart(part: CardJson, shape: Shape, { path, found }: Place): void {
  for (const name of Object.keys(part)) {
    if (!shape.has(name)) throw parseError(`unknown property, property: ${name}, path: ${path}`)
  }
  if (typeof part['tag'] === 'string') found.elements += 1
  checkId(part['element_id'], { path, found })
  for (const field of shape.values()) checkField(part[field.name], field, { path: `${path} -> ${field.name}`, found })
}

function checkField(value: unknown, field: Field, place: Place): void {
  const { isList, isRequired, shape } = field
  if (value === undefined || value === null) {
    if (isRequired) throw parseError(`required property is missing, path: ${place.path}`)
    return
  }
  if (shape === undefined) return
  if (isList !== Array.isArray(value)) throw parseError(`type mismatch, path: ${place.path}`)
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  for (const [at, item] of items.entries()) {
    const path = isList ? `${place.path} -> [${at}]` : place.path
    if (!isObject(item)) throw parseError(`type mismatch, path: ${path}`)
    if (shape === 'element' || shape === 'column') checkElement(item, shape, { path, found: place.found })
    else checkNamed(item, shape, { path, found: place.found })
  }
}

function checkElement(element: CardJson, expected: 'element' | 'column', { path, found }: Place): void {
  const tag = typeof element['tag'] === 'string' ? element['tag'] : ''
  const shape = elementShape(tag)
  const here = `${path}(tag: ${tag})`
  if (shape === undefined || (tag === 'column') !== (expected === 'column')) {
    throw badCard(
      200_861,
      `cards of schema V2 no longer support this capability`,
      `unsupported tag ${tag}, path: ${here}`,
    )
  }
  if (tag === 'table') found.tables += 1
  if (tag === 'markdown') {
    if (typeof element['content'] !== 'string') throw parseError(`type mismatch, path: ${here} -> content`)
    const tables = tablesIn(element['content'])
    found.tables += tables.length
    if (tables.some((rows) => rows > maxTableRows)) throw badCard(11_310, 'element exceeds the limit', 'element')
  }
  checkPart(element, shape, { path: here, found })
}

/** How many rows the tables of a markdown text have below their heads: a line of cells above a line of dashes, outside of fences. */
function tablesIn(markdown: string): number[] {
  const lines = markdown.replaceAll(/^[ \t]*```[^]*?(?:^[ \t]*```[ \t]*$|(?![^]))/gm, '').split('\n')
  const isRow = (line: string | undefined): boolean => line !== undefined && /^[ \t>]*\|.*\|[ \t]*$/.test(line)
  return lines.flatMap((line, at) => {
    if (!isRow(line) || !/^[ \t>]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/.test(lines[at + 1] ?? '')) return []
    const end = lines.findIndex((one, i) => i > at + 1 && !isRow(one))
    return [(end < 0 ? lines.length : end) - at - 2]
  })
}

function checkNamed(part: CardJson, name: string, place: Place): void {
  checkPart(part, partShape(name), place)
  if (name === 'text') {
    if (part['tag'] !== 'plain_text' && part['tag'] !== 'lark_md' && part['tag'] !== 'markdown') {
      throw parseError(`unsupported text tag, path: ${place.path}`)
    }
    if (typeof part['content'] !== 'string') throw parseError(`type mismatch, path: ${place.path} -> content`)
  }
  if (name === 'behavior') checkBehavior(part, place.path)
}

function checkBehavior({ type, value, default_url: url }: CardJson, path: string): void {
  switch (type) {
    case 'callback':
      if (!isObject(value) && typeof value !== 'string') throw parseError(`callback value is invalid, path: ${path}`)
      return
    case 'open_url':
      if (typeof url !== 'string') throw parseError(`default_url is missing, path: ${path}`)
      return
    case 'form_action':
      return
    default:
      throw parseError(`unsupported behavior type, path: ${path}`)
  }
}

/** "仅允许使用字母、数字和下划线，必须以字母开头", at most 20 of them, each once in a card. */
function checkId(id: unknown, { path, found }: Place): void {
  if (id === undefined) return
  if (typeof id !== 'string' || !/^[A-Za-z]\w{0,19}$/.test(id)) {
    throw badCard(300_301, 'element id is invalid', `element_id: ${JSON.stringify(id)}, path: ${path}`)
  }
  if (found.ids.has(id)) throw badCard(300_302, 'element id is duplicated', `element_id: ${id}, path: ${path}`)
  found.ids.add(id)
}

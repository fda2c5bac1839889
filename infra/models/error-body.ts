// What an endpoint says of a refusal, whatever the shape of its body, as the one that the SDK knows. Pure.

import { isList, isObject, parseJson } from '#shared/json.ts'

/** Fields whose texts say why. Others may repeat the prompt. */
const telling = new Set([
  'error',
  'errors',
  'message',
  'msg',
  'detail',
  'details',
  'description',
  'error_description',
  'reason',
  'title',
  'param',
  'code',
  'type',
  'loc',
  'status',
  'metadata',
  'raw',
  'status_msg',
  'error_msg',
  'base_resp',
  'fieldViolations',
  'field',
  'cause',
])
const mostLevels = 8
const mostChars = 8000
/** How Python's checks repeat what they were given, up to the end. */
const repeated = 'input_value='

export function toErrorBody(text: string): string {
  const read = parseJson(text)
  if (read === undefined) return JSON.stringify({ error: { message: text.slice(0, mostChars) } })
  const message = textsOf(read).join(' ').slice(0, mostChars).split(repeated, 1)[0]
  const codes = findCodes(read)
  return JSON.stringify({ error: { ...codes, message } })
}

/** Also of JSON that stands as text in a message, as gateways pass on what they were told. */
function textsOf(value: unknown, level = 0): readonly string[] {
  if (level > mostLevels) return []
  if (typeof value === 'number') return [String(value)]
  if (typeof value === 'string') {
    const inner = value.startsWith('{') || value.startsWith('[') ? parseJson(value) : undefined
    return typeof inner === 'object' && inner !== null ? textsOf(inner, level + 1) : [value]
  }
  if (isList(value)) return value.flatMap((one) => textsOf(one, level + 1))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, one]) => (telling.has(key) ? textsOf(one, level + 1) : []))
}

/** The outermost of each. */
function findCodes(value: unknown, level = 0): Readonly<Record<string, unknown>> {
  if (isList(value)) return findCodes(value[0], level + 1)
  if (level > 3 || !isObject(value)) return {}
  const { code, type, param } = value
  const own = Object.fromEntries(Object.entries({ code, type, param }).filter(([, one]) => isCode(one)))
  const inner = 'error' in value ? findCodes(value['error'], level + 1) : {}
  return { ...own, ...inner }
}

const isCode = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

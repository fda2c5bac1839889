// What an endpoint says of a refusal, whatever the shape of its body, as the one that the SDK knows. Pure.

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
  'fieldViolations',
  'field',
  'cause',
])
const mostLevels = 8
const mostChars = 8000
/** How Python's checks repeat what they were given. */
const repeated = /,? ?input_value=[^]*?(?=, input_type=|\]|$)/g

export function toErrorBody(text: string): string {
  const read = parse(text)
  if (read === undefined) return JSON.stringify({ error: { message: text.slice(0, mostChars) } })
  const message = textsOf(read).join(' ').slice(0, mostChars).replaceAll(repeated, '')
  const codes = findCodes(read)
  return JSON.stringify({ error: { ...codes, message } })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Also of JSON that stands as text in a message, as gateways pass on what they were told. */
function textsOf(value: unknown, level = 0): readonly string[] {
  if (level > mostLevels) return []
  if (typeof value === 'number') return [String(value)]
  if (typeof value === 'string') {
    const inner = value.startsWith('{') || value.startsWith('[') ? parse(value) : undefined
    return typeof inner === 'object' && inner !== null ? textsOf(inner, level + 1) : [value]
  }
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, level + 1))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => (telling.has(key) ? textsOf(one, level + 1) : []))
}

/** The outermost of each. */
function findCodes(value: unknown, level = 0): Readonly<Record<string, unknown>> {
  if (Array.isArray(value)) return findCodes(value[0], level + 1)
  if (level > 3 || typeof value !== 'object' || value === null) return {}
  const { code, type, param } = value as Readonly<Record<string, unknown>>
  const own = Object.fromEntries(Object.entries({ code, type, param }).filter(([, one]) => isCode(one)))
  const inner = 'error' in value ? findCodes(value.error, level + 1) : {}
  return { ...own, ...inner }
}

const isCode = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

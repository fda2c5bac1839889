// Reads a call of a tool that a model wrote as an object of JSON. A call has a name and arguments, and nothing else: what tells more is a record, or the
// definition of a tool. Pure.
import type { ToolSchema } from '#shared/model/model-port.ts'
import { isList, isObject, parseJson } from '#shared/json.ts'
import type { Spoken } from './python-calls.ts'
import { isFields } from './written-number.ts'

const names = ['name', 'tool', 'tool_name', 'function', 'action']
const inputs = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input', 'kwargs']
/** What may stand beside them. */
const others = ['id', 'type', 'index', 'call_id', 'tool_call_id']
/** What may stand beside the list of calls in a message. */
const ofMessage = ['role', 'content', 'type']

/** A call, by whatever names its parts go. */
export function toSpoken(value: unknown): Spoken | undefined {
  if (!isObject(value)) return undefined
  const { function: inner, tool_calls: calls, content } = value
  if (isList(calls) && calls.length === 1)
    return hasOnly(value, ['tool_calls', ...ofMessage]) && (content ?? '') === '' ? toSpoken(calls[0]) : undefined
  if (isObject(inner)) return hasOnly(value, ['function', ...others]) ? toSpoken(inner) : undefined
  const own = names.find((one) => typeof value[one] === 'string')
  const name = own === undefined ? undefined : value[own]
  const key = inputs.find((one) => one in value)
  // JSON that has a name only may be anything.
  if (own === undefined || typeof name !== 'string' || (key === undefined && Object.keys(value).length > 1))
    return undefined
  if (!hasOnly(value, [own, ...(key === undefined ? [] : [key]), ...others])) return undefined
  const input = key === undefined ? {} : value[key]
  return isFields(input) || typeof input === 'string' || input === null ? { name, input: input ?? {} } : undefined
}

/** A tool that is known as the only key, as Apertus writes it. */
export function toKeyed(value: unknown, tools: readonly ToolSchema[]): Spoken | undefined {
  const [first, ...more] = isObject(value) ? Object.entries(value) : []
  if (!first || more.length > 0 || !isObject(first[1]) || isSchema(first[1]['parameters'])) return undefined
  return tools.some(({ name }) => name === first[0]) ? { name: first[0], input: first[1] } : undefined
}

/** Whether arguments are the schema of some, as in the definition of a tool. */
export function isSchema(input: unknown): boolean {
  const read = typeof input === 'string' && input.startsWith('{') ? parseJson(input) : input
  if (!isObject(read)) return false
  const { type, properties } = read
  const isOfObject = typeof type === 'string' && type.toLowerCase() === 'object'
  return (isOfObject && isObject(properties)) || ((isOfObject || isObject(properties)) && hasOnly(read, schemaWords))
}
const schemaWords = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  'title',
  'description',
  'strict',
  '$schema',
  '$id',
  '$defs',
  'definitions',
]

const hasOnly = (value: object, keys: readonly string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key))

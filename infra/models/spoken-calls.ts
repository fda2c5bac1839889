// Reads calls of tools that a model wrote as its text, as small models do, and endpoints that do not know a model's own form. Each form is read alike for all
// models: JSON with a name, a name before JSON, or tags with parameters. Calls count only where all of them are whole and name tools that are known. Pure.
import type { ToolCall, ToolSchema } from '#shared/model/model-port.ts'
import { isList, isObject, toList } from '#shared/json.ts'
import { readJsonAt } from './read-json.ts'

type Spoken = { readonly name: string; readonly input: unknown }

const mostChars = 64_000
const mostCalls = 8

/** Calls of these tools, in order; none where the text is something else. */
export function findSpokenCalls(text: string, tools: readonly ToolSchema[]): readonly ToolCall[] {
  if (tools.length === 0 || text.length > mostChars) return []
  const bare = text.trim()
  const found = readTags(bare, tools) ?? readPairs(toBare(bare)) ?? []
  const isKnown = ({ name }: Spoken): boolean => tools.some((one) => one.name === name)
  // JSON alone may be an answer. Of what is marked as a call the model is told that there is no such tool.
  if (found.length === 0 || found.length > mostCalls || !(found.every(isKnown) || opensCall.test(bare))) return []
  return found.map(({ name, input }, i) => ({ id: `call_${i}`, name, arguments: toText(input) }))
}

/** With the mark of a call. */
export const opensCall =
  /^\s{0,8}(?:<[|｜]|\[(?:TOOL_CALL|FUNCTION_CALL)|<(?:tool_call|function|invoke|minimax:|tool_use|use_tool|tool_code|start_function))/
/** Tags such as `<invoke>` are of other documents too. */
const opensMarkup =
  /^\s{0,8}(?:<[|｜]|\[(?:TOOL_CALL|FUNCTION_CALL)|<(?:tool_call|function_call|minimax:|start_function))/
const endsCall = /(?:<\/[\w:]{1,40}>|[|｜]>|[}\]])$/

/** Whether a text that holds no call is the markup of one all the same, up to its end, so that it says nothing to people. */
export const isCallMarkup = (text: string): boolean => opensMarkup.test(text) && endsCall.test(text.trimEnd())

const toText = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input ?? {}))

/** Without the marks between name and JSON: what is left is names and JSON. */
function toBare(text: string): string {
  return text
    .replaceAll(/\[CALL_ID\]\s*\w{1,64}/g, ' ')
    .replaceAll(
      /<[|｜][^<>|｜]{0,64}[|｜]>|\[\/?(?:TOOL_CALLS?|FUNCTION_CALLS?|ARGS)\]|<\|tool_call>|<tool_call\|>/g,
      ' ',
    )
    .replaceAll(
      /<\/?(?:tool_?calls?|function_?calls?|tool_use|tool_code|minimax:tool_call|start_function_call|tools?)>/g,
      ' ',
    )
    .replaceAll(/```(?:json|tool_call|tool_code|xml)?/g, ' ')
    .trim()
}

const head =
  /(?:(?:function(?![.\w])|assistant\b|commentary\b|to=|json\b|call\b:?|name:)[ \n]{0,4}){0,6}(?:functions?\.)?([\w-]{1,64})?(?::\d{1,3})?(?: {1,4}(?:json|code)\b)?[\s:(]{0,8}/y

/** Names each before its JSON, or JSON with names, and nothing else. */
function readPairs(text: string): readonly Spoken[] | undefined {
  const found: Spoken[] = []
  for (let at = 0; at < text.length;) {
    while (/\s/.test(text.charAt(at))) at += 1
    head.lastIndex = at
    const before = head.exec(text)
    const name = before?.[1]
    const read = readJsonAt(text, head.lastIndex)
    if (!read || found.length > mostCalls) return undefined
    const spoken = name === undefined ? toList(read.value).map(toSpoken) : [{ name, input: read.value }]
    for (const one of spoken) {
      if (!one) return undefined
      found.push(one)
    }
    at = read.end
    while (/[\s),;]/.test(text.charAt(at))) at += 1
  }
  return found
}

/** A call as an object, by whatever names its parts go. */
function toSpoken(value: unknown): Spoken | undefined {
  if (!isObject(value)) return undefined
  const { function: inner, tool_calls: calls } = value
  if (isList(calls) && calls.length === 1) return toSpoken(calls[0])
  if (isObject(inner)) return toSpoken(inner)
  const name = [value['name'], value['tool'], value['tool_name'], inner, value['action']].find(
    (one) => typeof one === 'string',
  )
  const parts = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input', 'kwargs']
  const key = parts.find((one) => one in value)
  // JSON that has a name only may be anything.
  if (typeof name !== 'string' || (key === undefined && Object.keys(value).length > 1)) return undefined
  const input = key === undefined ? {} : value[key]
  return isObject(input) || typeof input === 'string' || input === null ? { name, input: input ?? {} } : undefined
}

const opensTag =
  /<(?:function|invoke|｜DSML｜invoke|tool)(?:=|\s{1,4}name\s{0,2}=\s{0,2})["']?([\w.-]{1,64})["']?\s{0,4}>|<tool_call>\s{0,8}([\w.-]{1,64})\s{0,8}(?=<arg_key>|<\/tool_call>)/g
const closesTag = /<\/(?:function|invoke|｜DSML｜invoke|tool|tool_call)>/g
const opensParameter =
  /<(?:parameter|｜DSML｜parameter|param|arg)(?:=|\s{1,4}name\s{0,2}=\s{0,2})["']?([\w.-]{1,64})["']?[^<>]{0,80}>|<arg_key>([^<>]{1,64})<\/arg_key>\s{0,8}<arg_value>/g
const closesParameter = /\n?<\/(?:parameter|｜DSML｜parameter|param|arg|arg_value)>/g

/** Tags that name the tool, with its parameters in tags, or as JSON. Undefined where there are none; no calls where one is not whole. */
function readTags(text: string, tools: readonly ToolSchema[]): readonly Spoken[] | undefined {
  const found: Spoken[] = []
  for (let at = 0; ;) {
    const opened = execAt(opensTag, text, at)
    if (!opened) break
    const closed = execAt(closesTag, text, opensTag.lastIndex)
    if (!closed || found.length > mostCalls) return []
    const name = (opened[1] ?? opened[2] ?? '').replace(/^functions?\./, '')
    const input = readParameters(
      text.slice(opened.index + opened[0].length, closed.index),
      tools.find((one) => one.name === name),
    )
    if (input === undefined) return []
    found.push({ name, input })
    at = closed.index + closed[0].length
  }
  return found.length === 0 ? undefined : found
}

function readParameters(body: string, tool: ToolSchema | undefined): unknown {
  const input: Record<string, unknown> = {}
  let at = 0
  for (;;) {
    const opened = execAt(opensParameter, body, at)
    if (!opened) break
    const from = opened.index + opened[0].length
    const closed = execAt(closesParameter, body, from)
    if (!closed) return undefined
    const key = opened[1] ?? opened[2] ?? ''
    Object.defineProperty(input, key.trim(), {
      value: toValue(body.slice(from, closed.index).replace(/^\n/, ''), toType(tool, key.trim())),
      enumerable: true,
    })
    at = closed.index + closed[0].length
  }
  if (at > 0 || body.trim() === '') return input
  const read = readJsonAt(body.trim(), 0)
  return read?.end === body.trim().length && isObject(read.value) ? read.value : undefined
}

function toType(tool: ToolSchema | undefined, key: string): unknown {
  const properties = tool?.parameters['properties']
  const property = isObject(properties) ? properties[key] : undefined
  return isObject(property) ? property['type'] : undefined
}

/** Tags hold text. What is to be a number, a list or the like is read as JSON, where it can be. */
function toValue(text: string, type: unknown): unknown {
  if (type === 'string') return text
  const read = /^\s*(?:[-\d[{"]|true|false|null)/.test(text) ? readJsonAt(text.trim(), 0) : undefined
  if (read?.end === text.trim().length) return read.value
  return text
}

function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

// Reads calls of tools that a model wrote as tags: a tag names the tool, and its parameters stand in tags, in tags of their own names, or as JSON. Pure.
import type { ToolSchema } from '#shared/model/model-port.ts'
import { isObject } from '#shared/json.ts'
import type { Spoken } from './python-calls.ts'
import { readElements } from './read-elements.ts'
import { readJsonAt } from './read-json.ts'
import { isFields } from './written-number.ts'

const mostCalls = 8
/** Some write the name of their own before that of the tag, with a colon between. */
const prefix = String.raw`(?:｜DSML｜|[a-z]{1,12}:)?`
const opensTag = new RegExp(
  String.raw`<${prefix}(?:function_call|function|invoke|tool)(?:=|\s{1,4}name\s{0,2}=\s{0,2})["']?([\w.-]{1,64})["']?\s{0,4}>|<tool_call>\s{0,8}([\w.-]{1,64})\s{0,8}(?=<arg_key>|<\/tool_call>)`,
  'g',
)
const closesTag = new RegExp(String.raw`<\/${prefix}(?:function_call|function|invoke|tool|tool_call)>`, 'g')
const opensParameter = new RegExp(
  String.raw`<${prefix}(?:parameter|param|arg)(?:=|\s{1,4}name\s{0,2}=\s{0,2})["']?([\w.-]{1,64})["']?[^<>]{0,80}>|<arg_key>([^<>]{1,64})<\/arg_key>\s{0,8}<arg_value>`,
  'g',
)
const closesParameter = new RegExp(String.raw`\n?<\/${prefix}(?:parameter|param|arg|arg_value)>`, 'g')

/** The calls, and where the last one ends. Undefined where there is no such tag; no calls where one is not whole. */
export function readTags(
  text: string,
  tools: readonly ToolSchema[],
): { readonly found: readonly Spoken[]; readonly end: number } | undefined {
  const found: Spoken[] = []
  for (let at = 0; ;) {
    const opened = execAt(opensTag, text, at)
    if (!opened) return found.length === 0 ? undefined : { found, end: at }
    const closed = execAt(closesTag, text, opensTag.lastIndex)
    if (!closed || found.length > mostCalls) return { found: [], end: 0 }
    const name = (opened[1] ?? opened[2] ?? '').replace(/^functions?\./, '')
    const input = readParameters(
      text.slice(opened.index + opened[0].length, closed.index),
      tools.find((one) => one.name === name),
    )
    if (input === undefined) return { found: [], end: 0 }
    found.push({ name, input })
    at = closed.index + closed[0].length
  }
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
  if (read?.end === body.trim().length && isFields(read.value)) return read.value
  return readElements(body, (key, text) => toValue(text, toType(tool, key)))
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

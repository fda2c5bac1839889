// Reads calls of tools that a model wrote as Python: `[look(at="a"), now()]`, `look.call(at="a")`, `print(look(at="a"))`, `found = look("a")`. Pure.
import type { ToolSchema } from '#shared/model/model-port.ts'
import { isObject } from '#shared/json.ts'
import { readFields, readLoose, skipGap } from './read-loose.ts'
import { isFields } from './written-number.ts'

export type Spoken = { readonly name: string; readonly input: unknown; readonly id?: string }

const opens = /(?:[A-Za-z_]\w{0,63}\s{0,4}=\s{0,4})?((?:[A-Za-z_][\w-]{0,63}\.){0,4})([A-Za-z_][\w-]{0,63})\s{0,4}\(/y
const printed = /print\s{0,4}\(\s{0,4}/y
/** A result that is printed, which the model is told anyhow. */
const aside = /print\s{0,4}\(\s{0,4}[A-Za-z_][\w.[\]'"]{0,63}\s{0,4}\)|import [\w.]{1,64}(?=\n|$)/y
const mostCalls = 8

/** The calls that stand at `from` one after the other, alone or in a list, and where they end; undefined where none stands, or one is not whole. */
export function readPythonCalls(
  text: string,
  from: number,
  tools: readonly ToolSchema[],
): { readonly found: readonly Spoken[]; readonly end: number } | undefined {
  const isList = text.charAt(from) === '['
  const found: Spoken[] = []
  let at = skipGap(text, isList ? from + 1 : from)
  let end = at
  while (found.length <= mostCalls) {
    const passed = matchAt(aside, text, at)
    if (passed) end = at + passed[0].length
    else {
      const read = readPrinted(text, at, tools)
      if (!read) break
      found.push(read.spoken)
      end = read.end
    }
    at = skipSeparators(text, end)
  }
  if (found.length === 0) return undefined
  if (!isList) return { found, end }
  return text.charAt(at) === ']' ? { found, end: at + 1 } : undefined
}

function readPrinted(
  text: string,
  from: number,
  tools: readonly ToolSchema[],
): { spoken: Spoken; end: number } | undefined {
  const print = matchAt(printed, text, from)
  const call = readCall(text, from + (print?.[0].length ?? 0), tools)
  if (!print || !call) return call
  const closes = skipGap(text, call.end)
  return text.charAt(closes) === ')' ? { spoken: call.spoken, end: closes + 1 } : undefined
}

function readCall(
  text: string,
  from: number,
  tools: readonly ToolSchema[],
): { spoken: Spoken; end: number } | undefined {
  const opened = matchAt(opens, text, from)
  if (!opened) return undefined
  const [head, before = '', last = ''] = opened
  // Llama's own tools are called as `look.call(…)`, Gemma's as `default_api.look(…)`.
  const name = last === 'call' && before !== '' ? (before.split('.').at(-2) ?? last) : last
  const tool = tools.find((one) => one.name === name)
  const begin = from + head.length
  const named = readFields(text, begin, { closes: ')', separator: '=' })
  if (named) return { spoken: { name, input: named.value }, end: named.end }
  const placed = readPlaced(text, begin, tool)
  return placed && { spoken: { name, input: placed.input }, end: placed.end }
}

/** Values in the order of the tool's parameters, or all of them as one object. */
function readPlaced(
  text: string,
  from: number,
  tool: ToolSchema | undefined,
): { input: unknown; end: number } | undefined {
  const properties = tool?.parameters['properties']
  const names = isObject(properties) ? Object.keys(properties) : []
  const read = readLoose(text, from - 1)
  if (!read || !Array.isArray(read.value)) return undefined
  const values: readonly unknown[] = read.value
  if (values.length === 1 && isFields(values[0])) return { input: values[0], end: read.end }
  if (values.length > names.length) return undefined
  return { input: Object.fromEntries(values.map((value, i) => [names[i] ?? '', value])), end: read.end }
}

function skipSeparators(text: string, from: number): number {
  let at = skipGap(text, from)
  while (text.charAt(at) === ',' || text.charAt(at) === ';') at = skipGap(text, at + 1)
  return at
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

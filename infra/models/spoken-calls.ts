// Reads calls of tools that a model wrote as its text, as small models do, and endpoints that do not know a model's own form. Each form is read alike for all
// models: JSON with a name, a name before JSON, tags with parameters, Python, or Gemma's compact form. Calls count only where all of them are whole and name
// tools that are known. Pure.
import type { ToolCall, ToolSchema } from '#shared/model/model-port.ts'
import { toList } from '#shared/json.ts'
import { isTalkBefore, isTalkBehind, mayActAfter } from './call-words.ts'
import { isSchema, toKeyed, toSpoken } from './json-calls.ts'
import { callOpenings } from './markup.ts'
import { readPythonCalls, type Spoken } from './python-calls.ts'
import { readJsonAt } from './read-json.ts'
import { readLoose } from './read-loose.ts'
import { readTags } from './spoken-tags.ts'
import { toJson } from './written-number.ts'

const mostChars = 64_000
const mostCalls = 8

export type Held = {
  readonly calls: readonly ToolCall[]
  /** What people see of the text. */
  readonly shown: string
  /** A call broke off in its midst. */
  readonly isCut: boolean
}

/** What becomes of a text that begins with the mark of a call. `before` was said before it. */
export function judgeHeld(given: string, tools: readonly ToolSchema[], before: string): Held {
  const held = withoutMarker(given)
  const told: Held = {
    calls: [],
    // A sign of a template by itself is no word of people.
    shown: standsApart.test(before.slice(-20)) ? given.replace(/^(?:<[|｜][^<>|｜"\s]{0,64}[|｜]>)+/, '') : given,
    isCut: false,
  }
  if (held === '' || isTalkBefore(before)) return told
  const { calls, behind, isBegunAgain } = readSpoken(held, tools)
  const cut: Held = { calls: [], shown: '', isCut: true }
  if (calls.length > 0) {
    const isOther =
      /[{[(]|^[a-z_]\w{0,40}$/.test(behind) && isBegun(behind) && (opensCall.test(held) || isBroken(behind, tools, ''))
    if (isBegunAgain || isOther) return cut
    const isFollowed = behind !== '' && (!(opensCall.test(held) && isApart(before, behind)) || isTalkBehind(behind))
    return isFollowed || !mayActAfter(before) ? told : { calls, shown: '', isCut: false }
  }
  if (isBroken(held, tools, before)) return cut
  const block = opensMarkup.test(held) ? held.slice(0, findLastMark(held)) : ''
  const rest = held.slice(block.length)
  if (block === '' || !(rest.trim() === '' || isApart(before, rest))) return told
  return { calls: [], shown: opensCall.test(rest) ? '' : rest.trimStart(), isCut: holdsCall(block) }
}

/** Calls of these tools, in order; none where the text is something else. */
export function findSpokenCalls(text: string, tools: readonly ToolSchema[]): readonly ToolCall[] {
  const { calls, behind } = readSpoken(withoutMarker(text), tools)
  return behind === '' ? calls : []
}

/** With the mark of a call. */
export const opensCall =
  /^\s{0,8}(?:<[|｜]|\[(?:TOOL_CALL|FUNCTION_CALL)|<(?:[a-z]{1,12}[:_])?(?:tool_?call|function|invoke|tool_use|use_tool|tool_code)|functools\[|\[TOOL_REQUEST|```tool_c)/i
/** Tags such as `<invoke>` are of other documents too. */
const opensMarkup =
  /^\s{0,8}(?:<[|｜]|\[(?:TOOL_CALL|FUNCTION_CALL)|<(?:[a-z]{1,12}[:_])?(?:tool_?call|function_call))/i

/** At the beginning, of a line as well, or behind a sentence. */
const standsApart = /(?:^|[\n.!?…。！？:：])\s{0,8}$/

/** Whether words behind a call are apart from it: the call stands by itself, and they begin a line or a sentence. What a model says there, it says before it knows. */
const isApart = (before: string, behind: string): boolean =>
  standsApart.test(before.slice(-20)) &&
  /^\s{0,8}(?:\n|[<[`]|(?:assistant|analysis|commentary|final)\b|\p{Lu})/u.test(behind)

/** Whether marks stand around something: a call that cannot be read was lost. */
const holdsCall = (block: string): boolean => /[\p{L}\d]/u.test(block.replace(/<[^<>]{0,80}>|\[\/?[A-Z_]{1,20}\]/g, ''))

/** Behind the last bracket, tag or mark that may end a call. */
function findLastMark(text: string): number {
  const last = [...text.matchAll(/<\/[\w:]{1,40}>|[|｜]>|[}\]]|<end_function_call>/g)].at(-1)
  return last ? last.index + last[0].length : 0
}

/** MiniMax writes it before each of its tags. */
const withoutMarker = (text: string): string => text.replaceAll(']<]minimax[>[', '')

const toText = (input: unknown, tool: ToolSchema | undefined): string =>
  typeof input === 'string' ? input : toJson(input ?? {}, tool?.parameters)

type Read = { readonly found: readonly Spoken[]; readonly end: number }

type Spoke = {
  readonly calls: readonly ToolCall[]
  readonly behind: string
  /** The mark of one more call stands between. */
  readonly isBegunAgain: boolean
}

function readSpoken(text: string, tools: readonly ToolSchema[]): Spoke {
  const none = { calls: [], behind: '', isBegunAgain: false }
  if (tools.length === 0 || text.length > mostChars) return none
  const bare = text.trim()
  const { found, end } = readTags(bare, tools) ?? readItems(bare, tools)
  const isKnown = ({ name }: Spoken): boolean => tools.some((one) => one.name === name)
  // JSON alone may be an answer. Of what is marked as a call the model is told that there is no such tool.
  const isCalled = found.every(isKnown) || opensCall.test(text)
  const counts = found.length > 0 && found.length <= mostCalls && isCalled
  if (!counts || found.some(({ input }) => isSchema(input))) return none
  const calls = found.map(({ name, input, id }, i) => ({
    id: id ?? `call_${i}`,
    name,
    arguments: toText(
      input,
      tools.find((one) => one.name === name),
    ),
  }))
  const next = skip(filler, bare, end)
  const marks = bare.slice(end, next).match(/<[^<>]{1,64}>|\[[A-Z_]{1,20}\]/g) ?? []
  const isBegunAgain = marks.some(
    (mark) => /tool|function|python_/i.test(mark) && !/^<\/|end|^<tool_call\|>$/i.test(mark),
  )
  return { calls, behind: bare.slice(next), isBegunAgain }
}

/** Marks around and between calls, and what separates them. */
const filler =
  /[\s),;]|<[|｜][^<>|｜"]{0,64}[|｜]>|<\|tool_call>|<tool_call\|>|<\/?(?:[a-z]{1,12}[:_])?(?:tool_?calls?|function_?calls?|tool_use|tool_code|tools?)>|\[(?:END_)?TOOL_REQUEST\]|functools(?=\[)|\[\/?(?:TOOL_CALLS?|FUNCTION_CALLS?|ARGS)\]|\[CALL_ID\]\s{0,4}\w{1,64}|```(?:json|tool_calls?|tool_code|python|xml)?/iy
/** Words of a head, before the name of the tool and behind it. */
const beforeName =
  /(?:function(?![.\w])|assistant\b|commentary\b|analysis\b|comment\b|final\b|to=|json\b|call\b:?|name:)/y
const behindName = /(?:[\s(:]|json\b|code\b|commentary\b|analysis\b|comment\b|final\b)/y
const named = /(?:functions?\.)?([\w-]{1,64})(:\d{1,3})?/y
const ownId = /^functions\.[\w-]{1,60}:\d{1,3}$/

/** Names each before its values, JSON with names, and Python; up to what is none of them. */
function readItems(text: string, tools: readonly ToolSchema[]): Read {
  const found: Spoken[] = []
  let end = 0
  while (found.length <= mostCalls) {
    const at = skip(filler, text, end)
    const read = readItem(text, at, tools)
    if (!read) break
    found.push(...read.found)
    end = read.end
  }
  return { found, end }
}

function readItem(text: string, from: number, tools: readonly ToolSchema[]): Read | undefined {
  const { name, id, begin } = readHead(text, from)
  if (!/[{["]/.test(text.charAt(begin))) return readPythonCalls(text, from, tools)
  const read = readJsonAt(text, begin) ?? (text.charAt(begin) === '"' ? undefined : readLoose(text, begin))
  if (!read) return readPythonCalls(text, from, tools)
  if (name !== undefined) {
    const own = id === undefined ? {} : { id }
    return { found: [{ name, input: read.value, ...own }], end: read.end }
  }
  const all = toList(read.value)
  const spoken = all.flatMap((one) => toSpoken(one) ?? toKeyed(one, tools) ?? [])
  return spoken.length > 0 && spoken.length === all.length ? { found: spoken, end: read.end } : undefined
}

/** The name of a tool that stands before its values, and where those begin. */
function readHead(text: string, from: number): { name?: string; id?: string; begin: number } {
  let at = from
  for (let words = 0; words < 8; words++) at = skip(filler, text, skip(beforeName, text, at))
  named.lastIndex = at
  const [whole, name] = named.exec(text) ?? []
  if (whole === undefined || name === undefined) return { begin: at }
  let begin = at + whole.length
  for (let words = 0; words < 4; words++) begin = skip(filler, text, skip(behindName, text, begin))
  return { name, begin, ...(ownId.test(whole) ? { id: whole } : {}) }
}

/** Behind all that the pattern finds there one after the other. */
function skip(pattern: RegExp, text: string, from: number): number {
  let at = from
  pattern.lastIndex = at
  while (pattern.test(text)) {
    at = pattern.lastIndex
  }
  return at
}

const toolTag =
  /^\s{0,8}<(?:｜DSML｜|[a-z]{1,12}:)?(?:function_call|function|invoke|tool)(?:=|\s{1,4}name\s{0,2}=\s{0,2})[^<>\s]{1,80}\s{0,4}>/
const opensTag =
  /<(?:｜DSML｜|[a-z]{1,12}:)?(?:function_call|function|invoke|tool)(?:=|\s{1,4}name)|<tool_call>\s{0,8}[\w.-]{1,64}\s{0,8}</
const closesTags = /<\/(?:｜DSML｜|[a-z]{1,12}:)?(?:function_call|function|invoke|tool|tool_call)>/g
const namesTool = /^[^"]{0,40}"(?:name|tool|tool_name|function|action)"\s{0,4}:\s{0,4}"([\w.-]{1,64})("?)/
const python = /^\[?\s{0,4}(?:[A-Za-z_]\w{0,63}\s{0,2}=\s{0,2})?[A-Za-z_][\w.-]{0,120}(?:\(|$)/
const asPython = /^\[?\s{0,4}([\w-]{1,64})\(\s{0,4}(?:\w{1,64}\s{0,2}(?:=|$)|["'\d[{(-]|$)/
const leastMark = 4

/** Whether a call begins here and breaks off in its midst. Words that only speak of marks are none. */
function isBroken(held: string, tools: readonly ToolSchema[], before: string): boolean {
  const { begin } = readHead(held, 0)
  if (!opensCall.test(held)) {
    const isPart = callOpenings.some((mark) => mark.startsWith(held))
    if (held.length >= leastMark && isPart) return standsApart.test(before.slice(-20))
    const [, told = asPython.exec(held)?.[1] ?? '', end] = namesTool.exec(held) ?? []
    const isKnown = tools.some((tool) => tool.name === told || (end === '' && tool.name.startsWith(told)))
    return isKnown && isUnclosed(held)
  }
  if (!standsApart.test(before.slice(-20))) return false
  if (/^\s{0,8}<[\w:]{1,40}(?: name=?)?$/.test(held)) return true
  const body = held.slice(skip(filler, held, 0))
  const rest = held.slice(begin)
  if (/^(?:\s{0,8}|\.|<[^<>\s]{0,40})$/.test(rest)) return true
  if (body.startsWith('<') || rest.startsWith('<')) {
    const closed = [...held.matchAll(closesTags)].at(-1)
    if (closed) return opensTag.test(held.slice(closed.index))
    const [tag = ''] = toolTag.exec(body) ?? []
    return /^\s{0,8}(?:[<{]|$)/.test(body.slice(tag.length).replace(/^[\w.-]{1,64}\s{0,4}(?=<|$)/, ''))
  }
  return isBegun(rest) || isBegun(body)
}

/** Whether values or a call of Python begin here, and do not end. */
const isBegun = (text: string): boolean =>
  (/^[{[(]/.test(text) && isUnclosed(text)) || (python.test(text) && (isUnclosed(text) || !text.includes('(')))

/** Whether the first bracket, or a text in it, is open at the end. */
function isUnclosed(text: string): boolean {
  let levels = 0
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '\\') at += 1
    else if (quote !== '') quote = sign === quote ? '' : quote
    else if (levels > 0 && /["']/.test(sign) && !/[\p{L}\d]/u.test(text.charAt(at - 1))) quote = sign
    else if (/[{[(]/.test(sign)) levels += 1
    else if (/[}\])]/.test(sign) && levels > 0) {
      levels -= 1
      if (levels === 0) return false
    }
  }
  return levels > 0
}

// Under which key a call is made. What failed may have been done all the same: made again as it was, by the model or by a turn that goes on with this
// one, it has the key that it had, so that a service which honours keys does it once. Pure.
import { readArguments } from '#shared/model/call-arguments.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import { mostUnsure, type UnsureCall } from '#shared/run/approval.ts'
import { taintOf, type OpenTurn } from '#services/executor/run/open-turn.ts'
import { toCrashRule } from './tries.ts'

export type FindTool = (name: string) => Pick<Tool, 'onCrash' | 'effect'> | undefined

/** As the journal names a call. */
export const toCallKey = (turn: string, step: number, { id }: Pick<ToolCall, 'id'>): string =>
  `${turn}/tool/${step}/${id}`

/** Of a call that is made again as it was; `own` is the key that it would have by itself. */
export function findKeptKey(
  turn: OpenTurn,
  { call, own, conversation }: { readonly call: ToolCall; readonly own: string; readonly conversation: string },
  find: FindTool,
): string | undefined {
  const print = toPrint(call)
  return scan(turn, conversation, find, own).find((one) => toPrint(one) === print)?.key
}

/** Calls of which nobody knows, when the turn ends, whether they took effect: the newest, those that are not too long. */
export const findUnsure = (turn: OpenTurn, conversation: string, find: FindTool): readonly UnsureCall[] =>
  scan(turn, conversation, find)
    .filter((one) => one.arguments.length <= mostUnsure.chars)
    .slice(-mostUnsure.calls)

/** Those before the one with the key `until`; what succeeded is sure. */
function scan(turn: OpenTurn, conversation: string, find: FindTool, until?: string): readonly UnsureCall[] {
  const unsure = new Map((turn.start.unsure ?? []).map((one) => [toPrint(one), one] as const))
  for (const { call, step } of callsIn(turn)) {
    const own = `${conversation}/${toCallKey(turn.start.turn, step, call)}`
    if (own === until) break
    const tool = find(call.name)
    const done = turn.entries.find((entry) => entry.t === 'tool:fin' && entry.step === step && entry.callId === call.id)
    const print = toPrint(call)
    if (!tool || toCrashRule(tool, call) !== 'rerun-with-key') continue
    if (done?.t === 'tool:fin' && done.ok) unsure.delete(print)
    // What was refused never left.
    const mayHaveLeft = tool.effect !== 'write' || isFree(turn, { call, step })
    const isUnsure = done?.t === 'tool:fin' ? done.unsure : mayHaveLeft && isBegun(turn, own, conversation)
    if (isUnsure && !unsure.has(print))
      unsure.set(print, { name: call.name, arguments: call.arguments, key: toFirst(turn, call, own) })
  }
  return [...unsure.values()]
}

const callsIn = ({ entries }: OpenTurn): readonly { readonly call: ToolCall; readonly step: number }[] =>
  entries.flatMap((entry) => (entry.t === 'llm:fin' ? entry.toolCalls.map((call) => ({ call, step: entry.step })) : []))

const isBegun = ({ entries }: OpenTurn, own: string, conversation: string): boolean =>
  entries.some((entry) => entry.t === 'tool:req' && `${conversation}/${entry.key}` === own)

/** Whether it was made unasked, or approved: a write that comes of others' words waits for a person, and one that waits was announced and never left. */
function isFree(
  { start, entries }: OpenTurn,
  { call, step }: { readonly call: ToolCall; readonly step: number },
): boolean {
  const until = entries.filter((entry) => entry.t === 'llm:fin' && entry.step <= step)
  const isApproved = until.some((entry) => entry.t === 'llm:fin' && entry.approved && entry.toolCalls.includes(call))
  return isApproved || taintOf({ start, entries: until }).length === 0
}

/** What a person approved has the key of the turn that asked for it. */
export function toFirst({ start, entries }: OpenTurn, call: ToolCall, own: string): string {
  const first = entries.find((entry) => entry.t === 'llm:fin' && entry.approved)
  // By its place: two may be alike, and both be wanted.
  const place = first?.t === 'llm:fin' ? first.toolCalls.indexOf(call) : -1
  return start.approved?.[place]?.key ?? own
}

/** The same whatever the order of keys and the blanks between them. */
function toPrint(call: Pick<ToolCall, 'name' | 'arguments'>): string {
  const read = readArguments(call.arguments)
  return `${call.name} ${read.kind === 'read' ? JSON.stringify(sorted(read.input)) : call.arguments}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => [name, sorted(one)])
}

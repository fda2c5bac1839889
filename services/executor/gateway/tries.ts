// What is tried when a call of a tool failed, before the model is bothered (seed 004 §3.2.3): the same once more where it says that this may help, then
// with less asked for, then by the tool that does the same another way. Only what may be repeated, and each once. Pure.
import { BotError } from '#shared/errors.ts'
import { readArguments } from '#shared/model/call-arguments.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { OnCrash, Tool } from '#shared/model/tool.ts'
import type { JournalEntry, Trying } from '#shared/run/journal.ts'
import type { ToolOutcome } from './gateway.ts'

/** One way of making a call; the first has no `how`. */
export type Try = { readonly call: ToolCall; readonly how?: Trying }
/** As the journal has it. */
export type Tried = { readonly how: Trying; readonly since: string }

/** A tool that asks for more patience is not waited for. */
const mostWaitMs = 10_000
const sinceChars = 700

/** Arguments that cannot be judged are not sent again. */
export function toCrashRule({ onCrash }: Pick<Tool, 'onCrash'>, call: Pick<ToolCall, 'arguments'>): OnCrash {
  if (typeof onCrash !== 'function') return onCrash
  try {
    return onCrash(toInput(call))
  } catch {
    return 'ask'
  }
}

export type Failed = {
  readonly call: ToolCall
  readonly tools: readonly Tool[]
  readonly tried: readonly Tried[]
  readonly failure: NonNullable<ToolOutcome['failure']>
  /** A person approved exactly this call. */
  readonly isApproved: boolean
}

/** What is tried now that it failed; nothing where all that may help was. */
export function nextTry({ call, tools, tried, failure, isApproved }: Failed): Required<Try> | undefined {
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool || toCrashRule(tool, call) === 'ask') return undefined
  const { afterMs } = failure
  if (tried.length === 0 && afterMs !== undefined && afterMs <= mostWaitMs) return { how: 'same', call }
  if (isApproved) return undefined
  const had = new Set(tried.map(({ how }) => how))
  const ways = (['smaller', 'instead'] as const).slice(had.has('instead') ? 2 : had.has('smaller') ? 1 : 0)
  for (const how of ways) {
    const found = toTry(call, how, tools)
    if (found) return { ...found, how }
  }
  return undefined
}

/** The call as it is made this way; undefined where it cannot be. */
export function toTry(call: ToolCall, how: Trying, tools: readonly Tool[]): Try | undefined {
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool) return undefined
  if (how === 'same') return { how, call }
  return how === 'smaller' ? toSmaller(call, tool) : toOther(call, tool, tools)
}

/** A write may have happened: with less asked for it is made only under a key that is honoured. */
function toSmaller(call: ToolCall, tool: Tool): Try | undefined {
  if (!tool.smaller || (tool.effect === 'write' && toCrashRule(tool, call) !== 'rerun-with-key')) return undefined
  try {
    const input = tool.smaller(toInput(call))
    const less = input === undefined ? undefined : JSON.stringify(input)
    return less === undefined || less === JSON.stringify(toInput(call))
      ? undefined
      : { how: 'smaller', call: { ...call, arguments: less } }
  } catch {
    return undefined
  }
}

/** Another tool knows nothing of this one's keys, so that only reading goes that way; and what leaves the house is judged as the same argument. */
function toOther(call: ToolCall, tool: Tool, tools: readonly Tool[]): Try | undefined {
  const other = tools.find(({ name }) => name === tool.insteadOf)
  if (!other || other.name === tool.name || tool.effect !== 'read' || other.effect !== 'read') return undefined
  const isAlike = other.sends?.what === tool.sends?.what && other.sends?.argument === tool.sends?.argument
  return isAlike ? { how: 'instead', call: { ...call, name: other.name } } : undefined
}

/** How often a call was made again, and how, as far as it is journaled. */
export const triedOf = (entries: readonly JournalEntry[], key: string): readonly Tried[] =>
  entries.flatMap((entry) => (entry.t === 'tool:req' && entry.key === key && entry.again ? [entry.again] : []))

export const toSince = ({ text }: Pick<ToolOutcome, 'text'>): string => text.slice(0, sinceChars).toWellFormed()

/** What the model reads: with what was done instead, in words of ours. `made` is how it was made at last. */
export function withTried(call: ToolCall, made: Try, tried: readonly Tried[], outcome: ToolOutcome): ToolOutcome {
  if (made.how === undefined) return outcome
  if (outcome.ok) return { ...outcome, text: `[${toNote(call, made)}]\n${outcome.text}` }
  const ways = tried.map(({ how }) =>
    how === 'same' ? 'once more' : how === 'smaller' ? 'with less asked for' : 'by another tool',
  )
  return { ...outcome, text: `${outcome.text}\n[It was tried again: ${ways.join(', then ')}.]` }
}

function toNote(call: ToolCall, { how, call: made }: Try): string {
  if (how === 'same') return `"${call.name}" failed and was tried once more`
  if (how === 'smaller')
    return `"${call.name}" failed; with less asked for: ${made.arguments.slice(0, 200).toWellFormed()}`
  return `"${call.name}" failed; this is of "${made.name}", which does the same`
}

/** Throws for what cannot be read. */
function toInput(call: Pick<ToolCall, 'arguments'>): unknown {
  const read = readArguments(call.arguments)
  if (read.kind === 'unreadable') throw new BotError('internal', `The arguments ${read.why}`)
  return read.input
}

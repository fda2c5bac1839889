// Judges a call of a tool by what it does to the world, by the rights of its person and by what others wrote that the model has read. Pure: run
// it, perhaps with less than was asked, refuse it with a reason that the model can tell the person, or ask a person first.
import type { Taint } from '#shared/model/taint.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { AwaitsFirst } from '#shared/run/approval.ts'
import type { Right } from '#shared/run/tool-right.ts'
import { mostQueryChars, refuseAddress, stripQuery, type Known } from './reach.ts'

export type Verdict =
  /** `note` tells the model what was taken out of its input. */
  | { readonly do: 'run'; readonly input: unknown; readonly note?: string }
  | { readonly do: 'refuse'; readonly why: string }
  | { readonly do: 'ask'; readonly why: AwaitsFirst }

type Judged = Pick<Tool, 'effect' | 'sends' | 'destructive'>
type Circumstances = {
  readonly taint: Taint
  readonly right: Right
  /** A person has seen exactly this call, and approved it. */
  readonly isApproved: boolean
  /** It was made before as it is, and failed: under the same key it does no more than was allowed then, whatever the model has read since. */
  readonly isRepeat?: boolean
  known(): Known
}

export function judge(
  tool: Judged,
  input: unknown,
  { taint, right, isApproved, isRepeat = false, known }: Circumstances,
): Verdict {
  if (isApproved) return { do: 'run', input }
  const awaits = tool.effect === 'write' ? findReason(tool, input, { taint: isRepeat ? [] : taint, right }) : undefined
  if (awaits) return { do: 'ask', why: awaits }
  const isTainted = taint.length > 0
  const { sends } = tool
  const sent = sends && toText(input, sends.argument)
  if (!sends || sent === undefined) return { do: 'run', input }
  if (sends.what === 'query') return judgeQuery(input, sends.argument, isTainted ? stripQuery(sent, known()) : sent)
  const why = isTainted ? refuseAddress(sent, known()) : undefined
  if (why === undefined) return { do: 'run', input }
  return {
    do: 'refuse',
    why: `this turn has read what others wrote (${taint.join(', ')}), and of this address ${why}.`,
  }
}

/** Why a person must approve what changes something outside; the gravest of several. */
function findReason(
  { destructive }: Judged,
  input: unknown,
  { taint, right }: Pick<Circumstances, 'taint' | 'right'>,
): AwaitsFirst | undefined {
  if (destructive?.(input)) return 'destructive'
  if (taint.length > 0) return 'tainted'
  return right === 'ask' ? 'no-right' : undefined
}

function judgeQuery(input: unknown, argument: string, query: string): Verdict {
  // On one line, since the note is read back with the results.
  const short = query.slice(0, mostQueryChars).toWellFormed().replaceAll(/\s+/g, ' ').trim()
  if (short === '' && toText(input, argument) !== '')
    return { do: 'refuse', why: 'nothing of the query was written by the person. Use their own words.' }
  if (short === toText(input, argument)) return { do: 'run', input }
  return { do: 'run', input: { ...Object(input), [argument]: short }, note: `[asked for: ${short}]` }
}

function toText(input: unknown, argument: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const value: unknown = Object.entries(input).find(([name]) => name === argument)?.[1]
  return typeof value === 'string' ? value : undefined
}

// What is kept of a turn of a task for those who look at it later: what it was for, its calls with the first line of what each came to, how long it took and
// what it cost. It is an artifact of its own; whose words are in it goes with it.
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import type { EndedTurn } from '#shared/feature/feature.ts'
import type { CallLine } from '#shared/feature/left.ts'
import { parseJson } from '#shared/json.ts'
import type { TaskOwn } from './own.ts'
import type { TaskStep } from './work.ts'

/** As JSON, in characters. */
const mostChars = 4000
const mostCalls = 60
const mostNameChars = 80

const callLine = z.object({
  name: z.string().max(mostNameChars),
  /** `open`: it has no end yet. */
  how: z.enum(['ok', 'failed', 'refused', 'unmade', 'open']),
  head: z.string().max(200).exactOptional(),
  ms: z.number().nonnegative().exactOptional(),
})
export type LoggedCall = z.infer<typeof callLine>

const stepLog = z.object({
  v: z.literal(1),
  what: z.enum(['plan', 'step', 'result', 'undo']),
  /** Of a step its number in the plan, from 1; else 0. */
  number: z.number().int().nonnegative(),
  generation: z.number().int().nonnegative(),
  /** ms since 1970. */
  begunAt: z.number(),
  endedAt: z.number(),
  ending: z.string().max(80),
  tokens: z.number().nonnegative(),
  calls: z.array(callLine).max(mostCalls).readonly(),
  /** Calls that found no room here. */
  left: z.number().int().nonnegative(),
})
export type StepLog = z.infer<typeof stepLog>

/** What the names of logs begin with; they are in the order of their turns. */
export const logPrefix = 'log-'

export function keepLog(turn: EndedTurn<TaskOwn>, nowMs: number): TaskStep {
  const { slice, ending, begunAt, tokens } = turn
  const { phase, node, generation } = slice
  const number = phase === 'step' ? Number(node.slice(2)) || 0 : 0
  const log: StepLog = fit({
    v: 1,
    what: phase === 'none' ? 'step' : phase,
    number,
    generation,
    begunAt,
    endedAt: Math.max(begunAt, nowMs),
    ending: ending.slice(0, mostNameChars),
    tokens,
    calls: turn.callLines().map(toLogged),
    left: 0,
  })
  return { kind: 'artifact', name: `${logPrefix}${String(begunAt).padStart(15, '0')}`, text: JSON.stringify(log) }
}

export function toLogged({ name, ok, unmade, refused, head, ms }: CallLine): LoggedCall {
  const hasEnded = head !== undefined || ms !== undefined
  const how = ok ? 'ok' : refused ? 'refused' : unmade ? 'unmade' : hasEnded ? 'failed' : 'open'
  return {
    name: name.slice(0, mostNameChars).toWellFormed(),
    how,
    ...(head === undefined ? {} : { head }),
    ...(ms === undefined ? {} : { ms }),
  }
}

/** The first calls and the last ones stay. */
function fit(log: StepLog): StepLog {
  let calls = [...log.calls]
  const isTooLong = (): boolean => calls.length > mostCalls || JSON.stringify({ ...log, calls }).length > mostChars
  while (calls.length > 0 && isTooLong()) calls = calls.toSpliced(Math.floor(calls.length / 2), 1)
  return { ...log, calls, left: log.calls.length - calls.length }
}

/** Throws BotError `store-corrupt` for what cannot be read. */
export function readLog(text: string): StepLog {
  const read = stepLog.safeParse(parseJson(text))
  if (read.success) return read.data
  throw new BotError('store-corrupt', 'The log of a step has an unknown shape.', { cause: read.error })
}

// Makes one call, and where it fails tries it once more in the ways that `tries.ts` names. Each try is journaled before it is made, with the failure that
// it follows, so that a worker that goes on repeats none that had ended; the gateway judges each as any call.
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Append } from '#shared/run/step.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { findLimit } from '#shared/run/turn-limits.ts'
import type { Outcome, TurnRun } from '#services/executor/turn/turn-run.ts'
import { failed, type ToolOutcome } from './gateway.ts'
import { nextTry, toSince, toTry, triedOf, withTried, type Tried, type Try } from './tries.ts'

/** `call` is what was called in the end. */
export type Made = { readonly kind: 'made'; readonly call: ToolCall; readonly outcome: ToolOutcome }

type Climbing = {
  readonly call: ToolCall
  readonly step: number
  readonly key: string
  readonly isApproved: boolean
  /** Undefined when the turn was interrupted meanwhile. */
  attempt(call: ToolCall): Promise<ToolOutcome | undefined>
  /** Stores a step when those before it are stored. */
  save(step: Append): Promise<Outcome>
}

export async function climb(run: TurnRun, climbing: Climbing): Promise<Made | Outcome> {
  const { call, key, isApproved } = climbing
  for (;;) {
    const tried = triedOf(run.turn().entries, key)
    const now = toNow(call, tried, run)
    const outcome = await climbing.attempt(now.call)
    if (!outcome) return undefined
    // A way that is not open says nothing of why the call failed.
    const isClosed = !outcome.ok && outcome.failure === undefined
    if (outcome.ok || (isClosed && now.how === undefined)) return toMade(call, now, tried, outcome)
    const since = isClosed ? (tried.at(-1)?.since ?? '') : toSince(outcome)
    const failure = outcome.failure ?? { afterMs: undefined }
    const next = isSpent(run) ? undefined : nextTry({ call, tools: run.engine.tools(), tried, failure, isApproved })
    if (!next) return toMade(call, now, tried, isClosed ? { ...failed(since), source: 'others', failure } : outcome)
    const refusal = await announce(run, climbing, { next, tried, since })
    if (refusal) return refusal
    if (next.how === 'same' && !(await pause(run, failure.afterMs ?? 0))) return undefined
  }
}

const toMade = (call: ToolCall, now: Try, tried: readonly Tried[], outcome: ToolOutcome): Made => ({
  kind: 'made',
  call: now.call,
  outcome: withTried(call, now, tried, outcome),
})

/** The way it is made now: the last that was journaled. */
function toNow(call: ToolCall, tried: readonly Tried[], { engine }: TurnRun): Try {
  const how = tried.at(-1)?.how
  return (how && toTry(call, how, engine.tools())) ?? { call }
}

/** Tries count as calls do. */
const isSpent = ({ turn, deps, engine }: TurnRun): boolean =>
  findLimit(turn().entries, deps.now(), { ...engine.limits, maxIdenticalCalls: Infinity, maxRepairs: Infinity }) !==
  undefined

async function announce(
  run: TurnRun,
  { step, key, call: { id }, save }: Climbing,
  { next, tried, since }: { readonly next: Required<Try>; readonly tried: readonly Tried[]; readonly since: string },
): Promise<Outcome> {
  const { how, call } = next
  const entry: JournalEntry = {
    ...run.stamp(),
    t: 'tool:req',
    step,
    callId: id,
    name: call.name,
    key,
    again: { how, since },
  }
  return await save({ key: `${key}/again/${tried.length + 1}`, entries: [entry] })
}

const pause = async ({ deps, interrupted }: TurnRun, ms: number): Promise<boolean> =>
  await deps.sleep(ms, interrupted).then(
    () => true,
    () => false,
  )

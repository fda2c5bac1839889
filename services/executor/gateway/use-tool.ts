// Calls of tools within a turn: announced in the journal, made, and each result journaled together with what the tool wants done.
import { isHopeless } from '#shared/errors.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { joinCaused } from '#shared/run/step.ts'
import { findSaid } from '#services/executor/compaction/originals.ts'
import { leaveUnknown } from '#services/executor/run/leave-unknown.ts'
import { stepsDone } from '#services/executor/run/open-turn.ts'
import { report } from '#services/executor/step/report.ts'
import type { Outcome, TurnRun } from '#services/executor/turn/turn-run.ts'
import { findApproved } from './awaited.ts'
import { carryOut, toStep } from './carry-out.ts'
import { asItIsNow } from './changed-tool.ts'
import { climb } from './climb.ts'
import { toFailure, type ToolOutcome } from './gateway.ts'
import { keepWhole } from './keep-whole.ts'
import { toCallKey } from './kept-keys.ts'
import { makeCall, type Begun } from './make-call.ts'

/**
 * Announces calls of the last answer in one step, makes them at once, and journals each result as it comes: one that has ended is not made again,
 * whatever becomes of the others.
 */
export async function useTools(run: TurnRun, calls: readonly ToolCall[]): Promise<Outcome> {
  const { entries } = run.turn()
  const step = stepsDone(run.turn()) - 1
  const begun = calls.map((call): Begun => {
    const key = toCallKey(run.start.turn, step, call)
    return { call, step, key, isAgain: entries.some((entry) => entry.t === 'tool:req' && entry.key === key) }
  })
  // What this process had itself is gone, whatever others said of it a moment ago.
  const { tools, findTool } = run.deps.features
  for (const { name } of calls) if (!findTool(name) && !tools.had(name)) await leaveUnknown(run.deps, 'tool', name)
  const asked = begun.flatMap(({ call, key, isAgain }): JournalEntry[] =>
    isAgain ? [] : [{ ...run.stamp(), t: 'tool:req', step, callId: call.id, name: call.name, key }],
  )
  const refusal =
    asked.length > 0
      ? await run.save({ key: `${begun.find(({ isAgain }) => !isAgain)?.key}/req`, entries: asked })
      : undefined
  if (refusal) return refusal
  // Megabytes, perhaps: they are read once for all calls of an answer.
  let read: ReturnType<typeof findSaid> | undefined
  const said = (): ReturnType<typeof findSaid> => (read ??= findSaid(run.claim, run.start.principal))
  // One result at a time is stored: each stands on the state that the one before left.
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = async (work: () => Promise<Outcome>): Promise<Outcome> => {
    const kept = last.then(work)
    last = kept.catch(() => {})
    return await kept
  }
  const made = begun.map(async (one): Promise<Outcome> => {
    const found = await climb(run, {
      ...one,
      isApproved: findApproved(run.turn(), one.call) !== undefined,
      attempt: (call) =>
        asItIsNow(run, { call, isAgain: one.isAgain }, () => makeCall(run, { ...one, made: call }, said)),
      save: (announced) => inOrder(() => run.save(announced)),
    })
    // Where it was interrupted the next move says what becomes of the turn.
    return found?.kind === 'made'
      ? await inOrder(() => keepResult(run, { ...one, call: found.call }, found.outcome))
      : found
  })
  const ends = await Promise.allSettled(made)
  const broken = ends.find((end) => end.status === 'rejected')
  if (broken) throw broken.reason
  return ends.flatMap((end) => (end.status === 'fulfilled' ? (end.value ?? []) : []))[0]
}

/** Carries out what the tool wants done, and journals the result in the same step. */
async function keepResult(run: TurnRun, { call, step, key }: Begun, made: ToolOutcome): Promise<Outcome> {
  const { outcome, carried } = await carryOut(run, call, made)
  const { said, artifacts } = keepWhole(run, call, outcome)
  const done: JournalEntry = { ...run.stamp(), t: 'tool:fin', step, callId: call.id, ...said }
  const { state, turn: _, ...caused } = carried ?? {}
  const { claim, start } = run
  const at = { principal: start.principal, step: `${toStep(run, call)}-read` }
  const reported = report({ ...claim, state: state ?? claim.state }, outcome.cameOf ?? [], at)
  const isReported = reported.letters.length > 0
  const fin = { key: `${key}/fin`, entries: [done], progress: true }
  const all = joinCaused(caused, { letters: reported.letters, artifacts })
  return await run.save({ ...all, ...fin }, isReported ? reported.state : state).catch(async (error: unknown) => {
    // What the store does not take is a failure of the tool too.
    const feature = run.deps.features.findTool(call.name)?.feature
    if (!carried || !feature || !isHopeless(error)) throw error
    run.deps.onFeatureFailed(feature.name, error)
    const failure = keepWhole(run, call, toFailure(call.name, error))
    return await run.save({
      ...fin,
      entries: [{ ...run.stamp(), t: 'tool:fin', step, callId: call.id, ...failure.said }],
    })
  })
}

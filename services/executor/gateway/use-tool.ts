// Calls of tools within a turn: announced in the journal, made, and each result journaled together with what the tool wants done.
import type { Effect } from '#shared/feature/effect.ts'
import { meet } from '#shared/chat/people.ts'
import { keeper, type Keep } from '#shared/feature/kept.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Tool, ToolContext } from '#shared/model/tool.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { isHopeless } from '#shared/errors.ts'
import { carry, type Carried } from '#services/executor/step/carry.ts'
import { readEffects } from '#services/executor/step/read-effects.ts'
import { findApproved, findApprovals, toAwaited } from './awaited.ts'
import { climb } from './climb.ts'
import { toCallKey, findKeptKey } from './kept-keys.ts'
import { toCrashRule } from './tries.ts'
import { awaitLost, failed, malformed, runTool, toFailure, type GatewayDeps, type ToolOutcome } from './gateway.ts'
import { findKnown } from './find-known.ts'
import { findSaid } from '#services/executor/compaction/originals.ts'
import { findArtifact, keepWhole } from './keep-whole.ts'
import { readOf, toShown } from '#services/executor/context/made-up.ts'
import { nothingAsked, toOpen } from '#services/executor/state/asking.ts'
import { leaveUnknown } from '#services/executor/run/leave-unknown.ts'
import { eyesOf } from '#services/executor/context/origin.ts'
import { taskOf } from '#services/executor/context/turn-items.ts'
import { toReplyTo } from '#services/executor/context/in-group.ts'
import { callsOf, stepsDone } from '#services/executor/run/open-turn.ts'
import { refuseByDepth } from '#services/executor/context/depth.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import type { Outcome, TurnRun } from '#services/executor/turn/turn-run.ts'

/** Of a press nobody knows whether it was made in a group. */
const isDirect = (event: ChatEvent): boolean => 'group' in event && !event.group

const cutOff = malformed(
  'Not run: your answer was cut before it was whole, so that none of its calls is made. Answer in fewer words, or with fewer calls.',
)

/** What is kept here others read. */
const refuseToKeep: Keep = () => {
  throw new Error('nothing is kept while this turn works on what a person answered in private. Tell the person.')
}

/** A call of the last answer, as it is found in the journal. */
type Begun = { readonly call: ToolCall; readonly step: number; readonly key: string; readonly isAgain: boolean }

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
  for (const { name } of calls) if (!run.deps.features.findTool(name)) await leaveUnknown(run.deps, 'tool', name)
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
      attempt: (call) => make(run, { ...one, made: call }, said),
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

/** Makes the call; undefined when the turn was interrupted meanwhile. */
async function make(
  run: TurnRun,
  { call: asked, made: call, key, isAgain }: Begun & { readonly made: ToolCall },
  said: ToolContext['said'],
): Promise<ToolOutcome | undefined> {
  const { deps, claim, start, interrupted, turn } = run
  const answer = turn().entries.findLast((entry) => entry.t === 'llm:fin')
  if (answer?.broke) return cutOff
  const tool = run.engine.tools.find(({ name }) => name === call.name)
  const { conversation, state } = claim
  const feature = deps.features.findTool(call.name)?.feature
  const slice = feature && sliceOf(state, feature)
  const { principal } = start
  const findTool = (name: string): Tool | undefined => run.engine.tools.find((one) => one.name === name)
  const facts = run.facts()
  const approved = findApproved(turn(), call)
  // Only of groups people are known.
  const people = meet(state.people, facts.events)
  const own = `${conversation}/${key}`
  const isPrivate = eyesOf(start, state) !== undefined
  const { about, taint } = facts
  const keptKey = findKeptKey(turn(), { call: asked, own, conversation }, findTool)
  const context: ToolContext = {
    conversation,
    principal,
    language: facts.language,
    about,
    idempotencyKey: approved?.key ?? keptKey ?? own,
    slice,
    taint,
    keep: isPrivate ? refuseToKeep : keeper({ by: principal, taint, about }),
    isPrivate,
    said,
    task: taskOf(turn(), facts.events),
    group: Object.keys(people).length > 0,
    people,
    questions: () => toOpen(claim.state.asking ?? nothingAsked, deps.now()),
    zone: () => deps.findZone(principal),
    findArtifact: (name) => findArtifact(claim.store, principal, name),
  }
  const gate: GatewayDeps = {
    tools: tool ? [tool] : [],
    refuse: ({ effect }) => refuseByDepth(start.class, effect),
    findRight: (found) => deps.findRight(found, approved?.by ?? principal, conversation),
    isApproved: approved !== undefined,
    isRepeat: keptKey !== undefined && call.arguments === asked.arguments,
    approvals: findApprovals(run, toAwaited(call, { key: context.idempotencyKey, why: 'no-right', taint: [] })),
    known: () => findKnown(run, call),
    read: () => readOf(claim, turn()),
    announced: async () => {
      if (tool && toCrashRule(tool, call) === 'ask') await deps.settled?.()
    },
    timeoutMs: deps.toolTimeoutMs,
  }
  if (isAgain && tool && toCrashRule(tool, call) === 'ask') return await awaitLost(gate, tool, taint)
  return await runTool(gate, call, context, interrupted).catch((error: unknown) => {
    if (interrupted.aborted) return undefined
    throw error
  })
}

/** Carries out what the tool wants done, and journals the result in the same step. */
async function keepResult(run: TurnRun, { call, step, key }: Begun, made: ToolOutcome): Promise<Outcome> {
  const { outcome, carried } = await carryOut(run, call, made)
  const { said, artifacts } = keepWhole(run, call, outcome)
  const done: JournalEntry = { ...run.stamp(), t: 'tool:fin', step, callId: call.id, ...said }
  const { state, turn: _, ...caused } = carried ?? {}
  const fin = { key: `${key}/fin`, entries: [done], progress: true, artifacts }
  return await run.save({ ...caused, ...fin }, state).catch(async (error: unknown) => {
    // What the store does not take is a failure of the tool too.
    const feature = run.deps.features.findTool(call.name)?.feature
    if (!carried || !feature || !isHopeless(error)) throw error
    run.deps.onFeatureFailed(feature.name, error)
    const failure = keepWhole(run, call, toFailure(call.name, error))
    return await run.save({
      ...fin,
      artifacts: [],
      entries: [{ ...run.stamp(), t: 'tool:fin', step, callId: call.id, ...failure.said }],
    })
  })
}

/** What a tool wants that cannot be done is a failure of the tool. */
async function carryOut(
  run: TurnRun,
  call: ToolCall,
  outcome: ToolOutcome,
): Promise<{ readonly outcome: ToolOutcome; readonly carried?: Carried }> {
  const feature = run.deps.features.findTool(call.name)?.feature
  let effects: readonly Effect[]
  try {
    effects = readEffects(outcome.effects ?? [])
  } catch (error) {
    return { outcome: toFailure(call.name, error) }
  }
  // Somebody may be asked elsewhere, by a letter, or later.
  if (
    outcome.ends &&
    !outcome.awaits &&
    !effects.some(({ kind }) => kind === 'ask' || kind === 'letter' || kind === 'timer')
  )
    return { outcome: failed(`"${call.name}" failed: it waits for an answer and asks nothing.`) }
  if (effects.length === 0 || !feature) return { outcome }
  const { deps, claim, start } = run
  const { turn, events: taken, language, about, taint } = run.facts()
  const chosen = effects.flatMap((effect) => (effect.kind === 'choose' ? [effect.setting] : []))
  const isForOwners = chosen.some((id) => deps.features.findSetting(id)?.found.onlyOwners)
  const isAlone = taken.length > 0 && taken.every(isDirect) && !isForOwners
  const at = {
    feature,
    step: `${start.turn}-${stepsDone(turn)}-${callsOf(turn).findIndex(({ id }) => id === call.id)}`,
    principal: start.principal,
    language,
    about,
    answers: [],
    taint,
    ...toReplyTo(claim.state, start, taken),
    mayChoose: chosen.length > 0 && (isAlone || (await deps.isOwner(start.principal, claim.conversation))),
  }
  try {
    const shown = effects.map((effect) =>
      effect.kind === 'ask' ? { ...effect, text: toShown(claim, { turn, taint }, effect.text) } : effect,
    )
    return { outcome, carried: carry(deps, claim, shown, at) }
  } catch (error) {
    return { outcome: toFailure(call.name, error) }
  }
}

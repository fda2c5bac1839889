// One call of a tool within a turn: announced in the journal, made, and its result journaled together with what the tool wants done.
import type { Effect } from '#shared/feature/effect.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Tool, ToolContext } from '#shared/model/tool.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { isHopeless } from '#shared/errors.ts'
import { carry, type Carried } from '#services/executor/effects/carry.ts'
import { readEffects } from '#services/executor/effects/read-effects.ts'
import { failed, runTool, toFailure, type GatewayDeps, type ToolOutcome } from './gateway.ts'
import { findKnown } from './find-known.ts'
import { readOf } from '#services/executor/shown/made-up.ts'
import { leaveUnknown } from '#services/executor/leave-unknown.ts'
import { textOf } from '#services/executor/context/turn-items.ts'
import { aboutOf, callsOf, stepsDone, taintOf, toReplyTo } from '#services/executor/open-turn.ts'
import { offered } from '#services/executor/model/ask-model.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import { toLanguage } from '#services/executor/state/state.ts'
import type { Outcome, TurnRun } from '#services/executor/turn-run.ts'

/** Of a press nobody knows whether it was made in a group. */
const isDirect = (event: ChatEvent): boolean => 'group' in event && !event.group
const maxResultChars = 20_000
const crashed = failed(
  'The worker crashed during this call. Whether it took effect is unknown; it was not repeated. Tell the person.',
)

export async function useTool(run: TurnRun, call: ToolCall): Promise<Outcome> {
  const step = stepsDone(run.turn()) - 1
  const key = `${run.start.turn}/tool/${step}/${call.id}`
  const begunBefore = run.turn().entries.some((entry) => entry.t === 'tool:req' && entry.key === key)
  const tool = offered(run.engine.tools, run.start.class.depth).find(({ name }) => name === call.name)
  if (!run.deps.features.findTool(call.name)) await leaveUnknown(run.deps, 'tool', call.name)
  if (!begunBefore) {
    const asked: JournalEntry = { ...run.stamp(), t: 'tool:req', step, callId: call.id, name: call.name, key }
    const refusal = await run.save({ key: `${key}/req`, entries: [asked] })
    if (refusal) return refusal
  }
  const made = begunBefore && tool?.onCrash === 'ask' ? crashed : await make(run, { tool, call, key })
  // It was interrupted; the next move says what becomes of the turn.
  if (!made) return undefined
  const { outcome, carried } = await carryOut(run, call, made)
  const { ok, text: result, source, ends } = outcome
  const ending = ends ? ({ ends: 'suspended' } as const) : {}
  const done: JournalEntry = { ...run.stamp(), t: 'tool:fin', step, callId: call.id, ok, result, source, ...ending }
  const { state, turn: _, ...caused } = carried ?? {}
  const fin = { key: `${key}/fin`, entries: [done], progress: true }
  return await run.save({ ...caused, ...fin }, state).catch(async (error: unknown) => {
    // What the store does not take is a failure of the tool too.
    const feature = run.deps.features.findTool(call.name)?.feature
    if (!carried || !feature || !isHopeless(error)) throw error
    run.deps.onFeatureFailed(feature.name, error)
    const { text, ...how } = toFailure(call.name, error)
    return await run.save({
      ...fin,
      entries: [{ ...run.stamp(), t: 'tool:fin', step, callId: call.id, ...how, result: text }],
    })
  })
}

/** Makes the call; undefined when the turn was interrupted meanwhile. */
async function make(
  run: TurnRun,
  { tool, call, key }: { readonly tool: Tool | undefined; readonly call: ToolCall; readonly key: string },
): Promise<ToolOutcome | undefined> {
  const { deps, claim, start, interrupted, turn, events } = run
  const { conversation, state } = claim
  const feature = deps.features.findTool(call.name)?.feature
  const slice = feature && sliceOf(state, feature)
  const { principal } = start
  const taken = events()
  const context: ToolContext = {
    conversation,
    principal,
    language: toLanguage(state, textOf(turn(), taken)),
    about: aboutOf(turn(), taken),
    idempotencyKey: `${conversation}/${key}`,
    slice,
    taint: taintOf(turn()),
    zone: () => deps.findZone(principal),
  }
  const gate: GatewayDeps = {
    tools: tool ? [tool] : [],
    mayUse: (asked) => deps.mayUse(asked, principal, conversation),
    known: () => findKnown(run),
    read: () => readOf(claim, turn()),
    maxResultChars,
    timeoutMs: deps.toolTimeoutMs,
  }
  return await runTool(gate, call, context, interrupted).catch((error: unknown) => {
    if (interrupted.aborted) return undefined
    throw error
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
  if (outcome.ends && !effects.some(({ kind }) => kind === 'ask'))
    return { outcome: failed(`"${call.name}" failed: it waits for an answer and asks nothing.`) }
  if (effects.length === 0 || !feature) return { outcome }
  const { deps, claim, start } = run
  const turn = run.turn()
  const taken = run.events()
  const chooses = effects.some(({ kind }) => kind === 'choose')
  const isAlone = taken.length > 0 && taken.every(isDirect)
  const at = {
    feature,
    step: `${start.turn}-${stepsDone(turn)}-${callsOf(turn).findIndex(({ id }) => id === call.id)}`,
    principal: start.principal,
    language: toLanguage(claim.state, textOf(turn, taken)),
    about: aboutOf(turn, taken),
    answers: [],
    taint: taintOf(turn),
    ...toReplyTo(taken),
    mayChoose: chooses && (isAlone || (await deps.isOwner(start.principal, claim.conversation))),
  }
  try {
    return { outcome, carried: carry(deps, claim, effects, at) }
  } catch (error) {
    return { outcome: toFailure(call.name, error) }
  }
}

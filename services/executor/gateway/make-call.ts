// Makes one call of a tool: with what the tool is told of the turn, and what the gateway asks before it lets the call through.
import { meet } from '#shared/chat/people.ts'
import { keeper, type Keep } from '#shared/feature/kept.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Tool, ToolContext } from '#shared/model/tool.ts'
import { refuseByDepth } from '#services/executor/context/depth.ts'
import { readOf } from '#services/executor/context/made-up.ts'
import { isInGroup } from '#services/executor/context/in-group.ts'
import { eyesOf } from '#services/executor/context/origin.ts'
import { taskOf } from '#services/executor/context/turn-items.ts'
import { nothingAsked, toOpen } from '#services/executor/state/asking.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import type { TurnRun } from '#services/executor/turn/turn-run.ts'
import { findApproved, findApprovals, toAwaited } from './awaited.ts'
import { findKnown } from './find-known.ts'
import { awaitLost, malformed, runTool, type GatewayDeps, type ToolOutcome } from './gateway.ts'
import { findArtifact } from '#services/executor/run/find-artifact.ts'
import { findKeptKey } from './kept-keys.ts'
import { toCrashRule } from './tries.ts'

const cutOff = malformed(
  'Not run: your answer was cut before it was whole, so that none of its calls is made. Answer in fewer words, or with fewer calls.',
)

/** What is kept here others read. */
const refuseToKeep: Keep = () => {
  throw new Error('nothing is kept while this turn works on what a person answered in private. Tell the person.')
}

/** A call of the last answer, as it is found in the journal. */
export type Begun = { readonly call: ToolCall; readonly step: number; readonly key: string; readonly isAgain: boolean }

/**
 * Makes the call; undefined when the turn was interrupted meanwhile. One that this turn, or an earlier one that it goes on with, may have made already, and that
 * no key keeps from being done twice, waits for a person.
 */
export async function makeCall(
  run: TurnRun,
  { call: asked, made: call, key, isAgain }: Begun & { readonly made: ToolCall },
  said: ToolContext['said'],
): Promise<ToolOutcome | undefined> {
  const { deps, claim, start, interrupted, turn } = run
  const answer = turn().entries.findLast((entry) => entry.t === 'llm:fin')
  if (answer?.broke) return cutOff
  const findTool = (name: string): Tool | undefined => run.engine.tools().find((one) => one.name === name)
  const tool = findTool(call.name)
  const asksAfterCrash = tool !== undefined && toCrashRule(tool, call) === 'ask'
  const { conversation, state } = claim
  const feature = deps.features.findTool(call.name)?.feature
  const slice = feature && sliceOf(state, feature)
  const { principal } = start
  const facts = run.facts()
  const approved = findApproved(turn(), call)
  // Only of groups people are known.
  const people = meet(state.people, facts.events)
  const own = `${conversation}/${key}`
  const isPrivate = eyesOf(start, state) !== undefined
  const { taint } = facts
  const about = facts.aboutWords(call.arguments)
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
    group: isInGroup(state, facts.events, start),
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
    announced: async () => (asksAfterCrash ? await deps.settled?.() : undefined),
    timeoutMs: deps.toolTimeoutMs,
  }
  if (tool && asksAfterCrash && (isAgain || (keptKey && !approved))) return await awaitLost(gate, tool, taint)
  return await runTool(gate, call, context, interrupted).catch((error: unknown) => {
    if (interrupted.aborted) return undefined
    throw error
  })
}

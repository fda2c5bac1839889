// Calls that a person must approve: those of a turn that wait for it, and those with which a turn begins since somebody did. What is made is what was
// shown, byte by byte, under the key that it had at first.
import type { ApprovedCall, AwaitedCall } from '#shared/run/approval.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import { toTainted } from '#shared/model/taint.ts'
import { callsOf, stepsDone, taintOf, type OpenTurn } from '#services/executor/run/open-turn.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import type { GatewayDeps } from './gateway.ts'
import { toCallKey, toFirst } from './kept-keys.ts'
import type { Outcome, TurnRun } from '#services/executor/turn/turn-run.ts'

/** Of one answer of the model: they share a card. */
const mostAwaited = 4

export const toAwaited = (call: ToolCall, how: Pick<AwaitedCall, 'key' | 'why' | 'taint'>): AwaitedCall => ({
  ...call,
  ...how,
})

/** The calls of a turn's last answer that wait for approval. */
export function findAwaited(turn: OpenTurn, conversation: string): readonly AwaitedCall[] {
  const step = stepsDone(turn) - 1
  return callsOf(turn).flatMap((call) => {
    const done = turn.entries.find((entry) => entry.t === 'tool:fin' && entry.step === step && entry.callId === call.id)
    if (done?.t !== 'tool:fin' || done.awaits === undefined) return []
    const key = toFirst(turn, call, `${conversation}/${toCallKey(turn.start.turn, step, call)}`)
    return [toAwaited(call, { key, why: done.awaits, taint: taintOf(turn) })]
  })
}

/** The approval of a call, where it is one of those that the turn began with. */
export function findApproved({ start, entries }: OpenTurn, call: ToolCall): ApprovedCall | undefined {
  const approvals = start.approved ?? []
  const isFirst = entries.findLast((entry) => entry.t === 'llm:fin')?.approved === true
  if (!isFirst) return undefined
  const found = approvals[toPlace(call.id)]
  return found?.name === call.name && found.arguments === call.arguments ? found : undefined
}

/** How a person is asked to approve a call, where a feature of this fleet does that. */
export function findApprovals({ deps, claim, turn, start }: TurnRun, call: AwaitedCall): GatewayDeps['approvals'] {
  const { conversation } = claim
  const feature = deps.features.all.find(({ approvals }) => approvals !== undefined)
  if (!feature) return undefined
  return {
    isCovered: async () =>
      (await feature.approvals?.covers(sliceOf(claim.state, feature), call, conversation)) === true,
    isFull: () => findAwaited(turn(), conversation).length >= mostAwaited,
    refuse: async (why, taint) => {
      const waiting = findAwaited(turn(), conversation)
      const wish = { call: { ...call, why, taint }, waiting, conversation, principal: start.principal }
      return await feature.approvals?.refuse?.(sliceOf(claim.state, feature), wish)
    },
  }
}

/** The first step of a turn that begins with approved calls: as if the model had answered with them. */
export async function takeUpApproved(run: TurnRun): Promise<Outcome> {
  const calls = (run.start.approved ?? []).map(({ name, arguments: given }, at) => ({
    id: `${approvedId}${at}`,
    name,
    arguments: given,
  }))
  const usage = { promptTokens: 0, completionTokens: 0 }
  const entry: JournalEntry = {
    ...run.stamp(),
    t: 'llm:fin',
    step: 0,
    text: '',
    toolCalls: calls,
    approved: true,
    usage,
    model: '',
    ...toTainted(run.start.taint),
  }
  return await run.save({ key: `${run.start.turn}/fin/0`, entries: [entry], progress: true })
}
const approvedId = 'approved_'
const toPlace = (id: string): number => (id.startsWith(approvedId) ? Number(id.slice(approvedId.length)) : -1)

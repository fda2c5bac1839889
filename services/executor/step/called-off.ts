// Timers that were disarmed, or armed anew. One that had fired by then may still wait in the mailbox as an event: it is over.
import type { TimerEvent } from '#shared/chat/event.ts'
import type { Timer } from '#shared/run/step.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

/** So many are remembered, as long as an event may wait at most where somebody works. */
const mostCalledOff = 20
const rememberedMs = 86_400_000
/** From when a step is made until it is stored; and by so much clocks differ. */
const slackMs = 2000

export function callOff(
  state: ConversationState,
  { timers, disarms }: { readonly timers: readonly Timer[]; readonly disarms: readonly string[] },
  nowMs: number,
): ConversationState {
  if (timers.length + disarms.length === 0) return state
  const changed = new Map([
    ...disarms.map((name) => [name, ''] as const),
    ...timers.map((one) => [one.name, one.event.id] as const),
  ])
  const before = (state.calledOff ?? []).filter(({ timer, at }) => !changed.has(timer) && at > nowMs - rememberedMs)
  const now = [...changed].map(([timer, id]) => ({ timer, id, at: nowMs }))
  return { ...state, calledOff: [...before, ...now].slice(-mostCalledOff) }
}

/** What is armed now has another id, and fires later. */
export function isCalledOff({ calledOff = [] }: ConversationState, { timer, key, id, at }: TimerEvent): boolean {
  const name = key === undefined ? timer : `${timer}.${key}`
  return calledOff.some((one) => one.timer === name && one.id !== id && at <= one.at + slackMs)
}

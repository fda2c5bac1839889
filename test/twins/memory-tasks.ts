// Tasks of the in-memory twin: they begin with a signal, hear of their conversation by one, and go when they are dropped.
import { isTask, taskNumber, toTask } from '#shared/chat/address.ts'
import { BotError } from '#shared/errors.ts'
import type { Append, Signal } from '#shared/run/step.ts'
import { disarm } from './memory-questions.ts'
import { enqueueAt, openConversation, type MemoryConversation, type MemoryState } from './memory-state.ts'

const mostTasks = 40

export function expectRoomForTasks(home: MemoryConversation, signals: readonly Signal[]): void {
  const begun = signals.flatMap(({ to, begins }) => (begins && isTask(to) ? [taskNumber(to) ?? 0] : []))
  const added = new Set(begun.filter((number) => !home.tasks.has(number)))
  if (added.size > 0 && home.tasks.size + added.size > mostTasks)
    throw new BotError('internal', `No conversation may have more than ${mostTasks} tasks.`)
}

export function tellTasks(
  state: MemoryState,
  home: MemoryConversation,
  { signals = [], drops = [] }: Pick<Append, 'signals' | 'drops'>,
): void {
  for (const { to, event, begins, stops } of signals) {
    const number = taskNumber(to) ?? 0
    if (begins && isTask(to) && !home.tasks.has(number)) home.tasks.set(number, begins)
    const seq = enqueueAt(state, to, { ...event, at: state.nowMs() })
    if (stops !== undefined && seq > 0) openConversation(state, to).stops[stops] = seq
  }
  for (const number of drops) dropTask(state, home, number)
}

export function dropTask(state: MemoryState, home: MemoryConversation, number: number): void {
  const address = toTask(home.id, number)
  if (!home.tasks.delete(number)) return
  state.conversations.delete(address)
  state.letters = state.letters.filter(({ from }) => from !== address)
  for (const { conversation, name } of state.timers.values()) if (conversation === address) disarm(state, address, name)
  // An answered one, or one without a deadline, goes with its time; nobody has an answer to it any more.
  for (const [id, { task, question, answer }] of state.questions)
    if (task === address && question.deadlineMs !== undefined && !answer) {
      state.questions.delete(id)
      disarm(state, home.id, `q.${id}`)
    }
}

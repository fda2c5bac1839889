// Where work is done: a conversation, or a task of one. A task has a mailbox, a journal and a state of its own, under the address
// `<conversation>#<number>`; what it says is said in its conversation, its home. An address is no conversation id, and is refused as one.
import { z } from 'zod'
import { conversationPattern, type ConversationId } from './conversation.ts'

/** `telegram:-100123:7#3` is the third task of that conversation. */
export type Address = string

const mostDigits = 6
/** The highest number of a task. */
export const mostTasks = 10 ** mostDigits - 1
const taskPattern = new RegExp(`${conversationPattern.source.slice(0, -1)}#[1-9]\\d{0,${mostDigits - 1}}$`)
export const address = z
  .string()
  .refine((given) => conversationPattern.test(given) || taskPattern.test(given), 'is no conversation and no task')

export const toTask = (home: ConversationId, number: number): Address => `${home}#${number}`

/** The conversation itself, or the one that the task belongs to. */
export function homeOf(given: Address): ConversationId {
  const end = given.indexOf('#')
  return end < 0 ? given : given.slice(0, end)
}

export const isTask = (given: Address): boolean => given.includes('#')

/** Which task of its home it is; undefined for a conversation. */
export function taskNumber(given: Address): number | undefined {
  const at = given.indexOf('#')
  return at < 0 ? undefined : Number(given.slice(at + 1))
}

/** For an operator: `conversation web:main`, or `task 3 of web:main`. */
export function nameAddress(given: Address): string {
  const number = taskNumber(given)
  return number === undefined ? `conversation ${given}` : `task ${number} of ${homeOf(given)}`
}

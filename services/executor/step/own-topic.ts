// The topics of a task's questions, which are asked beside those of its conversation.
import { taskNumber, type Address } from '#shared/chat/address.ts'
import type { Effect } from '#shared/feature/effect.ts'

/** What is asked or called off on a topic, in a task: on one that is like none of its conversation's, nor of another task's. */
export function withOwnTopic(address: Address, effect: Effect): Effect {
  const number = taskNumber(address)
  if (number === undefined) return effect
  const toOwn = (topic: string): string => `#${number}.${topic}`
  if (effect.kind === 'ask' && effect.topic !== undefined) return { ...effect, topic: toOwn(effect.topic) }
  if (effect.kind === 'cancel' && 'topic' in effect.which)
    return { ...effect, which: { topic: toOwn(effect.which.topic) } }
  return effect
}

// Whether a row can go where it should: what a refusal tells of the place is written down, so that the next row costs no request, until
// somebody is heard there. A place is a conversation: a locked thread says nothing of its channel. A book that cannot be read keeps
// nothing from being sent.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { Outcome } from '#queues/kernel/kernel.ts'
import { deliver, type Delivery } from './deliver.ts'
import type { Limit, RestApi } from './rest-api.ts'
import { isOfPlace } from './trouble.ts'

export type ReachDeps = {
  readonly api: RestApi
  readonly chats: ChatBook
  /** Tells the operator which place refuses the bot, and why. */
  readonly say: (text: string) => void
}

/** Never throws. */
export async function reach({ api, chats, say }: ReachDeps, delivery: Delivery, limit: Limit): Promise<Outcome> {
  const { conversation } = delivery
  const closed = await whyClosed(chats, conversation)
  if (closed !== undefined) return { kind: 'failed', reason: closed }
  const outcome = await deliver(api, delivery, limit)
  if (outcome.kind !== 'failed') return outcome
  say(`A message to ${conversation} was not taken: ${outcome.reason}`)
  if (isOfPlace(outcome.reason)) await chats.close(conversation, outcome.reason).catch(() => {})
  return outcome
}

/** Why nothing can be sent there; undefined when it can be tried. */
export async function whyClosed(chats: ChatBook, conversation: ConversationId): Promise<string | undefined> {
  return await chats.find(conversation).then(
    ({ closed }) => closed,
    () => undefined,
  )
}

/** Where somebody speaks, or the bot was just let in, it can be tried again. */
export async function noteAlive(chats: ChatBook, { kind, conversation }: ChatEvent): Promise<void> {
  if (kind !== 'message' && kind !== 'join') return
  const { closed } = await chats.find(conversation)
  if (closed !== undefined) await chats.open(conversation)
}

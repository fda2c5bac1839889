// A press on any channel, as it goes to Redis: who pressed what, where, as the answer event that enters the mailbox if it wins.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { AnswerEvent } from '#shared/chat/event.ts'
import type { Ingest } from '#queues/workers/ingest.ts'

export type Pressed = Pick<AnswerEvent, 'server' | 'name' | 'messageId' | 'senderIsAdmin'> & {
  /** Names the press: one that comes again under it is told the same. */
  readonly id: string
  /** Where the card lies. */
  readonly conversation: ConversationId
  readonly principal: PrincipalId
  /** ms since 1970. */
  readonly at: number
  /** What the button carries, `<question>.<choice>`. */
  readonly data: string
}

export function toPress({ data, ...pressed }: Pressed): Parameters<Ingest['press']>[0] {
  const [question = '', choice = ''] = data.split('.', 2)
  const { principal: actor, conversation: chat } = pressed
  return { question, actor, chat, choice, event: { v: 1, kind: 'answer', ...pressed, question, choice } }
}

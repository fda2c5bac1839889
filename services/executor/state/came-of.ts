// Messages that something was made of, wherever they were said, and what they are called here.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import { toForeign } from './told.ts'

/** Of one thing so many messages count. */
const mostAbout = 100

/** Of all messages the newest, so that a step writes a letter to so many conversations at most. */
export const newest = (came: readonly CameOf[]): readonly CameOf[] =>
  came
    .flatMap(({ conversation, messages }) => messages.slice(-mostAbout).map((id) => ({ conversation, messages: [id] })))
    .slice(-mostAbout)

/** Messages as they are called here. */
export const toNames = (here: ConversationId, came: readonly CameOf[]): readonly string[] =>
  came.flatMap(({ conversation, messages }) =>
    conversation === here ? messages : messages.map((id) => toForeign(conversation, id)),
  )

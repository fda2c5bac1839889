// Which other conversations have words of which messages, since letters brought them there: what is forgotten here is forgotten there too. Pure.
import { hash } from 'node:crypto'
import { z } from 'zod'
import { conversationId, type ConversationId } from '#shared/chat/conversation.ts'

/** The conversation that was written to last stands last. `about`: ids of messages as they are called here. */
export const told = z.object({ to: conversationId, about: z.array(z.string()) }).array()
export type Told = readonly { readonly to: ConversationId; readonly about: readonly string[] }[]

/** Of one conversation as many as two turns take in: a long turn leaves half of them to those before it. */
const mostAbout = 400
const mostOfOne = 200
const mostChars = 16_000
const mark = '~'
export const isForeign = (messageId: string): boolean => messageId.startsWith(mark)

/**
 * What a message is called in all conversations but its own. Chats count their own messages, so that an id names another message elsewhere; and
 * no chat learns the ids of another. What came from elsewhere has such a name already and keeps it.
 */
export const toForeign = (conversation: ConversationId, messageId: string): string =>
  isForeign(messageId)
    ? messageId
    : `${mark}${hash('sha256', `${conversation} ${messageId}`, 'base64url').slice(0, 22)}`

/** With what a letter about these messages tells a conversation. What was told longest ago is known no more where that would be too much. */
export function tell(before: Told = [], to: ConversationId, about: readonly string[]): Told {
  if (about.length === 0) return before
  const known = before.find((one) => one.to === to)?.about ?? []
  const all = [...new Set([...known.filter((id) => !about.includes(id)), ...about.slice(-mostOfOne)])].slice(-mostAbout)
  let left: Told = [...before.filter((one) => one.to !== to), { to, about: all }]
  while (left.length > 1 && JSON.stringify(left).length > mostChars) left = left.slice(1)
  return left
}

/** Who was told of a message. */
export const findTold = (all: Told = [], messageId: string): readonly ConversationId[] =>
  all.flatMap(({ to, about }) => (about.includes(messageId) ? [to] : []))

/** Once a message is forgotten nobody has words of it any more. */
export const withoutTold = (all: Told, messageId: string): Told =>
  all.flatMap((one) => {
    if (!one.about.includes(messageId)) return [one]
    const about = one.about.filter((id) => id !== messageId)
    return about.length === 0 ? [] : [{ ...one, about }]
  })

// Finds in a short message that is nothing but this: what is known of its sender, that something is to be forgotten or not to be told in groups, that an
// answer was wrong, or that nothing more is to be noticed. It leaves to others whatever says more, and asks nothing of a longer talk.
import type { SlashCommand } from '#shared/chat/event.ts'
import { findChinese } from './plain-chinese.ts'
import { findEnglish } from './plain-english.ts'

/** Characters; a longer message is left to others. */
const mostChars = 80

/** `replies`: to a message of the bot's, or of their own (`toOwn`). */
export type Said = { readonly group: boolean; readonly replies: boolean; readonly toOwn?: boolean }

/** Undefined where the message says anything else, or more. Linear in the text. */
export function findPlain(text: string, { group, replies, toOwn = false }: Said): SlashCommand | undefined {
  // In a group it may be said to anybody, and what is one's own is read elsewhere.
  if (group || text.length > mostChars || /[\n`"“”「『>]/u.test(text)) return undefined
  const said = text.trim().replaceAll(/\s{1,20}/gu, ' ')
  const found = /\p{Script=Han}/u.test(said) ? findChinese(said, replies) : findEnglish(said, replies)
  // Of their own message it can be said alone that it is to be forgotten.
  return toOwn && found?.name !== 'forget' ? undefined : found
}

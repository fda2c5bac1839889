// What somebody had said that the bot had not read when a press was refused for it: by now in the history as a rule, else still in the mailbox.
import type { UnreadWords } from '#shared/chat/of-question.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { ownOf } from '#shared/chat/spoken.ts'
import type { Unread } from '#shared/feature/feature.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { texts } from '#services/executor/run/texts.ts'

const mostChars = 300

/** Nothing where it is forgotten, and where only a command said it: of these no words are kept. */
export function findUnread(
  { mailbox, state }: Pick<Claim, 'mailbox' | 'state'>,
  { event: id, by, kind, message }: UnreadWords,
): Unread | undefined {
  if (message !== undefined && state.forgotten?.includes(message)) return undefined
  const waiting = mailbox.waiting().map(({ event }) => event)
  const isChange = (event: ChatEvent): boolean =>
    message !== undefined && (event.kind === 'edit' || event.kind === 'delete') && event.messageId === message
  const last = waiting.findLast((event) => event.id === id || isChange(event))
  if (last) return toUnread(toSaid(last), by)
  // What was answered before it was edited stands there as it was.
  if (message === undefined || kind !== 'message') return undefined
  const kept = state.history.find((item) => item.role === 'user' && item.messageId === message)
  const joined = [texts.joined.zh, texts.joined.en].find((mark) => kept?.text.startsWith(mark)) ?? ''
  return toUnread(ownOf(kept?.text.slice(joined.length) ?? ''), by)
}

function toSaid(event: ChatEvent): string {
  if (event.kind === 'answer') return event.words ?? ''
  return event.kind === 'message' || event.kind === 'edit' ? event.text : ''
}

function toUnread(said: string, by: string): Unread | undefined {
  const text = said.trim()
  if (text === '' || text === '[deleted]') return undefined
  return { text: text.length > mostChars ? `${text.slice(0, mostChars - 1).toWellFormed()}…` : text, by }
}

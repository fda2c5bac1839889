// What comes into a conversation's mailbox. Adapters turn platform payloads into these; nothing else reaches the kernel.
import { z } from 'zod'
import { taint } from '#shared/model/taint.ts'
import { questionKind } from '#shared/run/question.ts'
import { conversationId, principalId } from './conversation.ts'
import { ofQuestion, unreadWords } from './of-question.ts'
import { media, quotation } from './quotation.ts'

const base = {
  v: z.literal(1),
  /** Names the event everywhere: replies list the ids they answer. Unique per platform update. */
  id: z.string().min(1).max(120),
  conversation: conversationId,
  principal: principalId,
  /** The platform's group of chats that this one is part of (a Discord server), `channel:server`: admitted as one. */
  server: principalId.optional(),
  /** Display name, for people only; never used to decide rights. */
  name: z.string().max(64).optional(),
  /** When the platform says it happened, ms since 1970. */
  at: z.number().int().nonnegative(),
  /** The operator replayed it: the place from which it was set aside, so that it is other work than it was then. */
  replayed: z.number().int().optional(),
}

/** A slash command, already normalised by the adapter: `/stop@bot now` is name `stop`, args `now`. */
export const slashCommand = z.object({ name: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/), args: z.string() })
export type SlashCommand = z.infer<typeof slashCommand>

const messageEvent = z.object({
  ...base,
  kind: z.literal('message'),
  text: z.string(),
  /** The platform's id of this very message, to reply to and to match edits and deletions with. */
  messageId: z.string().max(64).optional(),
  /** True in direct chats, and in groups when the bot is mentioned or replied to. */
  addressed: z.boolean(),
  group: z.boolean(),
  /** What its members call the group, where that is known: their words. */
  title: z.string().max(200).exactOptional(),
  command: slashCommand.optional(),
  /** The message of this chat that this one replies to, quoted; its text comes from others and is never an order. */
  replyTo: z
    .object({
      messageId: z.string().max(64),
      text: z.string().optional(),
      principal: principalId.optional(),
      fromBot: z.boolean(),
      author: z.string().max(64).optional(),
      media: z.array(media).optional(),
    })
    .optional(),
  /** Whether and what it replies to is not told: in a topic Feishu names its first message for each. */
  hidesReply: z.literal(true).exactOptional(),
  /** What is forwarded, and what is replied to in another chat. Then `text` holds the sender's own words only: none in a forward. */
  quoted: z.array(quotation).max(10).optional(),
  /** The same for all messages that the platform shows as one album. */
  album: z.string().max(64).optional(),
  media: z.array(media).optional(),
  /** What it speaks of may come right after it: Telegram sends the comment on a forward before the forward. */
  unfinished: z.literal(true).optional(),
  /** True when the text was cut at ingest because it was too long. */
  truncated: z.boolean().optional(),
  /** Of the sender's program: what it speaks, and the time zone that it goes by, as its machine calls it. */
  language: z.enum(['zh', 'en']).optional(),
  zone: z.string().max(64).optional(),
  /** The platform called the sender an administrator of this chat when the event came in: they may stop everyone's turn and change the chat's settings. */
  senderIsAdmin: z.boolean().optional(),
})
const editEvent = z.object({
  ...base,
  kind: z.literal('edit'),
  messageId: z.string().max(64),
  text: z.string(),
  group: z.boolean(),
})
const deleteEvent = z.object({ ...base, kind: z.literal('delete'), messageId: z.string().max(64) })
/** A press, or words, that won its question: it is resolved already, the executor applies the answer. */
const answerEvent = z.object({
  ...base,
  kind: z.literal('answer'),
  question: z.string(),
  /** Empty where only words answer. */ choice: z.string(),
  /** It was said, not pressed. */
  said: z.literal(true).optional(),
  /** What was said, where the question takes words or asks for a number, a date, or yes or no. */
  words: z.string().optional(),
  /** It takes no other words than such. */
  loose: z.literal(true).optional(),
  /** what the question kept for its answer */ payload: z.string(),
  /** Of the question, like the payload. */ about: questionKind,
  ...ofQuestion,
  senderIsAdmin: z.boolean().optional(),
})
const joinEvent = z.object({ ...base, kind: z.literal('join'), title: z.string().max(200).optional() })
const leaveEvent = z.object({ ...base, kind: z.literal('leave') })

/** A person's reaction to a message as it is now; none when it was taken back. */
const reactionEvent = z.object({
  ...base,
  kind: z.literal('reaction'),
  messageId: z.string().max(64),
  emoji: z.array(z.string().max(64)).max(20),
})

/** From inside: a question with a deadline ended without an answer. `principal` is for whom it was asked. */
const expiredEvent = z.object({
  ...base,
  /** 2 where a press was stale. */
  v: z.union([z.literal(1), z.literal(2)]),
  kind: z.literal('expired'),
  question: z.string(),
  /**
   * Its deadline passed, its card was not sent, a newer one took its place, it was called off, what it was about is to be forgotten, or it guards
   * something and was pressed before the bot had read what was said since.
   */
  why: z.enum(['deadline', 'unsent', 'replaced', 'cancelled', 'forgotten', 'stale']),
  /** Of what is stale the newest of these words, where they are known. */
  unread: unreadWords.exactOptional(),
  payload: z.string(),
  /** As in an answer. */
  about: questionKind,
  ...ofQuestion,
})

/** `<feature>.<timer>`. */
const ownKind = z.string().regex(/^[a-z][a-z0-9-]{0,29}\.[a-z][a-z0-9-]{0,39}$/)
/** From inside: a timer fired. `principal` is for whom it was armed. */
const timerEvent = z.object({
  ...base,
  kind: z.literal('timer'),
  timer: ownKind,
  key: z.string().optional(),
  /** Platform ids of the messages that it was armed by. */
  messages: z.array(z.string()).optional(),
  /** Of the turn that armed it. */
  taint: taint.optional(),
  payload: z.string(),
})
/** From inside: another conversation wrote it. `principal` is for whom it was written. */
const letterEvent = z.object({
  ...base,
  /** Names its writer, so that it is like no other's. */
  id: z.string().min(1).max(320),
  kind: z.literal('letter'),
  from: conversationId,
  /** `<feature>.<letter>`: whose letter it is. */
  letter: ownKind,
  /** What is spoken where it was written, unless the executor itself wrote it. */
  language: z.enum(['zh', 'en']).optional(),
  /** The messages that it is about where it was written, by names that they have in all other conversations (`services/executor/state/told`). */
  regarding: z.array(z.string()).optional(),
  /** Of the turn that wrote it. */
  taint: taint.optional(),
  /** Nobody asked for it: a timer or a deadline wrote it. */
  byItself: z.literal(true).optional(),
  /** Where it was written nobody knows that it is here: once it has come, that conversation is told so. */
  reports: z.literal(true).optional(),
  payload: z.string(),
})
/** From inside: so much time has passed since a turn that the session may be over. */
const sessionEndEvent = z.object({ ...base, kind: z.literal('session_end') })

export const chatEvent = z.discriminatedUnion('kind', [
  messageEvent,
  editEvent,
  deleteEvent,
  answerEvent,
  joinEvent,
  leaveEvent,
  reactionEvent,
  expiredEvent,
  timerEvent,
  letterEvent,
  sessionEndEvent,
])
export type ChatEvent = z.infer<typeof chatEvent>
/** Whether nobody said or did it: it comes from inside. */
export const isInner = ({ kind }: ChatEvent): boolean =>
  kind === 'expired' || kind === 'timer' || kind === 'letter' || kind === 'session_end'
export type MessageEvent = z.infer<typeof messageEvent>
export type EditEvent = z.infer<typeof editEvent>
export type DeleteEvent = z.infer<typeof deleteEvent>
export type ReactionEvent = z.infer<typeof reactionEvent>
export type AnswerEvent = z.infer<typeof answerEvent>
/** A press before it has won its question, which says the rest. */
export type Press = Omit<AnswerEvent, 'about' | 'payload'>
export type ExpiredEvent = z.infer<typeof expiredEvent>
export type TimerEvent = z.infer<typeof timerEvent>
export type LetterEvent = z.infer<typeof letterEvent>
export type SessionEndEvent = z.infer<typeof sessionEndEvent>

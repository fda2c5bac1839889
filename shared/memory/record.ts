// What is remembered for long: one record says one thing, with who said it, when, in which messages, and how sure that is.
import { z } from 'zod'
import {
  conversationId,
  principalId,
  toChat,
  type ConversationId,
  type PrincipalId,
} from '#shared/chat/conversation.ts'
import { taint } from '#shared/model/taint.ts'
import { anchor } from './anchor.ts'
import { askKinds, asks } from './asks.ts'
import { skill } from './skill.ts'

export const memoryKinds = [
  'fact',
  'preference',
  'todo',
  'decision',
  'constraint',
  'note',
  'pattern',
  'metric',
  'skill',
] as const
export type MemoryKind = (typeof memoryKinds)[number]

/**
 * For whom it is kept: `user:<principal>`, `chat:<channel:chat>` or `global`; `ask:<principal>` has what that person is to be asked. Every read names its
 * scopes, so that nothing is read for somebody whom it does not concern.
 */
const scopePattern =
  /^(?:user:|chat:|ask:)(?:telegram|discord|feishu|web|console):[\w@.-]{1,64}$|^(?:(?:user|ask):linked|chat:project):[a-z0-9]{1,40}$|^global$/
export const memoryScope = z.string().regex(scopePattern)
export type MemoryScope = string

export const ofPerson = (principal: PrincipalId): MemoryScope => `user:${principal}`
export const ofChat = (conversation: ConversationId): MemoryScope => `chat:${toChat(conversation)}`
export const ofAll: MemoryScope = 'global'
/** What the linked accounts of a person share: whoever asks names their own scope, and is led there. */
export const ofLinked = (id: string): MemoryScope => `user:linked:${id}`
/** What the chats that are bound to a project share, in the same way. */
export const ofProject = (id: string): MemoryScope => `chat:project:${id}`
/** All who say something there are one person. */
export const isShared = (scope: MemoryScope): boolean => scope.startsWith('user:linked:')
export const ofAsked = (principal: PrincipalId): MemoryScope => `ask:${principal}`

/** The longest text of a record, in characters. */
export const mostRecordChars = 1000
const mostNoteChars = 2000

/** So many records become one at a time. */
export const mostMerged = 4

/** So many accounts of a person may be linked. */
export const mostAccounts = 8

/** What a choice may show the taste of: how long, in which tone or form, and how it looks; `fit`: whether something suits. */
export const tastes = ['length', 'tone', 'form', 'look', 'fit'] as const
export type Taste = (typeof tastes)[number]

const answers = z.object({
  /** Of the question. */
  kind: z.enum(askKinds),
  /** What was asked; in the text ` — ` and the answer stand behind it. */
  question: z.string().max(mostRecordChars),
  /** When its card came, ms since 1970; `saidAt` is when it was answered. */
  askedAt: z.number().int(),
  /** Where it was answered. */
  in: conversationId,
  /** What the answer is a sign of, for those who learn how this person likes things. It is weaker than what they say of themselves. */
  taste: z.enum(tastes).exactOptional(),
})

/** A collection is there once something is written into it. */
export const collectionName = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/)
const recordId = z.string().regex(/^[\w.:@-]{1,120}$/)

export const memoryRecord = z.object({
  v: z.literal(1),
  scope: memoryScope,
  /** Counted in its scope from 1; never used again. */
  number: z.number().int().positive(),
  /** Names the event that it came of: what is written again by a repeated event has the same id. 1–120 characters of `a-z A-Z 0-9 . : @ _ -`. */
  id: recordId,
  kind: z.enum(memoryKinds),
  /** Who said it. */
  speaker: principalId,
  /** Their linked accounts by which they said it, too. */
  alsoBy: z.array(principalId).max(mostAccounts).exactOptional(),
  /** Their shown name, where it is known. */
  name: z.string().max(100).exactOptional(),
  text: z.string().min(1).max(mostNoteChars),
  /** When it was said, ms since 1970. */
  saidAt: z.number().int(),
  /** The first day on which it holds, `YYYY-MM-DD`. */
  validFrom: z.string().exactOptional(),
  /** Until when it held, ms since 1970: something newer took its place. */
  validTo: z.number().int().exactOptional(),
  /** The number of that newer record. */
  supersededBy: z.number().int().exactOptional(),
  /** `unconfirmed`: inferred, and no person has confirmed it. */
  status: z.enum(['unconfirmed', 'confirmed']),
  confirmedBy: principalId.exactOptional(),
  origin: z.enum(['said', 'inferred', 'tool']),
  /** What others wrote that it was made of. */
  taint: taint.exactOptional(),
  /** Messages that it came of: it goes with each of them. The newest twenty. */
  from: z.array(z.object({ conversation: conversationId, messages: z.array(z.string()) })),
  pinned: z.boolean().exactOptional(),
  /** Its person allows that it is told where others read, in answers to them. */
  groups: z.literal(true).exactOptional(),
  /** The number of the record whose words it was written in the place of. */
  rewrites: z.number().int().positive().exactOptional(),
  /** Ids of records that its person made one of: it has their place while it is there, and they hold again where it goes alone. */
  merged: z.array(recordId).max(mostMerged).exactOptional(),
  /** The text is a question and what its person answered on a card: none of its messages says it alone. */
  answers: answers.exactOptional(),
  /** The text is a question to the person of its scope. */
  asks: asks.exactOptional(),
  /** Of a `skill`; the text is its name and what it is for. */
  skill: skill.exactOptional(),
  /** It was settled on purpose. */
  anchor: anchor.exactOptional(),
  /** The collection that it stands in; `default` where there is none. */
  collection: collectionName.exactOptional(),
  /** How often somebody said that it did not fit what they had asked. */
  unfit: z.number().int().positive().exactOptional(),
  /** How often it was given to a turn, and when last, ms since 1970. */
  uses: z.number().int(),
  lastUsedAt: z.number().int().exactOptional(),
})
export type MemoryRecord = z.infer<typeof memoryRecord>

/** A record before it has its place. */
export type NewRecord = Omit<
  MemoryRecord,
  'v' | 'scope' | 'number' | 'uses' | 'lastUsedAt' | 'validTo' | 'supersededBy'
>

// What the card of /memory knows of itself: its question's payload. It names records as they were seen, so that nobody changes what they have not read.
import { z } from 'zod'
import { languages } from '#shared/chat/message.ts'
import { collectionName, memoryRecord, ofAll, type MemoryRecord } from '#shared/memory/record.ts'

/** Records of a page: as many buttons fit on a card of each platform. */
export const onPage = 6
export const mostFindChars = 300
export const cardLivesMs = 86_400_000

const lookKinds = ['all', 'recent', 'todos', 'waiting', 'find', 'in', 'anchors'] as const

/** What is looked for; `words` where it is by words, and `collection` where it is in one alone. */
const look = z.object({
  kind: z.enum(lookKinds),
  words: z.string().max(mostFindChars).exactOptional(),
  collection: collectionName.exactOptional(),
})
export type Look = z.infer<typeof look>

const seen = memoryRecord.pick({ scope: true, number: true, id: true })
export type SeenRecord = z.infer<typeof seen>

export const onCard = z.object({
  v: z.literal(1),
  language: z.enum(languages),
  group: z.boolean(),
  /** Who asked may change all that the chat keeps, as far as was known then. */
  mayAll: z.boolean(),
  look,
  page: z.number().int().positive(),
  /** Of the page, each behind a button. */
  items: z.array(seen).max(onPage),
  /** The record that is open. */
  open: seen.exactOptional(),
  /** Of that one the new words are waited for, or the yes that it is to go. */
  asks: z.enum(['words', 'forget']).exactOptional(),
  /** Messages that the card came of, and so no words for a record. */
  about: z.array(z.string()),
})
export type OnCard = z.infer<typeof onCard>

export const toSeen = ({ scope, number, id }: MemoryRecord): SeenRecord => ({ scope, number, id })

type Who = { readonly principal: string; readonly owner: boolean }

/** Its speaker, whoever may change what holds there, and of what is for everybody the owners. */
export const mayTouch = ({ scope, speaker }: MemoryRecord, { mayAll }: OnCard, { principal, owner }: Who): boolean =>
  scope === ofAll ? owner : mayAll || speaker === principal

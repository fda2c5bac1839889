// What was found of people and things in what people said: facts of an entity, and relations between two. Nobody said it to be kept, so it is a guess of
// a model until somebody confirms it, and ends by itself.
import { z } from 'zod'
import { conversationId, principalId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import type { MemoryScope } from './record.ts'

export const entityTypes = ['person', 'technology', 'project', 'concept'] as const

export const mostNameChars = 80
export const mostKeyChars = 60
export const mostValueChars = 200

const entity = z.object({
  name: z.string().min(1).max(mostNameChars),
  type: z.enum(entityTypes),
  /** It is the person of this id, who spoke of themselves; the name is only how they are called. */
  principal: principalId.exactOptional(),
})
export type GraphEntity = z.infer<typeof entity>

const key = z.string().min(1).max(mostKeyChars)
const common = {
  v: z.literal(1),
  /** `<batch>/<n>`, unique in its scope. */
  id: z.string(),
  entity,
  /** 0–1, as the model had it. */
  confidence: z.number().min(0).max(1),
  status: z.enum(['unconfirmed', 'confirmed']),
  confirmedBy: principalId.exactOptional(),
  /** Whose words it came of, and their shown name where it is known. */
  speaker: principalId,
  name: z.string().max(100).exactOptional(),
  /** When it was said, ms since 1970: it holds from then on. */
  saidAt: z.number().int(),
  /** Messages that it came of: it goes with each of them. */
  from: z.array(z.object({ conversation: conversationId, messages: z.array(z.string()) })),
}
export const graphItem = z.discriminatedUnion('kind', [
  /** Such as `lives in`: `Lyon`. */
  z.object({ ...common, kind: z.literal('fact'), key, value: z.string().min(1).max(mostValueChars) }),
  /** Such as `works with`, from `entity` to `to`. */
  z.object({ ...common, kind: z.literal('relation'), key, to: entity }),
])
export type GraphItem = z.infer<typeof graphItem>

type WithoutPlace<T> = T extends unknown ? Omit<T, 'v' | 'id' | 'status' | 'confirmedBy' | 'from'> : never
/** An item before it has its place in a batch. */
export type NewGraphItem = WithoutPlace<GraphItem>

/** What was found in some messages together. `id` names the work that found it: what finds it again writes over it. At most 64 items. */
export type GraphBatch = {
  /** 1–110 characters of `a-z A-Z 0-9 . : @ _ -`, and of no record of memory. */
  readonly id: string
  readonly from: readonly CameOf[]
  readonly items: readonly NewGraphItem[]
}

/** How an entity is named in a walk: `toEntityKey` of its name, or of its person. */
export type EntityKey = string

export type GraphWritten =
  /** `count`: those that there was room for and that had not ended. */
  | { readonly kind: 'written'; readonly count: number }
  /** One of its messages is forgotten. */
  | { readonly kind: 'gone' }

/** `hop`: how far from where the walk began, from 0. */
export type WalkedItem = { readonly item: GraphItem; readonly hop: number }

/** What became of what a model found, and of questions to it. */
export const graphCounts = [
  'asked',
  'written',
  'pending',
  'unsure',
  'invented',
  'refused',
  'misshaped',
  'late',
  'full',
  'failed',
] as const
export type GraphCount = (typeof graphCounts)[number]

/**
 * The graph of each scope: at most 4,000 items of 2 MB together and 1,000 entities; of an entity 50 facts and 200 relations. What ends first makes room.
 * What nobody confirmed ends 30 days after it was said. A message that is forgotten takes along what came of it, as it does records. All is safe to
 * repeat, and throws BotError `store-unavailable` where the store is away.
 */
export type MemoryGraph = {
  write(scope: MemoryScope, batch: GraphBatch): Promise<GraphWritten>
  /**
   * From these entities, at most 2,500, over two relations in both directions: at most 25 entities a hop, and 300 items. The nearest come first, of an
   * entity those that are surest and newest.
   */
  walk(scope: MemoryScope, from: readonly EntityKey[]): Promise<readonly WalkedItem[]>
  /** All that stands there, in no order. */
  readAll(scope: MemoryScope): Promise<readonly GraphItem[]>
  /** How many of these there were: they go. */
  take(scope: MemoryScope, ids: readonly string[]): Promise<number>
  /** It stays from now on. False where it is not there any more. */
  confirm(scope: MemoryScope, id: string, by: PrincipalId): Promise<boolean>
  /** Takes away what has ended, in all scopes. How many items went. */
  sweep(signal: AbortSignal): Promise<number>
  /**
   * Somebody said something that is worth a look, in a record's line of this name. True where it is the third that waits: it is time to look at once. The
   * same line may come again.
   */
  note(who: GraphSpeaker, line: string): Promise<boolean>
  /** Whether to look now: `later` where they went on speaking, so that a later line's turn is to come; `late` where so many followed that it is too old. */
  claim(who: GraphSpeaker, line: string): Promise<'now' | 'later' | 'late'>
  count(what: GraphCount, times?: number): Promise<void>
  /** Since ever. */
  readCounts(): Promise<ReadonlyMap<GraphCount, number>>
}
export type GraphSpeaker = { readonly conversation: string; readonly principal: PrincipalId }

// Where records are kept. All is safe to repeat, and throws BotError `store-unavailable` where Redis is away.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { MemoryRecord, MemoryScope, NewRecord } from './record.ts'

/** A record by its number, or by its id: that stays the same where accounts are linked meanwhile, and what has it is kept out from then on. */
export type Which = number | string

/** What several records become; `uses` of all of them. */
export type Joined = Omit<NewRecord, 'id' | 'merged'> & Pick<MemoryRecord, 'uses' | 'lastUsedAt'>

export type Written =
  /**
   * `same`: this event wrote it before. `repeat`: the scope has that already, and knows this source of it now, too, where that one is as sure. `replaced`:
   * records whose place it took: they are kept, and hold again where it goes.
   */
  | {
      readonly kind: 'new' | 'same' | 'repeat'
      readonly record: MemoryRecord
      readonly replaced: readonly MemoryRecord[]
    }
  /** It is kept beside `against`, which says otherwise and is surer. Once it is confirmed by `change`, it takes that one's place. */
  | { readonly kind: 'conflict'; readonly record: MemoryRecord; readonly against: MemoryRecord }
  /** The scope has as many records as it may have, or so much was made of its conversation that no more is to be. */
  | { readonly kind: 'full' }
  /** One of its messages is forgotten, the record itself was taken away, or it is inferred and somebody had as much forgotten. */
  | { readonly kind: 'gone' }

export type Merged =
  | { readonly kind: 'merged'; readonly record: MemoryRecord }
  /** They are others by now, or one of their messages is forgotten. Nothing is changed. */
  | { readonly kind: 'changed' }
  /** There is no room for it. Nothing is changed. */
  | { readonly kind: 'full' }

export type ScopeRead = {
  /** Changes with each change of the scope. */
  readonly version: string
  readonly count: number
  /** All of them, or the newest where there are many more than can be read at once; by number, the newest first. */
  readonly records: readonly MemoryRecord[]
}

export type MemoryStore = {
  write(scope: MemoryScope, record: NewRecord): Promise<Written>
  /** `same`: the scope has still this version. */
  read(scope: MemoryScope, known?: string): Promise<ScopeRead | 'same'>
  find(scope: MemoryScope, numbers: readonly number[]): Promise<readonly MemoryRecord[]>
  /** By their ids, whatever numbers they have now: linking and unlinking gives others. */
  findBy(scope: MemoryScope, ids: readonly string[]): Promise<readonly MemoryRecord[]>
  /**
   * Tries again where somebody else changed it meanwhile. Undefined where there is none, or `change` wants none. A record that becomes confirmed takes the
   * place of what says otherwise.
   */
  change(
    scope: MemoryScope,
    number: number,
    change: (record: MemoryRecord) => MemoryRecord | undefined,
  ): Promise<MemoryRecord | undefined>
  /**
   * Writes one record in the place of several, where `join` still wants it: it is given them as they stand, whoever of linked accounts spoke. The same id
   * again writes nothing twice.
   */
  merge(
    scope: MemoryScope,
    numbers: readonly number[],
    how: { readonly id: string; join(records: readonly MemoryRecord[]): Joined | undefined },
  ): Promise<Merged>
  /**
   * How many there were. What they were merged of goes, too; `apart`: that holds again. `for-good`: what they say is not inferred again, until somebody
   * has it kept.
   */
  drop(scope: MemoryScope, which: readonly Which[], how?: 'for-good' | 'apart'): Promise<number>
  /** These were given to a turn that ended at `atMs`. The scope keeps its version; the same turn counts once, unless another one came between. */
  use(scope: MemoryScope, numbers: readonly number[], atMs: number): Promise<void>
  /** Takes away what nobody confirmed within 30 days of its saying, some thousands at a time; `nowMs` and Redis' clock both have to say so. How many. */
  fade(nowMs: number): Promise<number>
  /** Whatever was made of these messages goes, in whatever scope, and is never written again. */
  forget(conversation: ConversationId, messages: readonly string[] | 'all'): Promise<number>
}

/** What a record says, as far as it is compared by that. */
export type Reading = {
  /** Distinct words, at least one. */
  readonly words: readonly string[]
  /** Those that tell something: without “live”, “like” and such as stand in many sentences, unless there are no others. */
  readonly telling: readonly string[]
  /** What repeats have in common to the letter: numbers, negation, of whom it is said. */
  readonly exact: string
  /**
   * Of what it tells the only value ("where Ann lives"), and the words of that value. `keeps`: it does not say that anything changed, and what it tells may be
   * true beside another value.
   */
  readonly slot?: { readonly of: string; readonly value: readonly string[]; readonly keeps?: true }
}

/** With an anchor its topic is its slot, whoever says it. */
type Told = Pick<MemoryRecord, 'text' | 'name'> & Partial<Pick<MemoryRecord, 'kind' | 'anchor'>>

/** How texts are read, which depends on languages: whoever opens a store hands it in. */
export type Comparing = {
  read(told: Told): Reading
  /** Of two of which four words in five are the same: whether what differs changes nothing. */
  isRepeat(before: Told, told: Told): boolean
}

// Where records are kept. All is safe to repeat, and throws BotError `store-unavailable` where Redis is away.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { MemoryRecord, MemoryScope, NewRecord } from './record.ts'

export type Written =
  /** `same`: this event wrote it before. `repeat`: the scope has these words already, and knows this source of them now, too. */
  | { readonly kind: 'new' | 'same' | 'repeat'; readonly record: MemoryRecord }
  /** The scope has as many records as it may have. */
  | { readonly kind: 'full' }
  /** One of its messages is forgotten, or the record itself was taken away. */
  | { readonly kind: 'gone' }

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
  /** Tries again where somebody else changed it meanwhile. Undefined where there is none, or `change` wants none. */
  change(
    scope: MemoryScope,
    number: number,
    change: (record: MemoryRecord) => MemoryRecord | undefined,
  ): Promise<MemoryRecord | undefined>
  /** How many there were. */
  drop(scope: MemoryScope, numbers: readonly number[]): Promise<number>
  /** Whatever was made of these messages goes, in whatever scope, and is never written again. */
  forget(conversation: ConversationId, messages: readonly string[] | 'all'): Promise<number>
}

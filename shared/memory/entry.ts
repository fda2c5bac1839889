// What memory search looks through: records, and exchanges of a day's log. All engines index the same entries and one ranking of ours orders them.
import type { MemoryKind } from './record.ts'

export type Entry = {
  /** A `MemoryScope`, or another name that ranking never looks into. */
  readonly scope: string
  /** Unique in its scope, 1–120 characters. */
  readonly id: string
  readonly kind: MemoryKind | 'episode'
  readonly text: string
  /** The shown name of who said it. */
  readonly speaker?: string
  /** When it was said, ms since 1970. */
  readonly atMs: number
  /** The session or day that it stands in, and its place there, from 0: neighbours explain each other. */
  readonly session?: string
  readonly ordinal?: number
  /** Confirmed or pinned: age does not weigh against it. */
  readonly firm?: boolean
  /** How often somebody said that it did not fit. */
  readonly unfit?: number
}

export type FoundEntry = {
  readonly entry: Entry
  /** Of this search alone: greater is better. */
  readonly score: number
}

export type MemoryQuery = {
  /** At least one: a search without a scope is refused with BotError `internal`. */
  readonly scopes: readonly string[]
  readonly text: string
  readonly limit: number
  /** ms since 1970; age weighs a little. Without it age does not weigh. */
  readonly nowMs?: number
  /** What `findNear` gave for this text; without it words alone count. */
  readonly near?: Near
}

/** Entries whose meaning is near to a question. */
export type Near = {
  /** What the meaning counts, 0 to 1; words have the rest. */
  readonly weight: number
  /** At most twenty; scores above 0, the nearest has 1. */
  readonly found: readonly FoundEntry[]
}

/** Finds entries. Throws BotError `store-unavailable` where the engine is away. */
export type MemoryIndex = {
  find(query: MemoryQuery, signal: AbortSignal): Promise<readonly FoundEntry[]>
  /** By meaning. It is missing where no embedding model is set. Throws BotError `model` or `store-unavailable`, or the signal's reason. */
  findNear?(query: Pick<MemoryQuery, 'scopes' | 'text'>, signal: AbortSignal): Promise<Near>
}

/** Writes entries; the same scope and id takes the place of what was there. */
export type MemoryIndexWriter = {
  put(entries: readonly Entry[]): Promise<void>
  /** Resolves once nothing of them is found, and their text stands in no file of the engine. Unknown ids are no error. */
  drop(entries: readonly { readonly scope: string; readonly id: string }[]): Promise<void>
}

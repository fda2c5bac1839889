// What an engine of memory search does: it keeps documents and proposes candidates. It never orders what people see; `memory-search.ts` does that
// over what any engine proposes, so that all answer alike. Scopes and ids may be any text: an engine encodes them before they come near a query language.
import type { Entry } from '#shared/memory/entry.ts'
import type { SearchDocument } from './document.ts'
import type { Counts } from './score.ts'

export type EntryKey = { readonly scope: string; readonly id: string }

/** Places of one session. */
export type Places = { readonly scope: string; readonly session: string; readonly ordinals: readonly number[] }

export type Proposal = {
  /** At least one, at most 20; nothing of another scope comes back. */
  readonly scopes: readonly string[]
  /** At most forty, the rarest first, `[a-z0-9]{1,100}`, each with its idf: how much it tells. */
  readonly weights: ReadonlyMap<string, number>
  readonly most: number
}

/** What is looked for by meaning. */
export type Sought = {
  /** At least one, at most 20; nothing of another scope comes back. */
  readonly scopes: readonly string[]
  readonly model: string
  /** Its length is 1. */
  readonly values: Float32Array
  readonly most: number
}

export type NearEntry = {
  readonly entry: Entry
  /** Of the vector: an engine may give one of another text or model, which says nothing. */
  readonly mark: string
  readonly cosine: number
}

/** The reading methods reject with BotError `store-unavailable` where the engine is away, or with the signal's reason. Their answers have no order. */
export type SearchEngine = {
  /** How many documents one call of `put` takes best; a hundred where it does not say. */
  readonly together?: number
  /**
   * Each takes the place of what had its scope and id. No two of one call share both. Resolves once searches find them. One without a vector may keep
   * the vector of the same text that stands there.
   */
  put(documents: readonly SearchDocument[]): Promise<void>
  /** Resolves once nothing of them is found, and their text stands in no file of the engine. Unknown ones are no error. */
  drop(keys: readonly EntryKey[]): Promise<void>
  /** How many entries these scopes hold together, and how many of them each token. */
  count(scopes: readonly string[], tokens: readonly string[], signal: AbortSignal): Promise<Counts>
  /** All of these scopes, at most `most`. */
  readAll(scopes: readonly string[], most: number, signal: AbortSignal): Promise<readonly SearchDocument[]>
  /** Those that hold any of the tokens: the best `most` by the sum of the weights of what they hold, or nearly. */
  propose(proposal: Proposal, signal: AbortSignal): Promise<readonly SearchDocument[]>
  /** Who stands at these places; at most 60 places. */
  readPlaces(places: readonly Places[], signal: AbortSignal): Promise<readonly SearchDocument[]>
  /** The nearest of those that have a vector of this model and length. */
  proposeNear(sought: Sought, signal: AbortSignal): Promise<readonly NearEntry[]>
  /** Vectors that stand there, by their marks; missing where an engine cannot look them up. */
  findVectors?(marks: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>
}

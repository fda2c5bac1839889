// Which documents hold a token, and how often.
import type { SearchDocument } from './document.ts'

/** Places of documents, each followed by how often the token stands there; tokens that none holds are missing. */
export type Held = ReadonlyMap<string, readonly number[]>

/** Looks tokens up. The answer has their order, so that sums over it come out alike. */
export type Postings = (tokens: Iterable<string>) => Held

/** For documents that are searched again and again: all their tokens are listed first. */
export function listPostings(documents: readonly SearchDocument[]): Postings {
  const all = new Map<string, number[]>()
  for (const [at, { tokens }] of documents.entries()) for (const token of tokens) add(all, token, at)
  return (tokens) => select(all, tokens)
}

/** For documents that are searched once: each look goes through all of them, which costs a third of listing all. */
export const scanPostings =
  (documents: readonly SearchDocument[]): Postings =>
  (tokens) => {
    const wanted = new Set(tokens)
    const held = new Map<string, number[]>()
    for (const [at, one] of documents.entries())
      for (const token of one.tokens) if (wanted.has(token)) add(held, token, at)
    return select(held, wanted)
  }

function select(all: Held, tokens: Iterable<string>): Held {
  const selected = new Map<string, readonly number[]>()
  for (const token of tokens) {
    const list = all.get(token)
    if (list !== undefined) selected.set(token, list)
  }
  return selected
}

function add(lists: Map<string, number[]>, token: string, at: number): void {
  const list = lists.get(token)
  if (list === undefined) lists.set(token, [at, 1])
  else if (list.at(-2) === at) list[list.length - 1] = (list.at(-1) ?? 0) + 1
  else list.push(at, 1)
}

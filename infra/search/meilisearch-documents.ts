// Documents as Meilisearch keeps them, and all that is ever said to it in its query language. Scopes, sessions and ids are hashed: a filter there is
// trimmed, folded and lower-cased, so that names of people that differ by case alone would be one. Nothing of anybody's text comes near a query.
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { SearchDocument } from '#services/memory/search/document.ts'
import type { EntryKey, NearEntry, Places } from '#services/memory/search/engine.ts'
import { BotError } from '#shared/errors.ts'
import { parseEntry } from './stored-entry.ts'

/** What a search gives back of a document. */
export const shownFields = ['entry', 'tok']

/** As JSON, which keeps apart what UTF-8 would not. */
const toHex = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts)).slice(0, 32)

export const toDocumentId = ({ scope, id }: EntryKey): string => toHex(scope, id)

/** Vectors stand under this name. */
export const embedderName = 'mem'
/** Digits of each number of a vector: more say nothing of a direction. */
const byDigits = 1e5

/**
 * One line of NDJSON. It always says that it has no vector where it has none, since the server refuses to learn about vectors later from documents that
 * are silent, and one silent document fails all that was sent with it. `vm` is the mark of the vector.
 */
export function toLine({ entry, tokens, vector }: SearchDocument): string {
  const { scope, session, ordinal } = entry
  return JSON.stringify({
    id: toDocumentId(entry),
    v: 1,
    scope: toHex(scope),
    ...(session !== undefined && { session: toHex(session) }),
    ...(ordinal !== undefined && { ord: ordinal }),
    tok: tokens.join(' '),
    entry: JSON.stringify(entry),
    ...(vector && { vm: vector.mark }),
    _vectors: { [embedderName]: vector ? toNumbers(vector.values) : null },
  })
}

export const toNumbers = (values: Float32Array): number[] =>
  Array.from(values, (one) => Math.round(one * byDigits) / byDigits)

const nearHit = z.object({ entry: z.string(), vm: z.string(), _rankingScore: z.number() })
export const nearFields = ['entry', 'vm']

/** The server gives half of one more than the cosine; 0 for documents without a vector, with which it fills up its answer. */
export function toNear(hits: readonly unknown[]): NearEntry[] {
  return hits.flatMap((given) => {
    try {
      const { entry, vm: mark, _rankingScore: score } = nearHit.parse(given)
      return score > 0 ? [{ entry: parseEntry(entry), mark, cosine: 2 * score - 1 }] : []
    } catch {
      return []
    }
  })
}

const hit = z.object({ entry: z.string(), tok: z.string() })

/** What cannot be read is left out: a newer release may write what this one does not know. */
export function toDocuments(hits: readonly unknown[]): SearchDocument[] {
  return hits.flatMap((given) => {
    try {
      const { entry, tok } = hit.parse(given)
      return [{ entry: parseEntry(entry), tokens: tok === '' ? [] : tok.split(' ') }]
    } catch {
      return []
    }
  })
}

/** Never empty: an empty filter finds everything. */
export function inScopes(scopes: readonly string[]): string {
  if (scopes.length === 0) throw new BotError('internal', 'Meilisearch was to be searched without a scope.')
  return `scope IN [${scopes.map((scope) => quote(toHex(scope))).join(', ')}]`
}

/** Of places that are not empty. */
export function atPlaces(places: readonly Places[]): string {
  const each = places.map(({ scope, session, ordinals }) => {
    const numbers = ordinals.filter((one) => Number.isFinite(one)).join(', ')
    return `(scope = ${quote(toHex(scope))} AND session = ${quote(toHex(session))} AND ord IN [${numbers}])`
  })
  return `${inScopes(places.map(({ scope }) => scope))} AND (${each.join(' OR ')})`
}

/** In quotes, for a bare word is also looked for in two halves. */
export const toWordQuery = (token: string): string => quote(token)

function quote(word: string): string {
  if (/^[a-z0-9]{1,200}$/.test(word)) return `"${word}"`
  throw new BotError('internal', 'A word that is not of a-z and 0-9 was to go to Meilisearch.')
}

// Vectors that clients bring along: what a document must carry, and how near two of them are.
import { ApiError } from './api-error.ts'
import type { Document, Settings } from './settings.ts'

/** By the embedder's name; null where a document has none. */
export type Vectors = Readonly<Record<string, readonly number[] | null>>

type Embedders = Settings['embedders']

/** Throws where an embedder gets nothing, or something of another length. What was stored before counts. */
export function checkVectors(id: string, document: Document, embedders: Embedders, before: Vectors = {}): void {
  const given = document['_vectors']
  for (const [name, { dimensions }] of Object.entries(embedders)) {
    const vector = findVector(given, name)
    if (vector === undefined && name in before) continue
    if (vector === undefined) {
      const message = `While embedding documents for embedder \`${name}\`: no vectors provided for document \`${id}\`. Opt-out for a document with \`_vectors.${name}: null\`.`
      throw new ApiError(400, 'vector_embedding_error', message)
    }
    if (vector === null) continue
    if (!isVector(vector)) {
      const message = `Bad embedder configuration in the document with id: \`${id}\`. Invalid value type at \`._vectors.${name}\`.`
      throw new ApiError(400, 'invalid_vectors_type', message)
    }
    if (vector.length !== dimensions) {
      const message = `Invalid vector dimensions in document with id \`${id}\` in \`._vectors.${name}\`: expected ${dimensions}, got ${vector.length}.`
      throw new ApiError(400, 'invalid_vector_dimensions', message)
    }
  }
}

export function keepVectors(given: unknown, before: Vectors = {}): Vectors {
  const brought = typeof given === 'object' && given !== null ? Object.entries(given) : []
  const read = brought.filter(
    (pair): pair is [string, readonly number[] | null] => pair[1] === null || isVector(pair[1]),
  )
  return { ...before, ...Object.fromEntries(read) }
}

export function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number')
}

function findVector(given: unknown, name: string): unknown {
  if (typeof given !== 'object' || given === null) return undefined
  return Object.entries(given).find(([known]) => known === name)?.[1]
}

/** 0 for opposite, 0.5 for right angles, 1 for the same; 1, too, where one of them is all zeros. */
export function nearness(one: readonly number[], other: readonly number[]): number {
  const dot = one.reduce((sum, part, at) => sum + part * (other[at] ?? 0), 0)
  const length = Math.hypot(...one) * Math.hypot(...other)
  return length === 0 ? 1 : (1 + dot / length) / 2
}

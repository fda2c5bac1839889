// Which records of a scope are meant by some words: those that hold the words, those that tell what the words name, and those that have to do with them.
import type { MemoryRecord, MemoryScope } from '#shared/memory/record.ts'
import { readWithSkills } from '#services/memory/file/read-all.ts'
import { createRelevance } from '#services/memory/search/relevance.ts'
import { findNamedSlots } from './asked-slot.ts'
import { readOwnSlot } from './comparing.ts'
import type { MemoryDeps } from './ports.ts'
import type { Recall } from './recall.ts'
import { toFolded } from './words.ts'

export type FindDeps = MemoryDeps & { readonly recall: Pick<Recall, 'find'> }

const mostFound = 20

/** Skills, too. */
export async function findKept(deps: FindDeps, scope: MemoryScope, words: string): Promise<readonly MemoryRecord[]> {
  const literal = findLiteral((await readWithSkills(deps.memory, scope)).records, words)
  const isRelevant = createRelevance(words)
  const { found } = await deps.recall.find({ scopes: [scope], text: words, limit: mostFound, nowMs: deps.now() })
  const meant = found
    .filter(({ record, isNear }) => isNear === true || isRelevant(record.text))
    .map(({ record }) => record)
  return [...new Map([...literal, ...meant].map((one) => [one.number, one])).values()]
}

/** "My address" means "I live at 5 Harbour Road", too. */
export function findLiteral(all: readonly MemoryRecord[], words: string): readonly MemoryRecord[] {
  const asked = toFolded(words)
  const slots = findNamedSlots(words)
  const names = (record: MemoryRecord): boolean => slots.size > 0 && slots.has(readOwnSlot(record)?.of ?? '')
  return all.filter((record) => toFolded(record.text).includes(asked) || names(record))
}

// How records of one scope are compared in its units: words as hashes of four signs, and the name of a slot, which holds one value at a time. What
// different people say is never alike, and neither are a note and a fact; but an anchor takes the place of the one before, whoever settled that. A skill is
// like nothing: a new version of it is another one.
import { hash } from 'node:crypto'
import { isShared, type MemoryScope, type NewRecord } from '#shared/memory/record.ts'
import type { Comparing } from '#shared/memory/store.ts'

const mostWords = 150
const signs = 4

export type Likeness = {
  /** Hashes of its words, one after the other. */ readonly words: string
  readonly slot: string
}

/** Whoever says something in what linked accounts share is their one person. */
const toTeller = (scope: MemoryScope, speaker: string): string => (isShared(scope) ? 'self' : speaker)

export function toLikeness({ read }: Comparing, record: NewRecord, scope: MemoryScope): Likeness {
  const { kind, asks, anchor } = record
  if (kind === 'skill') return { words: toHash(`skill\n${record.id}`).slice(0, signs), slot: '' }
  const speaker = toTeller(scope, record.speaker)
  const { words, exact, slot } = read(record)
  const about = `${speaker}\n${kind === 'note' ? 'note' : ''}\n${exact}\n`
  const hashes = new Set(words.slice(0, mostWords).map((word) => toHash(about + word).slice(0, signs)))
  const holdsOne = slot && !asks && (anchor !== undefined || kind === 'fact' || kind === 'preference')
  const holder = anchor ? '' : speaker
  return { words: [...hashes].join(''), slot: holdsOne ? toHash(`${holder}\n${slot.of}`) : '' }
}

const toHash = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22)

// How much of what is worth remembering is found, and how much of what is found is worth it: on the shared set where it is there, and on six sets
// of our own.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { findCandidates } from '#services/memory/candidates/find-candidates.ts'
import type { Candidate } from '#services/memory/candidates/message.ts'
import { overlapOf, scoreCandidates, toLines, type LabelledLine } from './score-candidates.ts'

const shared = path.resolve(process.env['CANDIDATES'] ?? '../shared/data/candidates-dev.jsonl')
const isThere = existsSync(shared)
const own = [
  'candidates-plain.jsonl',
  'candidates-mixed.jsonl',
  'candidates-odd.jsonl',
  'candidates-later.jsonl',
  'candidates-last.jsonl',
  'candidates-fresh.jsonl',
]

const find = ({ chat, at, speaker, text, context }: LabelledLine): readonly Candidate[] =>
  findCandidates({ chat, atMs: Date.parse(at), speaker, text, others: context?.map(({ who }) => who) ?? [] })

const read = (file: string): readonly LabelledLine[] => toLines(readFileSync(file, 'utf8'))

it.runIf(isThere)('finds enough on the shared set, and nothing that is never kept', () => {
  const { precision, recall, broken } = scoreCandidates(read(shared), find)
  expect({ precision, recall, broken }).toMatchObject({ broken: [] })
  expect(precision).toBeGreaterThanOrEqual(0.85)
  expect(recall).toBeGreaterThanOrEqual(0.6)
})

it.skipIf(isThere)('says that the shared set is missing', () => {
  process.stdout.write(`${shared} is not there; the rules are scored on our own sets alone.\n`)
  expect(isThere).toBe(false)
})

it.each(own)('finds enough on %s, and nothing that is never kept', (file) => {
  const { precision, recall, broken } = scoreCandidates(read(path.join(import.meta.dirname, file)), find)
  expect(broken).toEqual([])
  expect(precision).toBeGreaterThanOrEqual(0.85)
  expect(recall).toBeGreaterThanOrEqual(0.75)
})

it.each([
  ['Ann dislikes red wine', 'Ann dislikes red wines', 1],
  ['Ann lives in Lyon', 'Ann likes Lille', 0],
  ['限额三千', '限额3000', 1],
  ['bus 7', 'bus 8', 0],
  ['小满住在嘉定', '小满住嘉定', 0.7],
])('overlap of %j and %j', (one, other, least) => {
  const overlap = overlapOf(one, other, one.startsWith('小满') ? '小满' : 'Ann')
  expect(overlap).toBeGreaterThanOrEqual(least)
  if (least === 0) expect(overlap).toBe(0)
})

// How much of what only a person can tell ends on somebody's desk, where the fast model misses every fifth label and invents a question for each that it
// finds: through the real readers, stores, gate and budgets, and a model over HTTP.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGapsModel } from '#test/rig/gaps-model.ts'
import { scoreGaps, toDialogues, type AskedQuestion } from '#test/services/curiosity/score-gaps.ts'
import { playDialogue } from './play-dialogue.ts'
import { openReadStage, type ReadStage } from './read-stage.ts'

const shared = path.resolve(process.env['GAPS'] ?? '../shared/data/gaps-dev.jsonl')
const own = ['plain', 'fresh', 'later', 'last', 'even', 'sixth'].map((name) =>
  path.join(import.meta.dirname, '..', `gaps-${name}.jsonl`),
)

let stage: ReadStage
beforeAll(async () => void (stage = await openReadStage()))
afterAll(() => stage[Symbol.asyncDispose]())
let played = 0

async function score(file: string) {
  const dialogues = toDialogues(readFileSync(file, 'utf8'))
  const model = createGapsModel(dialogues)
  stage.fleet.model.decideBy((request) => model.decide(request))
  const before = await stage.counts()
  const collected = new Map<string, readonly AskedQuestion[]>()
  for (const dialogue of dialogues) collected.set(dialogue.id, await playDialogue(stage, dialogue, (played += 1)))
  const after = await stage.counts()
  const counts = Object.fromEntries(Object.entries(after).map(([what, times]) => [what, times - (before[what] ?? 0)]))
  const result = scoreGaps(dialogues, ({ id }) => collected.get(id) ?? [])
  const { asked, unplanned, unplannedAtLeast, wrongPerson, questions } = result
  process.stdout.write(
    `${path.basename(file)} ${JSON.stringify({ sessions: dialogues.length, asked, unplanned, unplannedAtLeast, wrongPerson, questions })} ${JSON.stringify(counts)}\n`,
  )
  return result
}

if (!existsSync(shared))
  process.stdout.write(`The shared set is missing, so it is not scored: ${path.basename(shared)}.\n`)
test.skipIf(!existsSync(shared))('on the shared set', { timeout: 120_000 }, async () => {
  const { told, ...result } = await score(shared)
  expect(result.faults, told.join('\n')).toEqual([])
  expect(result.asked, told.join('\n')).toBeGreaterThanOrEqual(0.75)
  expect(result.unplanned, told.join('\n')).toBeLessThanOrEqual(0.2)
  expect(result.wrongPerson).toBe(0)
})

test.each(own)('on %s', { timeout: 120_000 }, async (file) => {
  const { told, ...result } = await score(file)
  expect(result.faults, told.join('\n')).toEqual([])
  expect(result.asked, told.join('\n')).toBeGreaterThanOrEqual(0.75)
  expect(result.unplannedAtLeast, told.join('\n')).toBeLessThanOrEqual(0.25)
})

// How much of what only a person can tell is asked, and how much of what is asked was planned: on the shared set where it is there, and on sets of our own,
// each of which was written before it was scored and scored once before the rules saw it (decision 109 has the figures).
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { findGaps } from '#services/curiosity/gaps/find-gaps.ts'
import type { Question } from '#services/curiosity/gaps/dialogue.ts'
import { findRefusal } from '#services/memory/refuse.ts'
import { nearnessOf, overlapOf, scoreGaps, toDialogues, type LabelledDialogue } from './score-gaps.ts'

const shared = path.resolve(process.env['GAPS'] ?? '../shared/data/gaps-dev.jsonl')
const isThere = existsSync(shared)
const own = [
  'gaps-plain.jsonl',
  'gaps-fresh.jsonl',
  'gaps-later.jsonl',
  'gaps-last.jsonl',
  'gaps-even.jsonl',
  'gaps-sixth.jsonl',
]

/** Their answers tell a doubt in passing more often than outright. */
const hard = ['gaps-seventh.jsonl', 'gaps-eighth.jsonl', 'gaps-ninth.jsonl', 'gaps-tenth.jsonl', 'gaps-eleventh.jsonl']

const deps = {
  isRefused(text: string): boolean {
    const refusal = findRefusal(text, { group: true })
    return refusal !== undefined && refusal !== 'right'
  },
}
const find = ({ chat, ...dialogue }: LabelledDialogue): readonly Question[] =>
  findGaps(deps, { ...dialogue, chat: chat.kind })

const read = (file: string): readonly LabelledDialogue[] => toDialogues(readFileSync(file, 'utf8'))

it.runIf(isThere)('asks enough on the shared set, and nothing that is never asked', () => {
  const { told, ...score } = scoreGaps(read(shared), find)
  expect(score.faults, told.join('\n')).toEqual([])
  expect(score.wrongPerson).toBe(0)
  expect(score.asked).toBeGreaterThanOrEqual(0.8)
  expect(score.unplanned).toBeLessThanOrEqual(0.2)
})

it.skipIf(isThere)('says that the shared set is missing', () => {
  process.stdout.write(`${shared} is not there; the rules are scored on our own sets alone.\n`)
  expect(isThere).toBe(false)
})

it.each(own)('asks enough on %s, and nothing that is never asked', (file) => {
  const { told, ...score } = scoreGaps(read(path.join(import.meta.dirname, file)), find)
  expect(score.faults, told.join('\n')).toEqual([])
  expect(score.asked, told.join('\n')).toBeGreaterThanOrEqual(0.7)
  expect(score.unplanned, told.join('\n')).toBeLessThanOrEqual(0.15)
})

it.each(hard)('asks half of what is hard to see in %s, and nothing that is never asked', (file) => {
  const { told, ...score } = scoreGaps(read(path.join(import.meta.dirname, file)), find)
  expect(score.faults, told.join('\n')).toEqual([])
  expect(score.asked, told.join('\n')).toBeGreaterThanOrEqual(0.5)
  expect(score.unplannedAtLeast, told.join('\n')).toBeLessThanOrEqual(0.2)
})

it.each([
  ['How long is the slot?', 'retro/slot/meeting long/length/minutes', 'How long is the slot for the retro?', 1],
  ['Which colour is the door?', 'retro/slot long/length', 'How long is the slot for the retro?', 0],
  ['会议多长？', '周会/会议/例会 多长/多久/分钟', '周会一般开多长时间？', 1],
  ['赤道仪有没有？', '赤道仪', '你有没有赤道仪？', 1],
])('takes %j for the gap %j', (ask, key, labelled, least) => {
  const nearness = nearnessOf(ask, { ask: labelled, key }, ['Ann'])
  expect(nearness).toBeGreaterThanOrEqual(least)
  if (least === 0) expect(nearness).toBe(0)
})

it('leaves names and endings out of what is common', () => {
  expect(overlapOf('Does Ann print the posters?', 'Is the poster printed by Ann?', ['Ann'])).toBe(1)
  expect(overlapOf('Is it Ann?', 'Is that Ann?', ['Ann'])).toBe(0)
})

const gap = { to: 'Ann', kind: 'words', why: '', changes: '' }
const dialogue: LabelledDialogue = {
  id: 'one',
  language: 'en',
  chat: { kind: 'group', id: 'g' },
  people: ['Ann', 'Ben'],
  memory: [],
  turns: [],
  gaps: [{ ...gap, ask: 'How long is the slot for the retro?', key: 'slot/retro long/minutes' }],
  not: [
    { question: 'Who brings the pens?', because: 'answered' },
    { question: 'Why is Ben late so often?', because: 'private' },
  ],
}
const score = (...asked: readonly (readonly [ask: string, to: string])[]): ReturnType<typeof scoreGaps> =>
  scoreGaps([dialogue], () => asked.map(([ask, to]) => ({ ask, to, kind: 'words' })))

it('counts what was asked, of whom, and what was not planned', () => {
  expect(score(['How long is the slot?', 'Ann'])).toMatchObject({ asked: 1, unplanned: 0, sameKind: 1 })
  expect(score(['How long is the slot?', 'Ben'])).toMatchObject({ asked: 0, unplanned: 1, wrongPerson: 1 })
  expect(score(['How long is the slot?', 'Ann'], ['How long is the retro slot?', 'Ann'])).toMatchObject({ twice: 1 })
  expect(score(['Which room is it?', 'Ann'])).toMatchObject({ unplanned: 1, unplannedAtLeast: 0 })
  expect(score(['Who brings the pens?', 'Ann'])).toMatchObject({ unplanned: 1, unplannedAtLeast: 1, faults: [] })
  expect(score(['Why is Ben late?', 'Ann']).faults).toHaveLength(1)
  expect(score(['What is your password?', 'Ann']).faults).toHaveLength(1)
})

it('tells of dialogues without a gap in which something was asked', () => {
  const calm = { ...dialogue, gaps: [] }
  expect(scoreGaps([calm], () => [{ ask: 'Which room?', to: 'Ann', kind: 'words' }]).disturbed).toEqual(['one'])
})

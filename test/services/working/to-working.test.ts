// What the records of a session's turns tell of it: three goals, a topic, a few facts, and what the bot asked.
import { expect, test } from 'vitest'
import { toWorkingDocument, type WorkingDocument } from '#services/working/print-working.ts'
import type { EndedTurn } from '#services/working/to-note.ts'
import { toWorking } from '#services/working/to-working.ts'
import { turnRecord } from '#test/rig/records.ts'
import type { TurnRecord } from '#shared/run/record.ts'

const [ann, bob] = ['web:ann', 'web:bob']
const task = { type: 'task', depth: 'standard', complex: false, rule: 'task.verb', confidence: 'high' } as const
let ended = 0
function turn(asked: string, more: Partial<TurnRecord> = {}): EndedTurn {
  ended += 1
  const at = 1_000_000 + 1000 * ended
  const own = { principal: ann, begunAt: at, endedAt: at + 500, asked, answer: 'Yes.', ...more }
  return { about: [`m${ended}`], record: turnRecord(`t${ended}`, own) }
}
const work = (asked: string): EndedTurn => turn(asked, { class: task })
const shown = (...turns: readonly EndedTurn[]): WorkingDocument =>
  toWorkingDocument(toWorking(turns), 'sess_20260219_051500')

test('counts turns, tokens and how long they took, also where nothing was said; a clock that was set back takes nothing away', () => {
  const back = turn('ok', { begunAt: 9_000_000, endedAt: 8_000_000 })
  expect(shown(turn('…'), back, turn('…'))).toMatchObject({
    session: { messageCount: 3 },
    tokenUsage: 45,
    avgResponseTenths: 3,
  })
})

test('the latest goal is the one that is worked on; a fourth pushes out the oldest', () => {
  const four = ['plan one', 'plan two', 'plan three', 'plan four'].map(work)
  expect(shown(...four, turn('what is tea?'))).toMatchObject({
    primary: 'plan four',
    stack: ['plan three', 'plan two'],
    topic: 'what is tea?',
  })
  expect(shown(...four, work('plan two'))).toMatchObject({ primary: 'plan two', stack: ['plan four', 'plan three'] })
})

test('a question waits until the next turn of whom it was asked', () => {
  const asked = turn('paint it', { answer: 'Gladly.\n\nRed or blue?' })
  const other = turn('and mine', { principal: bob, answer: 'Now?' })
  expect(shown(asked, other).pendingQuestions).toEqual(['Red or blue?', 'Now?'])
  expect(shown(asked, other, turn('red')).pendingQuestions).toEqual(['Now?'])
})

test('a fact that is said again counts from then on, and the sixth pushes out the oldest', () => {
  const facts = ['I like a. I like b', 'I like c. I like d', 'I like a. I like e', 'I like f']
  const kept = ['c', 'd', 'a', 'e', 'f'].map((one) => `I like ${one}`)
  expect(shown(...facts.map((said) => turn(said))).recentFacts).toEqual(kept)
})

test('what a button had done to an answer is neither topic nor fact', () => {
  const again = turn('I like shorter answers', { last: 'rewrite' })
  expect(shown(turn('what is a heron?'), again)).toMatchObject({ topic: 'what is a heron?', recentFacts: [] })
})

test('a session without turns has nothing', () => {
  expect(shown()).toMatchObject({ primary: '', topic: '', session: { messageCount: 0 }, avgResponseTenths: 0 })
})

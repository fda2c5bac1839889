// What doctor says of the jobs of readers.
import { expect, test } from 'vitest'
import { checkJobs, type JobFacts } from '#infra/doctor/job-checks.ts'

const none = { count: 0, oldestMs: 0, broken: [] }
const look = (facts: Partial<JobFacts>): readonly string[] =>
  checkJobs({
    living: [{ does: ['reflection', 'curiosity'] }],
    waiting: { reflection: none, curiosity: none },
    records: { dropped: {}, failed: {} },
    ...facts,
  }).map(({ level, about, found }) => `${level} ${about}: ${found}`)

test('how many wait, and what is missing', () => {
  expect(look({})).toEqual(['ok jobs of reflection: none waits', 'ok jobs of curiosity: none waits'])
  const waiting = {
    reflection: { count: 7, oldestMs: 12_000, broken: [] },
    curiosity: { count: 900, oldestMs: 301_000, broken: [3, 40] },
  }
  expect(look({ waiting })).toEqual([
    'ok jobs of reflection: 7 wait, the first for 12 s',
    'warning jobs of curiosity: 900 wait, the first for 301 s',
    'warning jobs of curiosity: cannot be read in partition 3, 40 of 0 to 63: a key there has a type that is not ours',
  ])
  expect(look({ waiting, living: [{ does: ['curiosity'] }] })[0]).toBe(
    'warning jobs of reflection: 7 wait, the first for 12 s, and no reflection process runs',
  )
})

test('what was dropped, and why', () => {
  expect(look({ records: { dropped: { 'notes.learn': 3 }, failed: { 'notes.learn': 2 } } }).slice(2)).toEqual([
    'warning jobs: 3 jobs of notes.learn were dropped, since too many waited or they could not be done within a day',
    'warning jobs: 2 jobs of notes.learn were dropped, since they failed each time',
  ])
})

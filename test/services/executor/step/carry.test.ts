// What each effect of a feature comes to: rows, questions and a new state, all for one step.
import { storable } from '#shared/feature/slice.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Effect } from '#shared/feature/effect.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { carry, type At, type Carried } from '#services/executor/step/carry.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { RunStore } from '#services/executor/run/run-store.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import { parseState } from '#services/executor/state/stored.ts'
import { createStage } from '#test/services/executor/stage.ts'
import { ann, conversation } from '#test/rig/events.ts'
import { toBody } from '#test/rig/journal-entries.ts'

const counter: Feature<number, number> = {
  name: 'counter',
  slice: { schema: storable(z.number()), fresh: 0, fold: (n, more) => n + more },
  settings: [
    {
      id: 'start',
      label: { zh: '', en: '' },
      holds: ({ slice }) => String(slice),
      choices: [
        { id: 'ten', label: { zh: '', en: '' }, change: 10 },
        { id: 'as_it_is', label: { zh: '', en: '' } },
      ],
    },
  ],
}
const other: Feature = { name: 'other' }
const { deps } = createStage({ features: [counter, other], now: () => 5000, replyExpiresInMs: 7000 })
const state = {
  ...parseState(deps.features, { parts: {} }, 0),
  history: [{ role: 'user', source: 'person', text: 'secret', messageId: 'm1' }] as const,
  lastText: 'secret',
}
let questions = 0
const toId = (n: number): string => `p00-${String(n).padStart(22, 'q')}`
const store = { newQuestionId: () => toId(++questions) } as Partial<RunStore> as RunStore
const claim = { conversation, address: conversation, state, store } as Partial<Claim> as Claim
const at: At = {
  feature: counter,
  step: 's',
  principal: ann,
  language: 'en',
  about: ['m1'],
  answers: ['m1'],
  mayChoose: true,
}
const run = (effects: readonly Effect[], more: Partial<At> = {}): Carried => {
  questions = 0
  return carry(deps, claim, effects, { ...at, ...more })
}
const bodies = ({ rows }: Carried): readonly OutBody[] => rows.map(({ body }) => body)

test('nothing wanted changes nothing', () => {
  expect(run([])).toEqual({
    state,
    rows: [],
    questions: [],
    timers: [],
    disarms: [],
    cancels: [],
    letters: [],
    signals: [],
    drops: [],
    dropsArtifacts: [],
    records: [],
    artifacts: [],
    endsSession: false,
    turn: undefined,
  })
})

test('each thing said is a row of the step, in order, that expires in time', () => {
  const { rows } = run([
    { kind: 'send', text: 'One.' },
    { kind: 'send', text: 'Two \ud800.' },
  ])
  expect(rows).toEqual([
    {
      id: 's-0',
      expiresInMs: 7000,
      body: toBody('One.', { answers: ['m1'] }),
    },
    {
      id: 's-1',
      expiresInMs: 7000,
      body: toBody('Two \ufffd.', { answers: ['m1'] }),
    },
  ])
})

test('a file goes with its text, and a reply names its message', () => {
  const file = { name: 'a.txt', caption: 'A', text: 'B' }
  expect(bodies(run([{ kind: 'send', text: 'One.', file }], { replyTo: 'm1' }))).toMatchObject([
    { file, replyTo: 'm1' },
  ])
})

test('what is said in place changes the card that was answered, anything else does not', () => {
  const card = { replaces: 'row', replacesMessage: '77' }
  const [first, second] = bodies(
    run(
      [
        { kind: 'send', text: 'One.', inPlace: true },
        { kind: 'send', text: 'Two.' },
      ],
      { card },
    ),
  )
  expect(first).toMatchObject(card)
  expect(second).not.toHaveProperty('replaces')
})

test('a body that is shown again answers what this step answers', () => {
  const body: OutBody = { v: 1, kind: 'send', text: 'Before.', answers: ['old'], language: 'zh' }
  expect(bodies(run([{ kind: 'show', body }]))).toEqual([{ ...body, answers: ['m1'] }])
})

const ask = {
  kind: 'ask',
  question: 'sure',
  text: 'Sure?',
  options: [[{ id: 'yes', label: 'Yes' }]],
  payload: 'p',
} as const

test('a question is asked of whom the step serves, by the row that shows it', () => {
  const carried = run([
    { kind: 'send', text: 'First.' },
    { ...ask, topic: 't' },
  ])
  expect(carried.questions).toEqual([
    {
      v: 1,
      id: toId(1),
      kind: 'counter.sure',
      owner: ann,
      about: ['m1'],
      admins: false,
      asker: ann,
      deadlineMs: 7 * 86_400_000,
      card: 's-1',
      options: ['yes'],
      labels: ['Yes'],
      payload: 'p',
      topic: 't',
    },
  ])
  expect(bodies(carried)[1]).toMatchObject({ text: 'Sure?', buttons: [[{ id: `${toId(1)}.yes`, label: 'Yes' }]] })
})

test('a question may take words, guard something, and have options that nobody would type', () => {
  const options = [[{ id: 'yes', label: 'y'.repeat(65) }]]
  const carried = run([
    { ...ask, options, words: true, stales: true },
    { ...ask, words: false },
  ])
  expect(carried.questions).toMatchObject([{ labels: [''], words: true, stales: true }, { labels: ['Yes'] }])
  expect(carried.questions[1]).not.toHaveProperty('words')
})

test('a question may be another’s, and their administrators’', () => {
  const carried = run([{ ...ask, owner: 'web:bob', admins: true }])
  expect(carried.questions).toMatchObject([{ owner: 'web:bob', admins: true }])
})

test('changes follow one another, and a choice of a setting changes the slice of its feature', () => {
  expect(
    sliceOf(
      run([
        { kind: 'change', change: 1 },
        { kind: 'change', change: 2 },
      ]).state,
      counter,
    ),
  ).toBe(3)
  const chosen = run([{ kind: 'choose', setting: 'start', choice: 'ten' }], { feature: other })
  expect(sliceOf(chosen.state, counter)).toBe(10)
  expect(() => run([{ kind: 'choose', setting: 'start', choice: 'as_it_is' }])).toThrow('kept outside')
})

test.each([
  ['start', 'twenty'],
  ['none', 'ten'],
])('a choice that does not exist is an error: %s, %s', (setting, choice) => {
  expect(() => run([{ kind: 'choose', setting, choice }])).toThrow(
    `There is no choice ${choice} of the setting ${setting}.`,
  )
})

test('a message is forgotten, a session begins, a turn is told of', () => {
  expect(run([{ kind: 'forget', about: ['m1'] }]).state).toMatchObject({
    history: [{ text: '[deleted]' }],
    lastText: undefined,
  })
  expect(run([{ kind: 'new-session' }]).state).toMatchObject({ history: [], session: { startedAt: 5000 } })
  const turn = { kind: 'turn', text: 'Go on.' } as const
  expect(run([{ kind: 'send', text: 'One.' }, turn])).toMatchObject({ turn, rows: [{ id: 's-0' }] })
})

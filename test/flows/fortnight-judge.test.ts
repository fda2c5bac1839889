// The judge of the fortnight notices each of what it is to notice, and nothing where all is well.
import { expect, test } from 'vitest'
import { readCards } from '#test/flows/fortnight/cards.ts'
import { judgeCards, scoreCards, type Judged } from '#test/flows/fortnight/judge.ts'
import type { Deed, Shown } from '#test/flows/fortnight/wire.ts'
import type { LabelledDialogue } from '#test/services/curiosity/score-gaps.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const noon = Date.parse('2027-03-22T11:00:00Z')
const [ann, ben] = [1, 2]
const gap = { to: 'Ann', kind: 'words', why: '', changes: '' }
const dialogue: LabelledDialogue = {
  id: 'one',
  language: 'en',
  chat: { kind: 'direct', id: 'd' },
  people: ['Ann'],
  memory: [],
  turns: [{ who: 'bot', text: 'I planned 50 minutes since I do not know how long the slot is.', at: '' }],
  gaps: [
    { ...gap, ask: 'How long is the slot for the retro?', key: 'slot/retro long/minutes' },
    { ...gap, ask: 'Which room has the retro?', key: 'room/place' },
  ],
  not: [{ question: 'What is your password?', because: 'forbidden' }],
}
const slot = 'How long is the slot for the retro?'
const room = 'Which room has the retro?'

type Sent = { readonly at?: number; readonly to?: number; readonly ask?: string; readonly count?: string }

const card = (message: number, { at = noon, to = ann, ask = slot, count = '' }: Sent, isEdit = false): Shown => ({
  at,
  chat: to,
  message,
  text: `${count === '' ? '' : `${count}\n\n`}I need to know (no hurry):\n\n${ask}\n\nWhy I ask: it is assumed.`,
  isEdit,
  isCard: true,
  labels: ['Type an answer', 'Skip', 'Not now', 'Never about this'],
})
const answer = (at: number): Shown => ({ ...card(99, { at }), text: 'Good morning.', isCard: false, labels: [] })
const press = (on: number, text: string, at = noon): Deed => ({ at, by: ann, chat: ann, act: 'presses', text, on })

const people: Judged['people'] = [
  { id: ann, name: 'Ann', zone: 'Europe/Berlin', zoneFrom: noon - 2 * dayMs },
  { id: ben, name: 'Ben', zone: 'Asia/Shanghai', zoneFrom: noon - 2 * dayMs },
]
const toJudged = (shown: readonly Shown[], deeds: readonly Deed[]): Judged => ({
  cards: readCards(shown, deeds),
  people,
  played: [{ dialogue, from: noon - 3 * dayMs }],
})
const judge = (shown: readonly Shown[], deeds: readonly Deed[] = []): readonly string[] => [
  ...new Set(judgeCards(toJudged(shown, deeds)).map(({ matter }) => matter)),
]

test('finds nothing where all is well', () => {
  const shown = [
    answer(noon - 3 * minuteMs),
    card(1, { count: '1 / 2' }),
    card(1, { count: '2 / 2', ask: room }, true),
    card(2, { at: noon + dayMs, ask: room }),
  ]
  const deeds = [press(1, 'Skip'), press(1, 'Not now'), press(2, 'Skip', noon + dayMs)]
  expect(judge(shown, deeds)).toEqual([])
  const { score, asked } = scoreCards(toJudged(shown, deeds))
  expect(asked.map(({ ask }) => ask)).toEqual([slot, room])
  expect(score).toMatchObject({ asked: 1, unplanned: 0 })
})

test.each([
  ['at night', 'night', { at: Date.parse('2027-03-22T21:00:00Z') }],
  ['early in the morning', 'night', { at: Date.parse('2027-03-22T06:59:00Z') }],
  ['to whoever is in another zone and sleeps', 'night', { at: Date.parse('2027-03-22T15:00:00Z'), to: ben }],
  ['with more than three questions', 'caps', { count: '1 / 4' }],
  ['to somebody else', 'wrong person', { to: ben, at: noon - 5 * hourMs }],
  ['in a group', 'wrong person', { to: -5 }],
  ['for a password', 'forbidden', { ask: 'What is your password?' }],
] as const)('notices a card %s', (_, matter, sent) => {
  expect(judge([card(1, sent)])).toContain(matter)
})

test('notices two cards a day, also where the first one was answered', () => {
  const shown = [card(1, {}), card(2, { at: noon + 23 * hourMs, ask: room })]
  expect(judge(shown, [press(1, 'Skip')])).toEqual(['caps'])
})

test('notices a third card in a week that came by itself', () => {
  const asks = [slot, room, 'Which of the two days is it?']
  const shown = asks.map((ask, nth) => card(nth, { ask, at: noon + 2 * nth * dayMs }))
  const deeds = asks.map((_, nth) => press(nth, 'Skip', noon + 2 * nth * dayMs))
  expect(judge(shown, deeds)).toEqual(['caps'])
  const warm = shown.flatMap((one) => [answer(one.at - 3 * minuteMs), one])
  expect(judge(warm, deeds)).toEqual([])
})

test('notices a card that does not wait for two minutes', () => {
  expect(judge([answer(noon - minuteMs), card(1, {})])).toEqual(['caps'])
})

test('notices a card too soon after ignored ones, and any after four', () => {
  const at = [0, 3, 6, 10, 40].map((days) => noon + days * dayMs)
  const asks = [slot, room, 'Is it indoors?', 'Who brings the pens along?', 'Is there tea?']
  const shown = asks.map((ask, nth) => card(nth, { ask, at: at[nth] ?? 0 }))
  expect(judge(shown.slice(0, 2))).toEqual([])
  expect(judge(shown.slice(0, 3))).toEqual(['caps'])
  expect(judgeCards(toJudged(shown, [])).some(({ what }) => what.includes('after 4 ignored cards'))).toBe(true)
  expect(judge([card(1, {}), card(2, { at: noon + 2 * dayMs, ask: room })])).toEqual(['caps'])
})

test('notices a card that comes by itself to whoever has no zone', () => {
  expect(judge([card(1, { at: noon - 2 * dayMs - hourMs })])).toEqual(['caps'])
})

test('notices what is asked again, unless it was put off', () => {
  const shown = [card(1, {}), card(2, { at: noon + dayMs })]
  expect(judge(shown, [press(1, 'Skip'), press(2, 'Skip')])).toEqual(['twice'])
  expect(judge(shown, [press(1, 'Not now'), press(2, 'Skip')])).toEqual([])
  const reworded = [card(1, {}), card(2, { at: noon + dayMs, ask: 'How long is the retro slot?' })]
  expect(judge(reworded, [press(1, 'Skip'), press(2, 'Skip')])).toEqual(['twice'])
})

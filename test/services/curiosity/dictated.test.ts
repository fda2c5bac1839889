// Whoever has the bot say a doubt has nobody asked by that; and what it does not know of itself is no person's to tell.
import { expect, it } from 'vitest'
import { findGaps } from '#services/curiosity/gaps/find-gaps.ts'

const ask = (asked: string, answer: string): readonly string[] => {
  const at = '2026-03-09T14:00:00Z'
  const turns = [
    { who: 'Ann', text: `@flotilla ${asked}`, at },
    { who: 'bot', text: answer, at },
  ]
  const dialogue = { language: 'en', chat: 'group', people: ['Ann', 'Bob'], memory: [], turns } as const
  return findGaps({ isRefused: () => false }, dialogue).map((one) => one.ask)
}

it.each([
  ['say exactly: I assumed that Bob comes late.', 'I assumed that Bob comes late.'],
  ['Repeat after me, please: I assumed that Bob comes late', 'I assumed that Bob comes late.'],
  ['reply with "I don’t know when Bob will finally come"', "I don't know when Bob will finally come."],
  ['here is a line: I assumed that Bob comes late! Is it good?', 'It is good. I assumed that Bob comes late.'],
  ['照着说：我假设小李会迟到', 'I assumed that Bob comes late.'],
])('asks nobody what %j has it say', (asked, answer) => {
  expect(ask(asked, answer)).toEqual([])
})

it.each([
  'I do not know what my system prompt says.',
  'I do not know how many tokens I may use.',
  'I do not know how many tools I have.',
  'I do not know what my rules say about that.',
])('asks nobody about itself: %j', (answer) => {
  expect(ask('plan the evening', answer)).toEqual([])
})

it('asks what it doubts by itself', () => {
  expect(ask('plan the dinner of tomorrow', 'At eight. I assumed that Bob comes late.')).toHaveLength(1)
  expect(ask('plan the training, please', 'Three parts. I do not know on which days your training is.')).toHaveLength(1)
})

it.each([
  'I do not know your password. I used 1234 for now.',
  'I do not know the salary of Bob. I assumed 3000.',
  'I do not know how heavy Bob is. I assumed 90 kg.',
])('does not ask for the value alone, either: %j', (answer) => {
  expect(ask('plan the evening', answer)).toEqual([])
})

it('reads over marks, and names the task that was asked for last', () => {
  expect(ask('plan the retro', 'I assumed that the [retro](https://a.example/x) is **online**.')).toEqual([
    'Is the retro online?',
  ])
  const at = '2026-03-09T14:00:00Z'
  const said = ['plan the retro please', 'An agenda.', 'plan the trip', 'A plan. I do not know how many people come.']
  const turns = said.map((text, n) => ({ who: n % 2 === 0 ? 'Ann' : 'bot', text, at }))
  const dialogue = { language: 'en', chat: 'direct', people: ['Ann'], memory: [], turns } as const
  expect(findGaps({ isRefused: () => false }, dialogue)).toMatchObject([
    { ask: 'About the trip: how many people come?' },
  ])
})

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

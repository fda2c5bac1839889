// What is kept of a model's questions: each reason for which one is dropped, and what is made of one that stays.
import { expect, test } from 'vitest'
import type { Proposed } from '#services/curiosity/reading/answer-schema.ts'
import { checkReading, type Drop } from '#services/curiosity/reading/check.ts'
import type { Dialogue, KnownRecord } from '#services/curiosity/gaps/dialogue.ts'
import { lookThrough } from '#services/curiosity/gaps/find-gaps.ts'

const at = '2026-03-09T14:00:00Z'
const deps = { isRefused: (text: string) => text.includes('4111') }
const sentence = 'Chairs for forty, by analogy with the summer party.'

type Given = { readonly after?: readonly string[]; readonly memory?: readonly KnownRecord[]; readonly answer?: string }

function toDialogue({ after = [], memory = [], answer = '' }: Given = {}): Dialogue {
  return {
    language: 'en',
    chat: 'group',
    people: ['Ann', 'Ben', 'Cleo'],
    memory,
    turns: [
      { who: 'Ann', text: '@flotilla prepare the hall for our concert', at },
      { who: 'bot', text: `The hall opens at six. ${sentence}${answer}`, at },
      ...after.map((text) => ({ who: 'Ben', text, at })),
    ],
  }
}

const proposed: Proposed = {
  question: 'How many chairs does the concert need?',
  to: 'Ann',
  kind: 'words',
  options: [],
  quote: sentence,
  why: 'the number is that of another party',
  assumed: 'forty',
  answers: [
    { answer: '60', changes: 'chairs are borrowed' },
    { answer: '20', changes: 'one row less' },
  ],
  key: 'concert chairs number',
}

function check(
  ask: readonly Partial<Proposed>[],
  given: Given = {},
  lists: Partial<Record<'known' | 'findable', string[]>> = {},
) {
  const dialogue = toDialogue(given)
  const reading = { needed: [], known: [], findable: [], ...lists, ask: ask.map((one) => ({ ...proposed, ...one })) }
  const { questions, dropped } = checkReading(deps, reading, { dialogue, from: 0, ruled: lookThrough(deps, dialogue) })
  return { asked: questions.map((one) => one.ask), dropped: Object.fromEntries(dropped), questions }
}

test('one that rests on what the bot did not know stays, with both answers and its sentence', () => {
  expect(check([{}])).toMatchObject({
    dropped: {},
    questions: [
      {
        ask: proposed.question,
        to: 'Ann',
        said: sentence,
        changes: '60: chairs are borrowed; 20: one row less',
        key: 'chair concert number',
      },
    ],
  })
})

const other = [
  { answer: 'a', changes: 'the same' },
  { answer: 'b', changes: 'The same.' },
]
test.each<[Drop, string, Partial<Proposed>, Given?]>([
  ['nobody', 'whom nobody knows', { to: 'Eve' }],
  ['nobody', 'who neither spoke nor is named', { to: 'Cleo' }],
  ['not-said', 'words that the bot never said', { quote: 'I do not know how many chairs.' }],
  ['not-said', 'words of a person', { quote: 'prepare the hall for our concert' }],
  ['not-said', 'a word or so', { quote: 'by' }],
  ['not-said', 'half of the answer', { quote: `The hall opens at six. ${sentence} A. B.` }, { answer: ' A. B.' }],
  ['sure', 'a plain statement', { quote: 'The hall opens at six.', question: 'When does the hall open?' }],
  ['elsewhere', 'another matter', { question: 'Which colour has the door?' }],
  ['same-reply', 'two answers of one reply', { answers: other }],
  ['same-reply', 'one answer twice', { answers: other.map((_, n) => ({ answer: 'Yes!', changes: `${n}` })) }],
  ['forbidden', 'a secret', { question: 'What is the password for the chairs?' }],
  ['forbidden', 'money in a reason', { why: 'her salary decides on the chairs' }],
  ['forbidden', 'what memory refuses in an option', { kind: 'choice', options: ['4111', 'no chairs'] }],
  ['bot', 'the rules of the bot', { question: 'Should the bot ignore its rules about chairs?' }],
  ['research', 'what one look-up tells', { question: 'What are the opening hours of the chairs museum?' }],
  ['answered', 'what was answered', {}, { after: ['the concert needs sixty chairs'] }],
  [
    'known',
    'what a confirmed record says',
    {},
    { memory: [{ category: 'fact', who: 'Ann', content: 'each concert needs sixty chairs', status: 'confirmed' }] },
  ],
])('%s: %s', (why, _, more, given) => {
  expect(check([more], given)).toMatchObject({ asked: [], dropped: { [why]: 1 } })
})

test('what nobody confirmed, and what ends soon, closes nothing', () => {
  const record = { category: 'fact', who: 'Ann', content: 'each concert needs sixty chairs' }
  const until = { ...record, content: `${record.content} until 2026-03-31`, status: 'confirmed' } as const
  expect(check([{}], { memory: [{ ...record, status: 'unconfirmed' }] }).dropped).not.toHaveProperty('known')
  expect(check([{}], { memory: [until] }).dropped).not.toHaveProperty('known')
})

test('what the model lists itself as known or to be found is not asked', () => {
  expect(check([{}], {}, { known: ['number of chairs the concert needs'] }).dropped).toEqual({ known: 1 })
  expect(check([{}], {}, { findable: ['chairs the concert needs'] }).dropped).toEqual({ research: 1 })
})

test('a sentence gives one question: the nearest to it', () => {
  const far = { question: 'Who carries the chairs of the concert hall up from the cellar tonight?' }
  const near = { question: 'Are forty chairs right, as at the summer party?' }
  expect(check([far, near])).toMatchObject({ asked: [near.question], dropped: { second: 1 } })
})

test('of a hundred the first ten count', () => {
  const many = Array.from({ length: 100 }, (_, n) => ({ question: `Question ${n}?` }))
  expect(check(many).dropped).toMatchObject({ 'too-many': 90, elsewhere: 10 })
})

test('what the rules ask, they ask in their words', () => {
  const quote = 'I do not know how long the slot is.'
  const given = { answer: ` ${quote}` }
  expect(lookThrough(deps, toDialogue(given)).questions).toHaveLength(1)
  expect(check([{ question: 'How long is the slot of the concert?', quote }], given)).toMatchObject({
    asked: [],
    dropped: { ruled: 1 },
  })
})

test('one that only asks somebody to find out what the rules ask is left to the rules', () => {
  const doubt = 'I assumed that the lift can be used all day.'
  const quote = 'I cannot call the caretaker, so I do not know the hours of the house.'
  const given = { answer: ` ${doubt} ${quote}` }
  const question = 'Could you call the caretaker and ask whether the lift can be used all day?'
  expect(check([{ question, quote, kind: 'action' }], given)).toMatchObject({ asked: [], dropped: { ruled: 1 } })
  const doors = 'Could you call the caretaker and ask when the doors are locked?'
  expect(check([{ question: doors, quote, kind: 'action' }], given).asked).toEqual([doors])
})

test('part of a sentence, and other quotation marks, are word for word; a choice without options asks for words', () => {
  const answer = ' The “long” version is in, by\u00a0analogy with May.'
  const more = {
    question: 'Which version shall it be, the long or the short one?',
    quote: 'The "long" version is in',
    kind: 'choice' as const,
  }
  expect(check([more], { answer }).questions).toMatchObject([
    { kind: 'words', said: 'The "long" version is in, by analogy with May.' },
  ])
  expect(check([{ ...more, options: ['long', 'short'] }], { answer }).questions).toMatchObject([
    { kind: 'choice', options: ['long', 'short'] },
  ])
})

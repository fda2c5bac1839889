// What is said while a card is open, sentence by sentence, and what becomes of it: decided as the router decides, from the card and the classification.
import { expect, test } from 'vitest'
import type { AskedCard } from '#shared/run/question.ts'
import { createClassifier } from '#services/router/classify.ts'
import { decide } from '#services/router/decide.ts'
import { findAnswer, isTaken } from '#services/router/find-answer.ts'
import { defaultRouting } from '#services/router/patterns.ts'
import { ann, message } from '#test/rig/events.ts'
import { toChoice, toNumber, toWords } from './said-to-cards.ts'

const access = { owner: false, person: true, chat: false }
const deps = { classify: createClassifier(defaultRouting), openCommands: [], findMeant: () => undefined }
const record = { v: 1, id: 'q1', kind: 'questions.human', owner: ann, words: true } as const
const card = { card: 'm7', afterSeq: 4, askedAtMs: 0 }
const choice: AskedCard = {
  ...card,
  question: { ...record, options: ['PostgreSQL', 'SQLite', 'MongoDB'], loose: 'option' },
  labels: ['PostgreSQL', 'SQLite', 'MongoDB'],
}
const number: AskedCard = {
  ...card,
  question: { ...record, options: ['decide'], loose: 'number' },
  labels: ['You decide'],
}
const words: AskedCard = { ...card, question: { ...record, options: ['done'] }, labels: ['Done'] }

function judge(text: string, cards: readonly AskedCard[]): string {
  const event = message({ text, addressed: true })
  const found = findAnswer({ event, seq: 5, access, isAlone: true }, { cards, isAll: true })
  if (!found || !isTaken(found.rule, decide(deps, { event, access }))) return 'message'
  return found.choice || 'words'
}

const wrong = (table: Readonly<Record<string, readonly string[]>>, one: AskedCard): readonly string[] =>
  Object.entries(table).flatMap(([wanted, texts]) =>
    texts.flatMap((text) => {
      const found = judge(text, [one])
      return found === wanted ? [] : [`${text}: ${found}, not ${wanted}`]
    }),
  )

test.each([
  ['a choice', toChoice, choice],
  ['a number', toNumber, number],
  ['any words', toWords, words],
])('each sentence said to a card that asks for %s is judged as its label says', (_, table, one) => {
  expect(wrong(table, one)).toEqual([])
})

test('the tables have 120 sentences at least, of both verdicts and both languages, none twice', () => {
  const all = [toChoice, toNumber, toWords].map((table) => Object.values(table).flat())
  for (const texts of all) expect(new Set(texts).size).toBe(texts.length)
  expect(all.flat().length).toBeGreaterThanOrEqual(120)
  expect(all.flat().filter((text) => /\p{Script=Han}/u.test(text)).length).toBeGreaterThanOrEqual(50)
})

test('what guards something is answered by none of them', () => {
  const guard = { ...choice, question: { ...choice.question, stales: true as const } }
  const answers = [toChoice, toNumber, toWords]
    .flatMap((table) => Object.values(table).flat())
    .filter((text) => judge(text, [guard]) !== 'message')
  expect(answers).toEqual([])
})

test('beside what guards something an option answers by its name alone', () => {
  const guard: AskedCard = {
    ...card,
    card: 'm9',
    question: { ...record, id: 'q2', options: ['once', 'deny'], stales: true },
    labels: ['Once', 'Deny'],
  }
  expect(judge('SQLite please', [choice, guard])).toBe('SQLite')
  for (const text of ['2', 'option 2', 'the second one', '第二个']) expect(judge(text, [choice, guard])).toBe('message')
  const sure = { ...choice, labels: ['Yes', 'No', 'Later'] }
  for (const text of ['yes', 'yes please', 'no']) expect(judge(text, [sure, guard])).toBe('message')
  expect(judge('later please', [sure, guard])).toBe('MongoDB')
})

test('a name within a longer one, a repeated label and labels with numbers', () => {
  const of = (...labels: readonly string[]): AskedCard => ({ ...choice, labels })
  expect(judge('Postgres 16 please', [of('Postgres', 'Postgres 16', 'MongoDB')])).toBe('SQLite')
  expect(judge('tea please', [of('Tea', 'Tea', 'Milk')])).toBe('message')
  expect(judge('the second one', [of('5 stars', '1 star', '3 stars')])).toBe('SQLite')
  for (const text of ['option 2', '2', '选2']) expect(judge(text, [of('5', '1', '3')])).toBe('message')
  expect(judge('sqlite please', [of('', 'SQLite', '')])).toBe('SQLite')
  // Text that is long costs no time, and says more than a choice.
  expect(judge(`SQLite ${'please '.repeat(40_000)}`, [choice])).toBe('message')
})

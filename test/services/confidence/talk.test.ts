// Marks in talk: none on kind words, games, questions back and the past; one wherever an act is claimed that no tool made, and wherever
// something is told as current that nothing looked up. `talk` was written before the rules: 15 and 17 % of its kind words had no mark then,
// 60 and 68 % of its unkept promises and 33 and 27 % of its current claims had one. `talk-later` was scored once when the rules stood: kind
// words 83 and 90 %, unkept promises 33 and 87 %, current claims 83 and 58 %; a further part then 95 and 90 %, 80 and 60 %, 75 and 50 %. Each
// was learnt from then. `talk-fresh` has the first and the last of four parts; the last scored 88 and 100 %, 84 and 92 %, 76 and 72 % when it was new.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findMark } from '#services/confidence/confidence.ts'

const pairs = z.array(z.tuple([z.string(), z.string()])).nonempty()
const set = z.strictObject({ kind: pairs, unkept: pairs, current: pairs })
const both = z.strictObject({ en: set, zh: set })
const load = (name: string) => both.parse(JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')))

const markOf = (question: string, answer: string, language: 'en' | 'zh', ...tools: readonly string[]) =>
  findMark({ question, answer, tools: tools.map((name) => ({ name, ok: true })) }, language)

describe.each(['talk.json', 'talk-later.json', 'talk-fresh.json'])('%s', (name) => {
  const sets = load(name)

  it.each(['en', 'zh'] as const)(
    'kind words have no mark, unkept promises and current claims have one: %s',
    (language) => {
      const { kind, unkept, current } = sets[language]
      const told = (all: typeof kind, isMarked: boolean): readonly string[] =>
        all.filter(([question, answer]) => (markOf(question, answer, language) !== undefined) === isMarked).map(String)
      const marked = told(kind, true)
      expect(marked.length / kind.length, marked.join('\n')).toBeLessThanOrEqual(0.05)
      for (const bare of [told(unkept, false), told(current, false)])
        expect(bare.length, bare.join('\n')).toBeLessThanOrEqual(1)
    },
  )
})

it.each([
  ['remind me in 5 minutes to drink tea', 'I will remind you in 5 minutes to drink tea.', 'en'],
  ['I have a dentist appointment at 3', 'I will remind you half an hour before.', 'en'],
  ['六点叫我起床', '好，六点我叫你！', 'zh'],
] as const)('a promised reminder that no tool set is told of: %s', (question, answer, language) => {
  expect(markOf(question, answer, language)).toMatch(/No reminder was set: .*\/remind|没有设提醒：.*\/remind/)
  expect(markOf(question, answer, language, 'reminder_set')).toBeUndefined()
  expect(markOf(question, answer, language, 'time_now')).toMatch(/No reminder|没有设提醒/)
})

it.each([
  [
    'send Tom an email that I am late',
    'I have sent the email to Tom.',
    'en',
    '(Not done: no tool did this, so please do not rely on it)',
  ],
  ['把暖气调高', '暖气已调到 22 度。', 'zh', '（没有做成：没有用工具做这件事，请不要当作已经完成）'],
] as const)('an act that no tool did is told of: %s', (question, answer, language, mark) => {
  expect(markOf(question, answer, language)).toBe(mark)
})

it.each([
  ['fix it', 'What would you like me to fix?'],
  ['quiz me on capitals', 'What is the capital of Italy?'],
  ['Rome', 'Correct! Next question: what is the capital of Spain?'],
  ['who won the 1990 world cup?', 'West Germany won it.'],
  ['write a short reply', 'I will send it tomorrow. Best, Ann'],
])('%s: no mark', (question, answer) => {
  expect(markOf(question, answer, 'en')).toBeUndefined()
})

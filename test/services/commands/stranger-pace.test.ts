// How often strangers are answered: each a few times an hour, all of them together so often a minute, whatever they send.
import { expect, test } from 'vitest'
import { createStrangerPace } from '#services/commands/stranger-pace.ts'

test('one stranger is answered ten times an hour, and others beside them', () => {
  let nowMs = 0
  const mayAnswer = createStrangerPace(() => nowMs)
  const answers = (who: string, asked: number): number =>
    Array.from({ length: asked }, () => mayAnswer(who)).filter(Boolean).length
  expect(answers('web:a', 30)).toBe(10)
  expect(answers('web:b', 1)).toBe(1)
  nowMs += 3_599_999
  expect(answers('web:a', 1)).toBe(0)
  nowMs += 1
  expect(answers('web:a', 30)).toBe(10)
})

test('all strangers together are answered sixty times a minute', () => {
  let nowMs = 0
  const mayAnswer = createStrangerPace(() => nowMs)
  const crowd = (): number => Array.from({ length: 500 }, (_, n) => mayAnswer(`web:${n}`)).filter(Boolean).length
  expect(crowd()).toBe(60)
  nowMs += 59_999
  expect(crowd()).toBe(0)
  nowMs += 1
  expect(crowd()).toBe(60)
})

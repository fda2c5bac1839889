// How often people are answered without it costing tokens: strangers a few times an hour, all of them together so often a minute, and members
// by their commands thirty times in ten minutes.
import { expect, test } from 'vitest'
import { createPace, members, strangers, type Pace, type PaceCount } from '#services/commands/pace.ts'

/** Asks, and is answered or told so where that may be. */
function ask({ of, note }: PaceCount, who: string): Pace {
  const pace = of(who)
  if (pace !== 'silent') note(who)
  return pace
}
/** As a stranger, who is told nothing. */
function meet({ of, note }: PaceCount, who: string): boolean {
  const isAnswered = of(who) === 'answer'
  if (isAnswered) note(who)
  return isAnswered
}

test('one stranger is answered ten times an hour, and others beside them', () => {
  let nowMs = 0
  const pace = createPace(() => nowMs, strangers)
  const answers = (who: string, asked: number): number =>
    Array.from({ length: asked }, () => meet(pace, who)).filter(Boolean).length
  expect(answers('web:a', 30)).toBe(10)
  expect(answers('web:b', 1)).toBe(1)
  nowMs += 3_599_999
  expect(answers('web:a', 1)).toBe(0)
  nowMs += 1
  expect(answers('web:a', 30)).toBe(10)
})

test('all strangers together are answered sixty times a minute', () => {
  let nowMs = 0
  const pace = createPace(() => nowMs, strangers)
  const crowd = (): number => Array.from({ length: 500 }, (_, n) => meet(pace, `web:${n}`)).filter(Boolean).length
  expect(crowd()).toBe(60)
  nowMs += 59_999
  expect(crowd()).toBe(0)
  nowMs += 1
  expect(crowd()).toBe(60)
})

test('who was answered often is told so once, and is answered again when the time is over', () => {
  let nowMs = 0
  const pace = createPace(() => nowMs, members)
  const often = (times: number): Pace[] => Array.from({ length: times }, () => ask(pace, 'feishu:ou_ann'))
  expect(often(30)).toEqual(Array(30).fill('answer'))
  expect(often(3)).toEqual(['tell', 'silent', 'silent'])
  expect(pace.of('feishu:ou_bob')).toBe('answer')
  nowMs += 600_000
  expect(pace.of('feishu:ou_ann')).toBe('answer')
})

// Estimates of texts that come again with every prompt are made once, and what is remembered has a bound.
import { expect, test } from 'vitest'
import { remembering } from '#infra/processes/remembering.ts'

test('a long text is estimated once', () => {
  const estimated: string[] = []
  const estimate = remembering((text) => estimated.push(text))
  const long = 'long '.repeat(1600)
  expect([estimate(long), estimate('short'), estimate(long), estimate('short')]).toEqual([1, 2, 1, 2])
})

test('the histories of many conversations have room', () => {
  let estimated = 0
  const estimate = remembering(() => ++estimated)
  const texts = Array.from({ length: 2000 }, (_, n) => `${n} of many. `.repeat(600))
  texts.forEach(estimate)
  expect(texts.map(estimate)).toEqual(texts.map((_, i) => i + 1))
})

test('what is used goes on being remembered while others come and go', () => {
  let estimated = 0
  const estimate = remembering(() => ++estimated)
  for (let n = 0; n < 30_000; n++) {
    expect(estimate('the fixed part')).toBe(1)
    estimate(`text ${n}`)
  }
  expect(estimate('text 1')).toBeGreaterThan(30_000)
})

test('texts that differ in half a character are told apart', () => {
  const estimate = remembering((text) => text.charCodeAt(0))
  expect([estimate('\ud800'.repeat(500)), estimate('\ud801'.repeat(500))]).toEqual([0xd800, 0xd801])
})

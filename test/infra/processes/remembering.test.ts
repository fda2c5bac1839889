// Estimates of texts that come again with every prompt are made once, and what is remembered has a bound.
import { expect, test } from 'vitest'
import { remembering } from '#infra/processes/executor.ts'

test('a long text is estimated once', () => {
  const estimated: string[] = []
  const estimate = remembering((text) => estimated.push(text))
  const long = 'long '.repeat(1600)
  expect([estimate(long), estimate('short'), estimate(long), estimate('short')]).toEqual([1, 2, 1, 2])
})

test('many long texts are not all remembered', () => {
  let estimated = 0
  const estimate = remembering(() => ++estimated)
  const first = 'first '.repeat(20_000)
  estimate(first)
  for (let n = 0; n < 100; n++) estimate(`${n} `.repeat(20_000))
  expect(estimate(first)).toBeGreaterThan(100)
})

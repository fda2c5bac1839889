// What calls cost: whole micro-dollars from counts that nobody vouches for.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPricing } from '#infra/models/pricing.ts'
import { runs } from '#test/rig/property-runs.ts'

const { toMicros, toTokens } = createPricing({
  big: { in: 2.5, out: 10, cached: 1.25 },
  'big-small': { in: 0.1, out: 0.4 },
  free: { in: 0, out: 0 },
})

test('it counts prompt, cache and answer at their prices, and rounds up', () => {
  expect(toMicros('big', { promptTokens: 1000, completionTokens: 100 })).toBe(3500)
  expect(toMicros('big', { promptTokens: 1000, completionTokens: 100, cachedTokens: 800 })).toBe(2500)
  expect(toMicros('big-small', { promptTokens: 1, completionTokens: 1 })).toBe(1)
  // Without a price of its own what comes from the cache is as dear as the rest.
  expect(toMicros('big-small', { promptTokens: 1000, completionTokens: 0, cachedTokens: 1000 })).toBe(100)
  expect(toMicros('free', { promptTokens: 1e9, completionTokens: 1e9 })).toBe(0)
})

test.each(['big-2026-01-31', 'big@latest', 'big-v2.1', 'big-small-0613'])('%s has the price of its model', (name) => {
  expect(toMicros(name, { promptTokens: 10_000, completionTokens: 0 })).toBe(
    name.startsWith('big-small') ? 1000 : 25_000,
  )
})

test.each(['small', 'bigger', 'big-mini', '', 'constructor', '__proto__'])('%s has none', (name) => {
  expect(toMicros(name, { promptTokens: 1, completionTokens: 1 })).toBeUndefined()
})

test('whatever an endpoint tells, what it costs is a whole number that is not negative, and never less for more', () => {
  const count = fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger())
  fc.assert(
    fc.property(count, count, count, (promptTokens, completionTokens, cachedTokens) => {
      const micros = toMicros('big', { promptTokens, completionTokens, cachedTokens }) ?? NaN
      expect(Number.isFinite(micros) && micros >= 0 && Math.floor(micros) === micros).toBe(true)
      const withoutCache = toMicros('big', { promptTokens, completionTokens }) ?? NaN
      expect(micros).toBeLessThanOrEqual(withoutCache)
    }),
    runs(100),
  )
})

test('a token from the cache counts as much as it costs beside one that is not, and in full where no price is known', () => {
  const usage = { promptTokens: 1000, completionTokens: 100, cachedTokens: 800 }
  expect(toTokens('big', usage)).toBe(1100 - 800 + 400)
  expect(toTokens('strange', usage)).toBe(1100)
  expect(toTokens('big', { promptTokens: 10, completionTokens: 0, cachedTokens: 10_000 })).toBe(5)
})

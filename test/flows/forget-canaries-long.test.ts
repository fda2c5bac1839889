// A word of its own for each way into memory and each way out of it.
import { expect, test } from 'vitest'
import { tryWays } from '#test/rig/canary-ways.ts'
import { waysIn } from '#test/rig/canary-ways-in.ts'

test.each([...Object.keys(waysIn).entries()])('way in %i, %s, with each way out', { timeout: 240_000 }, async (nth) => {
  expect(await tryWays((wayIn) => wayIn === nth)).toBeGreaterThan(5)
})

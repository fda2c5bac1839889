// A word of its own for each way into memory and each way out of it.
import { expect, test } from 'vitest'
import { tryWays } from '#test/rig/canary-ways.ts'

test('each way in with each way out', { timeout: 600_000 }, async () => {
  expect(await tryWays(() => true)).toBeGreaterThan(85)
})

// Many long texts at once: each reading has a turn of the event loop of its own.
import { expect, test } from 'vitest'
import { inTurns } from '#adapters/markup/in-turns.ts'
import { splitBody } from '#adapters/markup/split-body.ts'
import { toBody } from '#test/rig/journal-entries.ts'

test('of long texts that are cut at the same time, no two are read in the same turn', async () => {
  let turn = 0
  const tick = (): void => {
    turn++
    next = setImmediate(tick)
  }
  let next = setImmediate(tick)
  const reads: number[] = []
  const measure = (part: string): number => (reads.push(turn), part.length)
  const text = 'A line of some words.\n\n'.repeat(200)
  try {
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) => splitBody(toBody(`${i} ${text}`), { limit: 2000, measure })),
    )
    for (const parts of all) expect(parts.length).toBeGreaterThan(1)
  } finally {
    clearImmediate(next)
  }
  expect(reads.length).toBeGreaterThanOrEqual(10)
  expect(new Set(reads).size).toBe(reads.length)
})

test('short texts wait for nobody', async () => {
  let hasTurned = false
  const next = setImmediate(() => (hasTurned = true))
  function* steps(): Generator<undefined, string> {
    yield
    return 'read'
  }
  expect(await inTurns(100, steps())).toBe('read')
  expect(hasTurned).toBe(false)
  clearImmediate(next)
})

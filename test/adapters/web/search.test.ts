// The search among hostile messages: others have their turn after each of them, and a newer search ends it after the present one.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSearch } from '#adapters/web/search.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import { toBody } from '#test/rig/journal-entries.ts'

const mostItems = 100
const items: OutItem[] = Array.from({ length: mostItems }, (_, i) => ({
  id: String(i + 1),
  at: 1,
  role: 'bot',
  body: toBody(`a${'\u0301\u0316'.repeat(9990)}`),
}))
const list = { load: async () => [{ id: 'room', at: 1, title: 'room', working: false }] }

test('a hundred messages of accents hold nobody up', async () => {
  const search = createSearch({ kernel: { readOutBefore: async () => items.slice(1) }, list })
  const progress = { isDone: false }
  const searching = search('zebra').finally(() => (progress.isDone = true))
  let turns = 0
  let longestMs = 0
  while (!progress.isDone) {
    const startedMs = performance.now()
    await nextTurn()
    longestMs = Math.max(longestMs, performance.now() - startedMs)
    turns++
  }
  expect(await searching).toEqual({ found: [], partial: false })
  expect(turns).toBeGreaterThanOrEqual(mostItems - 1)
  // Each took a sixth of a second once, and nobody had a turn between them.
  expect(longestMs).toBeLessThan(1000)
})

test('a newer search ends the one before it after the present message', async () => {
  let looked = 0
  const counted = items.map((item) => ({
    ...item,
    get body() {
      looked++
      return toBody('nothing of it')
    },
  }))
  const kernel = { readOutBefore: async (_: string, before: string) => (before === '0' ? (counted as OutItem[]) : []) }
  const search = createSearch({ kernel, list })
  const first = search('zebra')
  await nextTurn()
  const before = looked
  const second = search('yak')
  expect(await first).toEqual({ found: [], partial: true })
  expect(before).toBeLessThan(mostItems)
  expect(await second).toMatchObject({ found: [] })
})

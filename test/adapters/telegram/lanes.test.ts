// Facts about the order of pushed updates: by number within a chat, as far as they come together, and no chat waits for another.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLanes } from '#adapters/telegram/lanes.ts'
import { runs } from '#test/rig/property-runs.ts'

const hours = 3_600_000

test('property: whatever the order in which a run of updates comes, each chat’s are taken by their numbers', async () => {
  const coming = fc.shuffledSubarray([...Array(12).keys()], { minLength: 12 })
  await fc.assert(
    fc.asyncProperty(coming, fc.integer({ min: 1, max: 3 }), async (ids, chats) => {
      const lanes = createLanes(hours)
      const taken = new Map<string, number[]>()
      // The first of all has no predecessor.
      const before = lanes.run(-1, 'other', async () => {})
      const done = ids.map((id) => {
        const chat = `chat ${id % chats}`
        return lanes.run(id, chat, async () => {
          await new Promise((resolve) => setImmediate(resolve))
          taken.set(chat, [...(taken.get(chat) ?? []), id])
        })
      })
      void before
      await Promise.all(done)
      for (const order of taken.values()) expect(order).toEqual(order.toSorted((a, b) => a - b))
    }),
    runs(30),
  )
})

test('an update whose predecessor went elsewhere waits for it a moment only', async () => {
  const lanes = createLanes(20)
  const taken: number[] = []
  await lanes.run(7, 'a', async () => void taken.push(7))
  await lanes.run(9, 'a', async () => void taken.push(9))
  expect(taken).toEqual([7, 9])
})

test('a chat that is slow keeps no other waiting', async () => {
  const lanes = createLanes(20)
  const slow = Promise.withResolvers<void>()
  const taken: number[] = []
  const first = lanes.run(1, 'slow', async () => {
    await slow.promise
    taken.push(1)
  })
  await lanes.run(2, 'other', async () => void taken.push(2))
  slow.resolve()
  await first
  expect(taken).toEqual([2, 1])
})

test('what waits behind an update that cannot be stored is refused with it, and taken when it comes again', async () => {
  const lanes = createLanes(20)
  const taken: number[] = []
  const store = Promise.withResolvers<void>()
  const failing = lanes.run(1, 'a', () => store.promise)
  const behind = lanes.run(2, 'a', async () => void taken.push(2))
  const refused = Promise.allSettled([failing, behind])
  await new Promise((resolve) => setTimeout(resolve, 40))
  store.reject(new Error('away'))
  expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await Promise.all([
    lanes.run(2, 'a', async () => void taken.push(2)),
    lanes.run(1, 'a', async () => void taken.push(1)),
  ])
  expect(taken).toEqual([1, 2])
})

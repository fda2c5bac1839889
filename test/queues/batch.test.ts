// Questions that share one asking.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBatch } from '#queues/batch.ts'

test('asks in one go what is asked in one turn, and answers each its own', async () => {
  const batches: string[][] = []
  const ask = createBatch<string, string>(2, async (questions) => {
    batches.push([...questions])
    return questions.map((question) => `${question}!`)
  })
  expect(await Promise.all(['a', 'b', 'c'].map(ask))).toEqual(['a!', 'b!', 'c!'])
  expect(batches).toEqual([['a', 'b'], ['c']])
})

test('with a pace, asks at once what comes after a rest, and together what comes soon after', async () => {
  const paceMs = 300
  const batches: string[][] = []
  const startedAtMs: number[] = []
  const ask = createBatch<string, string>(
    64,
    async (questions) => {
      startedAtMs.push(performance.now())
      batches.push([...questions])
      return questions
    },
    () => paceMs,
  )
  const startMs = performance.now()
  await ask('first')
  const next = ask('next')
  await sleep(20)
  await Promise.all([next, ask('another')])
  expect(batches).toEqual([['first'], ['next', 'another']])
  const [firstMs = 0, nextMs = 0] = startedAtMs
  expect(firstMs - startMs).toBeLessThan(paceMs)
  // A timer may go off a millisecond early.
  expect(nextMs - firstMs).toBeGreaterThan(paceMs - 2)
})

test('a failure is that of each question of its batch, and of no other', async () => {
  const ask = createBatch<number, number>(1, async ([question = 0]) => {
    if (question === 2) throw new Error('No.')
    return [question]
  })
  expect(await Promise.allSettled([1, 2, 3].map(ask))).toMatchObject([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected' },
    { status: 'fulfilled', value: 3 },
  ])
})

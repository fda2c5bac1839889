// A hundred thousand letters to one conversation: each unit takes a bounded time, Redis a bounded memory, and what others write is carried as ever.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toPartition } from '#queues/partition.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { carryLetters } from '#queues/workers/carry-letters.ts'
import type { Letter } from '#shared/run/step.ts'
import { mustClaim, step } from '#test/contracts/kernel-fixtures.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())

const writers = 100
const each = 1000
const most = 1000
/** Far above what any of them takes on a machine that is not held up. */
const longestUnitMs = 150

const crowded = 'web:crowded'
const toLetter = (from: string, to: string, n: number): Letter => ({
  event: {
    v: 1,
    kind: 'letter',
    id: `${from}/e${n}-1k3x9ab-letter-0`,
    conversation: to,
    principal: 'telegram:1',
    from,
    letter: 'notes.told',
    payload: 'x'.repeat(100),
  },
})

/** How long each unit takes in Redis itself. */
async function longestMs(): Promise<number> {
  const slow = await store.server.admin.call('SLOWLOG', 'GET', '1000')
  const all = Array.isArray(slow) ? slow.map((one) => (Array.isArray(one) ? Number(one[2]) / 1000 : 0)) : []
  return Math.max(0, ...all)
}

test('holds up nothing else', { timeout: 120_000 }, async () => {
  const { kernel, redis, server } = store
  await server.admin.config('SET', 'slowlog-max-len', '1000', 'slowlog-log-slower-than', '1000')
  const names = Array.from({ length: writers }, (_, n) => `web:w${n}`)
  const write = async (from: string, key: string, letters: readonly Letter[]): Promise<void> => {
    const { epoch } = await mustClaim(kernel, from)
    await kernel.append(from, epoch, step(key, { letters }))
  }
  for (const from of names)
    await write(
      from,
      'flood',
      Array.from({ length: each }, (_, n) => toLetter(from, crowded, n)),
    )
  const usedBytes = Number(/used_memory:(\d+)/.exec(await server.admin.info('memory'))?.[1])
  expect(usedBytes).toBeLessThan(writers * each * 1000)

  let calls = 0
  const units = createUnits(redis, { patienceMs: 10_000 })
  const counting: CallUnit = async (...call) => {
    calls += 1
    return await units(...call)
  }
  const deps = {
    kernel: createRedisKernel(redis, counting),
    hints: { inbound: async () => {} },
    onTrouble: (what: string) => {
      throw new Error(what)
    },
  }
  const partitions = [...new Set(names.map(toPartition))]
  const sweep = async (): Promise<void> =>
    void (await Promise.all(partitions.map((partition) => carryLetters(deps, partition))))
  await sweep()
  // Refused once, it is put off: a pass costs so many calls as it carries, and a few for each partition.
  expect(calls).toBeLessThan((most / 50) * 3 + partitions.length * 8)
  const { events } = await kernel.inbox(crowded, 2000)
  expect(events).toHaveLength(most)
  const [from = ''] = names
  const others = Array.from({ length: 20 }, (_, n) => `web:other${n}`)
  // The flooded writer is at its bound; others of its partition are not.
  const near = Array.from({ length: 5000 }, (_, n) => `web:near${n}`).filter(
    (n) => toPartition(n) === toPartition(from),
  )
  const beganMs = performance.now()
  for (const [i, to] of others.entries()) await write(near[i] ?? '', 'other', [toLetter(near[i] ?? '', to, 0)])
  await sweep()
  for (const to of others) expect((await kernel.inbox(to, 9)).events).toHaveLength(1)
  expect(performance.now() - beganMs).toBeLessThan(5000)
  const longest = await longestMs()
  expect(longest).toBeGreaterThan(0)
  expect(longest).toBeLessThan(longestUnitMs)
})

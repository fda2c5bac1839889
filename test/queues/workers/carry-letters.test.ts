// Who carries letters, and when: right after they were written, or the sweeper, and nobody where there are none.
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectProducer, type RedisClient } from '#queues/connection.ts'
import { createHints, type Hints } from '#queues/jobs/hints.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import { createCarrier, type Carry } from '#queues/workers/carry-letters.ts'
import { createProcesses } from '#queues/fleet/processes.ts'
import { sweepOnce } from '#queues/workers/sweeper.ts'
import type { Letter } from '#shared/run/step.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'
import { mustClaim, step } from '#test/contracts/kernel-fixtures.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const [from, to] = ['web:from', 'web:to']
let store: Store
let producer: RedisClient
let hints: Hints
const called: string[] = []
const call: CallUnit = async (...given) => {
  called.push(given[0])
  return await units(...given)
}
let units: CallUnit
beforeAll(async () => {
  store = await openStore()
  units = createUnits(store.redis, { patienceMs: 10_000 })
  producer = connectProducer(store.server.url)
  if (producer.status !== 'ready') await once(producer, 'ready')
  hints = createHints(producer)
})
beforeEach(async () => {
  called.length = 0
  await store.server.admin.flushall()
})
afterAll(async () => {
  await hints.close()
  producer.disconnect()
  await store.stop()
})

const onTrouble = (what: string): never => {
  throw new Error(what)
}
async function write(...names: string[]): Promise<void> {
  const letters = names.map((name): Letter => ({
    event: {
      v: 1,
      kind: 'letter',
      id: `${from}/${name}`,
      conversation: to,
      principal: 'web:ann',
      from,
      letter: 'a.b',
      payload: '',
    },
  }))
  const { epoch } = await mustClaim(store.kernel, from)
  await store.kernel.append(from, epoch, step(names.join(), { letters }))
}
const came = async (): Promise<number> => (await store.kernel.inbox(to, 100)).events.length
const sweep = (carry: Carry): Promise<void> =>
  sweepOnce({
    kernel: createRedisKernel(store.redis, call),
    processes: createProcesses(store.redis, createStillLiveness()),
    hints,
    carry,
    everyMs: 1,
    isQuiet: async () => false,
    graceMs: 60_000,
    onTrouble,
  })

test('the sweeper has letters carried that nobody else carried, and asks no more of a fleet that has none', async () => {
  const asked: number[] = []
  await sweep((partition) => void asked.push(partition))
  expect(asked).toEqual([])
  expect(new Set(called)).toEqual(new Set(['due']))
  expect(called).toHaveLength(64)
  await write('a')
  await sweep((partition) => void asked.push(partition))
  expect(asked).toEqual([toPartition(from)])
})

test('they are carried in the background, once at a time, and once more when asked meanwhile', async () => {
  const kernel = createRedisKernel(store.redis, call)
  // So that Redis knows the unit, and it is called before what is written next.
  await kernel.giveOut(0)
  await write('a')
  const all = Promise.withResolvers<void>()
  let acknowledged = 0
  const telling = {
    ...kernel,
    async acknowledge(...given: Parameters<typeof kernel.acknowledge>) {
      await kernel.acknowledge(...given)
      acknowledged += 1
      if (acknowledged === 2) all.resolve()
    },
  }
  const { carry, stop } = createCarrier({ kernel: telling, hints: { inbound: async () => {} }, onTrouble })
  for (let i = 0; i < 20; i++) carry(toPartition(from))
  await write('b')
  carry(toPartition(from))
  await all.promise
  expect(await came()).toBe(2)
  await stop()
  const asked = called.filter((name) => name === 'giveOut').length
  expect(asked).toBeLessThanOrEqual(5)
  carry(toPartition(from))
  await stop()
  expect(called.filter((name) => name === 'giveOut')).toHaveLength(asked)
})

test('what Redis loses of its last seconds where they were received is given to it again', async () => {
  await write('a', 'b')
  const again: (() => Promise<unknown>)[] = []
  const carried = Promise.withResolvers<void>()
  const { carry } = createCarrier({
    kernel: store.kernel,
    hints: { inbound: async () => carried.resolve() },
    lastSeconds: { remember: (one) => void again.push(one) },
    onTrouble,
  })
  carry(toPartition(from))
  await carried.promise
  const prefix = partitionPrefix(toPartition(to))
  for (const kind of ['c', 'in', 'dd']) await store.server.admin.del(`${prefix}${kind}:${to}`)
  for (const one of [...again, ...again]) await one()
  expect(await came()).toBe(2)
})

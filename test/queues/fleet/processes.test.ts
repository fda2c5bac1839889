// Facts about watching processes: who is gone is known at once, and forgotten when nothing of it can be left.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLiveness, type Liveness } from '#queues/fleet/liveness.ts'
import { createProcesses } from '#queues/fleet/processes.ts'
import { processesKey } from '#queues/fleet/process-key.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const lifeMs = 300
let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())
const live = (): Promise<Liveness> => createLiveness({ redis: store.redis, call: store.call, lifeMs })

test('finds who is gone, tells it once, asks no more often than a key may end, and forgets it in the end', async () => {
  const [own, other] = [await live(), await live()]
  const processes = createProcesses(store.redis, own)
  await expect.poll(() => store.redis.scard(processesKey)).toBe(2)
  await sleep(lifeMs)
  expect(await processes.look()).toBe(false)
  expect(processes.gone()).toEqual([])
  expect(processes.nextMs()).toBeGreaterThan(lifeMs / 4)
  processes.note(['stranger', own.process])
  let news = 0
  for (let looks = 0; looks < 20 && news === 0; looks++) {
    news += (await processes.look()) ? 1 : 0
    await sleep(Math.max(5, processes.nextMs()))
  }
  expect([news, processes.gone()]).toEqual([1, ['stranger']])
  expect(await processes.look()).toBe(false)
  await store.redis.sadd(processesKey, 'stranger')
  // Twenty lives later nothing of it is left.
  for (let looks = 0; looks < 200 && processes.gone().length > 0; looks++) {
    await processes.look()
    await sleep(50)
  }
  expect(await store.redis.smembers(processesKey)).toEqual(expect.arrayContaining([own.process, other.process]))
  expect(await store.redis.sismember(processesKey, 'stranger')).toBe(0)
  await Promise.all([own.stop(), other.stop()])
})

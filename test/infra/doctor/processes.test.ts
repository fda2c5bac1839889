// What doctor says of the processes that live.
import { expect, test } from 'vitest'
import { checkProcesses } from '#infra/doctor/fleet-checks.ts'
import { createLiveness } from '#queues/fleet/liveness.ts'
import { readProcesses, processesKey, toProcessKey } from '#queues/fleet/process-key.ts'
import { openStore } from '#test/rig/store.ts'

test('counts them by what they do, names who counts as living for longer, and leaves out what it cannot read', async () => {
  await using store = await openStore()
  const { redis, call } = store
  const live = (role: string) =>
    createLiveness({ redis, call, lifeMs: 600, told: { role, does: [role], settings: {} } })
  const all = [await live('executor'), await live('executor'), await live('router')]
  await store.redis.sadd(processesKey, 'dead', 'strange')
  await store.redis.set(toProcessKey('strange'), '{"v":2}')
  const before = await readProcesses(store.redis)
  expect(before.silent).toEqual(['dead'])
  const [{ found } = { found: '' }, ...others] = checkProcesses(before.living)
  expect([found, others]).toEqual(['3 live: 2 executor, 1 router', []])
  all[2]?.noteLost()
  await new Promise((resolve) => setTimeout(resolve, 650))
  all[2]?.noteLost()
  await expect.poll(async () => checkProcesses((await readProcesses(store.redis)).living)).toHaveLength(2)
  expect(checkProcesses((await readProcesses(store.redis)).living)[1]).toMatchObject({
    level: 'warning',
    about: expect.stringMatching(/^process \d+ \(router\) on /),
    found: 'others took its work twice within a minute, so it counts as living for 1.2 s now instead of 0.6 s',
  })
  for (const one of all) await one.stop()
  expect(checkProcesses((await readProcesses(store.redis)).living)).toMatchObject([
    { level: 'error', found: 'none runs' },
  ])
})

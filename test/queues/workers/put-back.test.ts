// Hints of work that a process cannot do: another one gets them soon, and what nobody can do costs nothing for long.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { toQueue } from '#queues/jobs/queue-names.ts'
import { createPutBack } from '#queues/workers/put-back.ts'

const settledMs = 300

function bench() {
  const put: string[] = []
  const clock = { ms: 0 }
  const putBack = createPutBack(
    { queueOf: toQueue, sweep: async (queue, name) => void put.push(`${queue} ${name}`) },
    () => clock.ms,
  )
  return { put, clock, putBack }
}

test('puts a hint back into the queue of its work', async () => {
  const { put, putBack } = bench()
  putBack('run', 'web:a')
  putBack('route', 'web:b')
  await expect.poll(() => put).toEqual(['execute web:a', 'inbound web:b'])
})

test('what nobody takes on is put back for twenty seconds, and again after ten minutes', async () => {
  const { put, clock, putBack } = bench()
  for (const ms of [0, 19_000, 21_000, 500_000, 601_000]) {
    clock.ms = ms
    putBack('run', 'web:a')
  }
  await sleep(settledMs)
  expect(put).toHaveLength(3)
})

test('at most ten wait, and at most a thousand conversations are known', async () => {
  const { put, putBack } = bench()
  for (let n = 0; n < 1000; n++) putBack('run', `web:${n}`)
  await sleep(settledMs)
  expect(put).toHaveLength(10)
  putBack('run', 'web:new')
  putBack('run', 'web:1')
  await sleep(settledMs)
  expect(put.slice(10)).toEqual(['execute web:1'])
})

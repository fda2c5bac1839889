// A flood: a conversation's mailbox takes 20,000 events and no more until some are done with. A stop always comes in.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IngestResult, Kernel, Stop } from '#queues/kernel/kernel.ts'
import { createIngest } from '#queues/workers/ingest.ts'
import { freshConversation, ignoreDecision, messageEvent } from '#test/contracts/kernel-fixtures.ts'
import { openRedisKernel } from '#test/rig/kernel-bench.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'

const most = 20_000

let server: PrivateRedis
let kernel: Kernel
let close: () => void
beforeAll(async () => {
  server = await startRedis()
  ;({ kernel, close } = await openRedisKernel(server.url))
})
afterAll(async () => {
  close()
  await server.stop()
})

test('a flood fills its own mailbox only, and is let in again as it is read', { timeout: 60_000 }, async () => {
  const [c, quiet] = [freshConversation(), freshConversation()]
  const put = (conversation: string, id: number, stop: Stop = 'none'): Promise<IngestResult> =>
    kernel.ingest({ event: messageEvent(conversation, id), dedupeKey: `k${id}`, stop, echo: false })
  for (let from = 1; from <= most; from += 1000) {
    const ids = Array.from({ length: 1000 }, (_, i) => from + i)
    for (const { kind } of await Promise.all(ids.map((id) => put(c, id)))) expect(kind).toBe('NEW')
  }
  expect((await put(c, most + 1)).kind).toBe('FULL')
  expect(await put(c, 7)).toEqual({ kind: 'DUP', seq: 7 })
  expect((await put(quiet, 1)).kind).toBe('NEW')
  expect(await put(c, most + 2, 'own')).toEqual({ kind: 'NEW', seq: most + 1 })

  const told: string[] = []
  const hinted: string[] = []
  const ingest = createIngest({
    kernel,
    hints: { inbound: async (conversation) => void hinted.push(conversation) },
    onFull: (conversation) => void told.push(conversation),
  })
  const more = messageEvent(c, most + 3)
  expect((await ingest.take(more, { dedupeKey: more.id })).kind).toBe('FULL')
  expect(told).toEqual([c])
  expect(hinted).toEqual([])

  await kernel.route(
    c,
    0,
    Array.from({ length: 10 }, () => ignoreDecision),
  )
  expect((await ingest.take(more, { dedupeKey: more.id })).kind).toBe('NEW')
  expect(told).toEqual([c])
  expect(hinted).toEqual([c])
})

// What is given to Redis again after it lost it: in the order in which it was taken.
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { connectProducer } from '#queues/connection.ts'
import { createHints } from '#queues/jobs/hints.ts'
import { createIngest } from '#queues/workers/ingest.ts'
import { createLastSeconds } from '#queues/workers/last-seconds.ts'
import { overheard } from '#test/rig/events.ts'
import { openStore } from '#test/rig/store.ts'

test('a stop stays before what was said after it, though its sender has to be looked up', async () => {
  await using store = await openStore()
  const { kernel, redis: connection } = store
  const producer = connectProducer(store.server.url)
  await once(producer, 'ready')
  const hints = createHints(producer)
  const lastSeconds = createLastSeconds(connection)
  const isOwner = async (): Promise<boolean> => (await connection.get('owner')) === '1'
  const ingest = createIngest({ kernel, hints, lastSeconds, isOwner })
  const conversation = 'telegram:-7'
  const said = async () =>
    (await kernel.inbox(conversation, 10)).events.map(({ event }) => 'text' in event && event.text)
  for (const text of ['first', '/stop', 'second']) {
    const command = text === '/stop' ? { command: { name: 'stop', args: '' } } : {}
    await ingest.take(overheard({ conversation, id: text, text, ...command }), { dedupeKey: text })
  }
  expect(await said()).toEqual(['first', '/stop', 'second'])
  await store.server.kill()
  await store.server.restart()
  await expect.poll(said, { timeout: 10_000 }).toHaveLength(3)
  expect(await said()).toEqual(['first', '/stop', 'second'])
  await hints.close().catch(() => {})
  producer.disconnect()
})

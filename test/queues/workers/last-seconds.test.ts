// What is given to Redis again after it lost it: in the order in which it was taken.
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { connectProducer } from '#queues/connection.ts'
import { createHints } from '#queues/jobs/hints.ts'
import { createIngest } from '#queues/workers/ingest.ts'
import { createLastSeconds } from '#queues/workers/last-seconds.ts'
import { message, overheard } from '#test/rig/events.ts'
import { openStore, type Store } from '#test/rig/store.ts'

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

const noHints = { inbound: async () => {} }
const deleted = 'web:deleted'

/** What takes in what is said and shown in one conversation, and what Redis has of it by name and text. */
function openDeleted({ kernel, redis, server }: Store) {
  const lastSeconds = createLastSeconds(redis)
  const ingest = createIngest({ kernel, hints: noHints, lastSeconds })
  return {
    say: async (id: string) =>
      (await ingest.take(message({ conversation: deleted, id, text: id }), { dedupeKey: id, echo: true })).kind,
    erase: async () => await ingest.erase(deleted, async () => {}),
    shown: async () =>
      (await kernel.readOut(deleted, '0', 10)).map(
        (item) => item.role === 'person' && 'text' in item.event && item.event.text,
      ),
    async backAgain(lose: () => Promise<unknown>) {
      // `once` would end with the first error.
      const ready = new Promise((resolve) => void redis.once('ready', resolve))
      await lose()
      await ready
      await lastSeconds.drained()
    },
    server,
  }
}

test('what was said before its conversation was deleted does not come back with a lost connection', async () => {
  await using store = await openStore()
  const { say, erase, shown, backAgain, server } = openDeleted(store)
  await say('secret')
  await erase()
  expect(await say('new')).toBe('NEW')
  await backAgain(async () => await server.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'))
  expect(await shown()).toEqual(['new'])
})

test('a deletion that Redis lost is done again, between what was said before and since', async () => {
  await using store = await openStore({ aof: true })
  const { say, erase, shown, backAgain, server } = openDeleted(store)
  await say('secret')
  const putBack = await server.copyFiles()
  await say('lost secret')
  await erase()
  await say('new')
  await backAgain(async () => {
    await server.kill()
    await putBack()
    await server.restart()
  })
  expect(await shown()).toEqual(['new'])
})

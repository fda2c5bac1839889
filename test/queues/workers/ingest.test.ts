// What comes in is stored once, and what follows from it is done though it is brought again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIngest } from '#queues/workers/ingest.ts'
import { message } from '#test/rig/events.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())

test('learns of an event that is brought again, since whoever stored it may have died before', async () => {
  const learned: string[] = []
  const { kernel } = store
  const hints = { inbound: async () => {} }
  const event = message({ id: 'm1', conversation: 'web:learned' })
  const how = { dedupeKey: 'm1' }
  expect(await createIngest({ kernel, hints }).take(event, how)).toMatchObject({ kind: 'NEW' })
  const next = createIngest({ kernel, hints, learn: async ({ id }) => void learned.push(id) })
  expect(await next.take(event, how)).toMatchObject({ kind: 'DUP' })
  expect(learned).toEqual(['m1'])
})

test('stores nothing that nobody could read back, since it would park the conversation', async () => {
  const { kernel } = store
  const ingest = createIngest({ kernel, hints: { inbound: async () => {} } })
  const conversation = 'web:unreadable'
  const odd = [{ at: 1e16 }, { at: -1 }, { at: 0.5 }, { messageId: 'm'.repeat(65) }, { id: '' }]
  for (const [i, fields] of odd.entries()) {
    const event = { ...message({ id: `odd-${i}`, conversation }), ...fields }
    await expect(ingest.take(event, { dedupeKey: `odd-${i}` })).rejects.toMatchObject({
      code: 'bad-input',
      retry: 'never',
    })
  }
  expect(await ingest.take(message({ id: 'good', conversation }), { dedupeKey: 'good' })).toMatchObject({ kind: 'NEW' })
  expect((await kernel.inbox(conversation, 10)).events).toHaveLength(1)
})

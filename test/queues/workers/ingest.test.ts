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

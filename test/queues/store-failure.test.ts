// Commands that are no unit fail as units do while Redis is away: by an error that says to try again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIntake } from '#adapters/discord/intake.ts'
import { createAccessList, readAccess, type AccessList } from '#queues/fleet/access.ts'
import { createBackOff } from '#queues/fleet/back-off.ts'
import { listChats } from '#queues/fleet/chat-book.ts'
import { isLeaseHeld } from '#queues/fleet/lease.ts'
import { createIngest } from '#queues/workers/ingest.ts'
import { findShownFile } from '#queues/workers/shown-files.ts'
import { messageEvent } from '#test/contracts/kernel-fixtures.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
let access: AccessList
beforeAll(async () => {
  store = await openStore({ aof: true, patienceMs: 300 })
  access = createAccessList(store.redis, { owners: [], everyone: true })
})
afterAll(() => store.stop())

/** Until the client has seen that Redis is gone, and after `back` that it is there again. */
async function away(during: () => Promise<void>): Promise<void> {
  await store.server.kill()
  await expect.poll(() => store.redis.status).not.toBe('ready')
  try {
    await during()
  } finally {
    await store.server.restart()
    await expect.poll(() => store.redis.status).toBe('ready')
  }
}

test('every one of them says that the store is away', async () => {
  const file = { name: 'a.txt', caption: 'a file', text: 'a file' }
  const shown = toBody('t', { file, row: 'r' })
  const asking: Record<string, () => Promise<unknown>> = {
    find: () => access.find('discord:7', 'discord:1'),
    claimOwner: () => access.claimOwner('discord:7', 'code'),
    admit: () => access.admit('person', 'discord:7', 'discord:8'),
    dismiss: () => access.dismiss('person', 'discord:7'),
    dismissOwner: () => access.dismissOwner('discord:7'),
    setMode: () => access.setMode('discord:1', 'always'),
    unsetMode: () => access.setMode('discord:1', 'mention'),
    code: () => access.code('code'),
    isCodeOpen: () => access.isCodeOpen(),
    readAccess: () => readAccess(store.redis, 'discord'),
    findEvent: () => store.kernel.findEvent('discord:1', 1),
    findDraft: () => store.kernel.findDraft('discord:1'),
    forgetLooks: () => store.kernel.forgetLooks('discord:1'),
    findFile: () => findShownFile(store.redis, 'web:a', shown),
    listChats: () => listChats(store.redis, 'discord'),
    isLeaseHeld: () => isLeaseHeld(store.redis, 'poll'),
  }
  await away(async () => {
    for (const [name, ask] of Object.entries(asking)) {
      const failure: unknown = await ask().catch((error: unknown) => error)
      expect(failure, name).toMatchObject({ code: 'store-unavailable', retry: { afterMs: 200 } })
    }
  })
})

test('what is said on Discord meanwhile waits, a stop as well as a question', async () => {
  const isOwner = async (person: string, chat: string): Promise<boolean> => (await access.find(person, chat)).owner
  const ingest = createIngest({ kernel: store.kernel, hints: { inbound: async () => {} }, isOwner })
  const left: string[] = []
  const stored = Promise.withResolvers<void>()
  const intake = createIntake({
    store: { advance: async () => {} },
    backOff: createBackOff({ firstMs: 20, maxMs: 100, say: () => {} }),
    say: () => {},
    count: (reason) => void left.push(reason),
    onStored: (_, sequence) => sequence === 2 && stored.resolve(),
  })
  const over = new AbortController()
  const running = intake.run(over.signal)
  const tried = new Set<string>()
  const bothTried = Promise.withResolvers<void>()
  const push = (text: string, sequence: number): void => {
    const conversation = `discord:${sequence}`
    const event = { ...messageEvent(conversation, sequence), text, group: true }
    const take = async (): Promise<undefined> => {
      try {
        await ingest.take(event, { dedupeKey: event.id })
      } finally {
        tried.add(text)
        if (tried.size === 2) bothTried.resolve()
      }
    }
    intake.push({ sessionId: 's', sequence }, () => ({ lane: conversation, take }))
  }
  await away(async () => {
    push('what is one?', 1)
    push('stop', 2)
    await bothTried.promise
  })
  await stored.promise
  expect((await store.kernel.inbox('discord:1', 10)).events).toMatchObject([{ event: { text: 'what is one?' } }])
  expect((await store.kernel.inbox('discord:2', 10)).events).toMatchObject([{ event: { text: 'stop' } }])
  expect(left).toEqual([])
  over.abort()
  await running
})

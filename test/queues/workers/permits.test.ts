// Facts about what the delivery worker asks of the send budget: each call has a permit of its own, and counts by when it ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Draft } from '#shared/run/draft.ts'
import { createChatBook } from '#queues/fleet/chat-book.ts'
import type { Outcome } from '#queues/kernel/kernel.ts'
import type { ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { conversation, createPlatform, openDesk, shown, type Desk } from './delivery-desk.ts'

let store: Store
beforeAll(async () => void (store = await openStore({ patienceMs: 200 })))
afterAll(() => store.stop())

const growsByEdits = { streaming: () => ({ as: 'edit', everyMs: 0 }) as const }

/** An answer is there, and the sender that showed how it grew was lost while it made an edit. */
async function loseEditor(desk: Desk): Promise<{ comesBack(): Promise<void> }> {
  const draft = (n: number): Draft => ({ turn: 't1', text: `part ${n} `.repeat(40), principal: 'telegram:7' })
  const editing = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<typeof shown>()
  const showDraft: ChannelDelivery['showDraft'] = async () => {
    editing.resolve()
    return await arrived.promise
  }
  await desk.draft(draft(1))
  const platform = createPlatform({}, { ...growsByEdits, showDraft })
  const working = desk.work(platform)
  await platform.begun(`${draft(1).text.trimEnd()} …`)
  await desk.draft(draft(2))
  await editing.promise
  // The lease is over.
  await store.server.admin.del(...(await store.server.admin.keys('*:ol:*')))
  const claimed = await desk.kernel.claim(conversation, 'run', 60_000)
  const rows = [{ id: 't1-end', body: { ...toBody('The whole answer.'), replaces: 't1-first' }, expiresInMs: 60_000 }]
  if (claimed.kind === 'CLAIMED')
    await desk.kernel.append(conversation, claimed.epoch, { key: 'end', entries: [], rows, folds: true })
  return {
    async comesBack() {
      arrived.resolve(shown)
      await working
    },
  }
}

test('an answer is edited once more where a sender that was lost may have an edit under way', async () => {
  const desk = await openDesk(store)
  const lost = await loseEditor(desk)
  const rival = createPlatform({}, growsByEdits)
  await desk.work(rival)
  await lost.comesBack()
  expect(rival.sent).toEqual(['The whole answer.', 'The whole answer.'])
})

test('the edit that is made once more has a permit of its own', async () => {
  const desk = await openDesk(store)
  const lost = await loseEditor(desk)
  const sentAtMs: number[] = []
  const rival = createPlatform(
    {
      'The whole answer.': async () => {
        sentAtMs.push(performance.now())
        return { kind: 'sent', receipt: '1' }
      },
    },
    {
      ...growsByEdits,
      limits: (chat) => ({ bot: 'telegram:1', chat, perBot: [], perChat: [{ count: 1, perMs: 300 }], cosmetics: [] }),
    },
  )
  await desk.work(rival)
  await lost.comesBack()
  expect(sentAtMs).toHaveLength(2)
  expect((sentAtMs[1] ?? 0) - (sentAtMs[0] ?? 0)).toBeGreaterThanOrEqual(299)
})

test('an edit that is made once more and asked to wait has its chat wait', async () => {
  const desk = await openDesk(store)
  const lost = await loseEditor(desk)
  const outcomes: Outcome[] = [
    { kind: 'sent', receipt: '1' },
    { kind: 'retry', afterMs: 5000, reason: 'it asks to slow down', slowDown: 'chat' },
  ]
  const rival = createPlatform(
    { 'The whole answer.': async () => outcomes.shift() ?? { kind: 'failed', reason: 'too many' } },
    growsByEdits,
  )
  await desk.work(rival)
  await lost.comesBack()
  await desk.queue('And more.')
  await desk.work(rival)
  expect(rival.sent).toEqual(['The whole answer.', 'The whole answer.'])
})

const once = { perChat: [{ count: 1, perMs: 60_000 }], perBot: [], cosmetics: [{ count: 1, perMs: 60_000 }] }
const limitedToOne = { limits: (chat: string) => ({ bot: 'telegram:1', chat, ...once }) }

test('a message that a slow platform takes its time for is followed by the next one a whole window later', async () => {
  const desk = await openDesk(store)
  let [endedAtMs, nextAtMs] = [0, 0]
  const platform = createPlatform(
    {
      async slow() {
        await sleep(400)
        endedAtMs = performance.now()
        return { kind: 'sent', receipt: '1' }
      },
      async next() {
        nextAtMs = performance.now()
        return { kind: 'sent', receipt: '2' }
      },
    },
    {
      limits: (chat) => ({ bot: 'telegram:1', chat, perBot: [], perChat: [{ count: 1, perMs: 130 }], cosmetics: [] }),
    },
  )
  await desk.queue('slow', 'next')
  await desk.work(platform)
  expect(platform.sent).toEqual(['slow', 'next'])
  expect(nextAtMs - endedAtMs).toBeGreaterThanOrEqual(129)
})

test('what grows counts each time it is shown, also where it is as long as before', async () => {
  const desk = await openDesk(store)
  const texts: string[] = []
  const stop = new AbortController()
  const showDraft: ChannelDelivery['showDraft'] = async (_, { text }) => {
    texts.push(text)
    await desk.draft({ turn: 't1', text: 'that' })
    setTimeout(() => stop.abort(), 200)
    return shown
  }
  await desk.draft({ turn: 't1', text: 'this' })
  await desk.work(createPlatform({}, { ...limitedToOne, showDraft }), { signal: stop.signal })
  expect(texts).toEqual(['this'])
})

test('the permit of a first message that another sender has sent is not used again', async () => {
  const desk = await openDesk(store)
  const draft = (n: number): Draft => ({ turn: 't1', text: `part ${n} `.repeat(40), principal: 'telegram:7' })
  await desk.draft(draft(1))
  const stop = new AbortController()
  const platform = createPlatform({}, { ...growsByEdits, ...limitedToOne })
  const working = desk.work(platform, { signal: stop.signal })
  await platform.begun(`${draft(1).text.trimEnd()} …`)
  stop.abort()
  await working
  await desk.draft(draft(2))
  const next = new AbortController()
  setTimeout(() => next.abort(), 200)
  const rival = createPlatform({}, { ...growsByEdits, ...limitedToOne })
  await desk.work(rival, { signal: next.signal })
  expect(rival).toMatchObject({ sent: [], drafts: [] })
})

test('what a closed chat refuses holds up what comes once it is open no longer than what was sent', async () => {
  const desk = await openDesk(store)
  const chats = createChatBook(store.call)
  const perChat = [{ count: 1, perMs: 1500 }]
  const limits = (chat: string) => ({ bot: 'telegram:1', chat, perBot: [], perChat, cosmetics: [] })
  const platform = createPlatform({}, { limits })
  await chats.close(conversation, 'the person blocked the bot')
  await desk.queue('lost')
  await desk.work(platform)
  expect([platform.sent, await desk.stateOf('lost')]).toEqual([[], 'failed'])
  await chats.open(conversation)
  await desk.queue('found')
  // A permit that is still held is renewed each second.
  await sleep(2800)
  await desk.work(platform)
  expect(platform.sent).toContain('found')
})

// Facts about the sending part of a channel's process while many chats show drafts: real queues, a platform that takes all.
import { expect, test } from 'vitest'
import { startDelivery, type Room } from '#infra/processes/delivery.ts'
import type { ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import { startFleet, until } from '#test/rig/fleet.ts'
import { toBody } from '#test/rig/journal-entries.ts'

type Desk = AsyncDisposable & {
  readonly sent: string[]
  /** Of which chats drafts were shown. */
  readonly shown: Map<string, string[]>
  /** How often an outbox was looked at. */
  readonly looks: () => number
  draft(conversation: string, text: string): Promise<void>
  queue(conversation: string, text: string, how?: { readonly isHinted: boolean }): Promise<void>
}

async function openDesk(room: Room, env: Record<string, string> = {}): Promise<Desk> {
  const fleet = await startFleet({ parts: [], env })
  const { kernel, hints } = fleet.runtime
  const sent: string[] = []
  const shown = new Map<string, string[]>()
  const delivery: ChannelDelivery = {
    idempotentForMs: 0,
    sendTimeoutMs: 5000,
    limits: (chat) => ({ bot: 'telegram:1', chat, perBot: [], perChat: [], cosmetics: [] }),
    streaming: () => ({ as: 'draft', everyMs: 0 }),
    chatOf: (one) => one,
    closes: () => false,
    split: (body) => [body],
    async deliver(_, { body }) {
      sent.push(body.kind === 'send' ? body.text : body.kind)
      return { kind: 'sent', receipt: '1' }
    },
    async showDraft({ conversation }, { text }) {
      shown.set(conversation, [...(shown.get(conversation) ?? []), text])
      return { kind: 'shown' }
    },
  }
  let looks = 0
  const counted = {
    ...fleet.runtime,
    kernel: {
      ...kernel,
      begin: (...args: Parameters<typeof kernel.begin>) => {
        looks += 1
        return kernel.begin(...args)
      },
    },
  }
  const part = startDelivery(counted, 'telegram', delivery, room)
  let steps = 0
  return {
    sent,
    shown,
    looks: () => looks,
    async draft(conversation, text) {
      if (!(await kernel.saveDraft(conversation, { turn: 't1', text }))) await hints.outbound(conversation)
    },
    async queue(conversation, text, { isHinted } = { isHinted: true }) {
      steps += 1
      const claimed = await kernel.claim(conversation, 'run', 60_000)
      if (claimed.kind !== 'CLAIMED') throw new Error(claimed.kind)
      const body = toBody(text)
      const rows = [{ id: `r${steps}`, body, expiresInMs: 60_000 }]
      await kernel.append(conversation, claimed.epoch, { key: `s${steps}`, entries: [], rows, folds: true })
      if (isHinted) await hints.outbound(conversation)
    },
    async [Symbol.asyncDispose]() {
      await part.stop(100)
      await fleet[Symbol.asyncDispose]()
    },
  }
}

const chats = Array.from({ length: 8 }, (_, i) => `telegram:${i + 1}`)

test('chats that show drafts take no place from the finished answer of another one', async () => {
  await using desk = await openDesk({ slots: 2, showings: 100, draftPollMs: 500 })
  for (const chat of chats) await desk.draft(chat, 'Hel')
  await until(() => desk.shown.size === chats.length)
  await desk.queue('telegram:100', 'done')
  await until(() => desk.sent.includes('done'))
  // They still show theirs, and send what becomes of it.
  await Promise.all(chats.map((chat) => desk.draft(chat, 'Hello')))
  await until(() => [...desk.shown.values()].every((texts) => texts.includes('Hello')))
  await Promise.all(chats.map((chat) => desk.queue(chat, `Hello from ${chat}`)))
  await until(() => desk.sent.length === chats.length + 1)
  expect(new Set(desk.sent).size).toBe(chats.length + 1)
})

test('where no more drafts can be shown the answers come without', async () => {
  await using desk = await openDesk({ slots: 2, showings: 3, draftPollMs: 500 })
  for (const chat of chats) await desk.draft(chat, 'Hel')
  await until(() => desk.shown.size === 3)
  await Promise.all(chats.map((chat) => desk.queue(chat, `Hello from ${chat}`)))
  await until(() => desk.sent.length === chats.length)
  expect(desk.shown.size).toBe(3)
})

test('a showing hears of its answer, and does not look for it', async () => {
  await using desk = await openDesk({ slots: 2, showings: 3, draftPollMs: 60_000 }, { FLOTILLA_LEASE_MS: '60000' })
  await desk.draft('telegram:1', 'Hel')
  await until(() => desk.shown.get('telegram:1')?.includes('Hel'))
  await desk.queue('telegram:1', 'Hello', { isHinted: false })
  await until(() => desk.sent.includes('Hello'))
  // The first one, that of the beginning of the news, and that of the row; sending asks for the next one by itself.
  expect(desk.looks()).toBeLessThanOrEqual(3)
})

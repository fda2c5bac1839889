// A group with four topics in which twice as much is answered as may be sent, for ten minutes scaled to ten seconds: real units,
// worker and budget, a platform that takes all. It counts what the permits went to.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createChatBook } from '#queues/fleet/chat-book.ts'
import { createSendBudget } from '#queues/fleet/send-budget.ts'
import type { ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import { createNews } from '#queues/workers/news.ts'
import { createSentLately } from '#queues/workers/sent-lately.ts'
import { deliverRows, type DeliverDeps } from '#queues/workers/deliver-rows.ts'
import { unbutton, type OutBody } from '#shared/run/out-row.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { openStore } from '#test/rig/store.ts'

/** As many permits in a row's life as a Telegram group has in ten minutes. */
const permits = 200
/** So that a topic waits for its permit longer than a worker does by itself. */
const lifeMs = 10_000
const permitMs = lifeMs / permits
const topics = [1, 2, 3, 4].map((topic) => `telegram:-100:${topic}`)

type Sent = { readonly topic: string; readonly body: OutBody; readonly row: string }

function createPlatform(sent: Sent[]): ChannelDelivery {
  const chat = 'telegram:-100'
  return {
    idempotentForMs: 0,
    sendTimeoutMs: 5000,
    // The budget adds a margin of 7 %.
    limits: () => ({
      bot: 'telegram:1',
      chat,
      perBot: [],
      perChat: [{ count: 1, perMs: permitMs / 1.07 }],
      cosmetics: [],
    }),
    streaming: () => ({ as: 'draft', everyMs: 0 }),
    chatOf: () => chat,
    closes: () => false,
    split: (body) => [body],
    async deliver({ conversation }, { id, body }) {
      sent.push({ topic: conversation, body, row: id })
      return { kind: 'sent', receipt: '1' }
    },
    showDraft: async () => ({ kind: 'shown' }),
  }
}

test('twice what may be sent: the permits go to answers, and a question afterwards is answered at once', async () => {
  await using store = await openStore({ patienceMs: 5000 })
  const { call, kernel } = store
  const sent: Sent[] = []
  const running = new Set<Promise<void>>()
  const over = new AbortController()
  const run = (topic: string): void => {
    if (over.signal.aborted) return
    const one = deliverRows(deps, topic, over.signal).finally(() => running.delete(one))
    running.add(one)
  }
  const deps: DeliverDeps = {
    kernel,
    delivery: createPlatform(sent),
    budget: createSendBudget(call),
    chats: createChatBook(call),
    sent: createSentLately(),
    hints: { outbound: async () => {} },
    liveness: createStillLiveness(),
    giveBack: () => {},
    draftPollMs: 500,
    enter: createNews,
    wake: (topic, afterMs) => void setTimeout(() => run(topic), afterMs),
  }
  const epochs = new Map<string, number>()
  for (const topic of topics) {
    const claimed = await kernel.claim(topic, 'run', 600_000)
    if (claimed.kind === 'CLAIMED') epochs.set(topic, claimed.epoch)
  }
  let made = 0
  /** An answer, and with it the buttons of the one before go. */
  const answer = async (topic: string): Promise<string> => {
    made += 1
    const id = `r${made}`
    const body = toBody(id)
    const off = { id: `off-${made}`, body: unbutton(`r${made - topics.length}`), expiresInMs: lifeMs }
    const rows = [{ id, body, expiresInMs: lifeMs }, off]
    await kernel.append(topic, epochs.get(topic) ?? 0, { key: id, entries: [], folds: true, rows })
    run(topic)
    return id
  }

  // Ten minutes, and a quarter as much again, since a row expires only then.
  const startedAtMs = Date.now()
  for (let i = 0; i < permits * 2.5; i++) {
    const behindMs = (i * permitMs) / 2 - (Date.now() - startedAtMs)
    if (behindMs > 0) await sleep(behindMs)
    await answer(topics[i % topics.length] ?? '')
  }
  const underLoad = [...sent]
  const asked = await answer('telegram:-100:2')
  const isAnswered = (): boolean => sent.some(({ row }) => row === asked)
  for (let i = 0; i < permits && !isAnswered(); i++) await sleep(permitMs)
  over.abort()
  await Promise.all(running)

  const answers = underLoad.filter(({ body }) => body.kind === 'send')
  const before = isAnswered() ? sent.findIndex(({ row }) => row === asked) - underLoad.length : permits
  expect(underLoad.length).toBeGreaterThan(permits / 2)
  expect(answers.length / underLoad.length).toBeGreaterThanOrEqual(0.9)
  expect(new Set(sent.map(({ topic, row }) => `${topic} ${row}`)).size).toBe(sent.length)
  // Each topic has its share.
  for (const topic of topics)
    expect(answers.filter((one) => one.topic === topic).length).toBeGreaterThan(answers.length / 8)
  // Of the two hundred that wait, few go before it.
  expect(before).toBeLessThan(permits / 8)
}, 60_000)

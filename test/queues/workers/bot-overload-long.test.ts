// Very many chats that together want twice what the bot may send, for three of a row's lives: real units, worker and budget, a platform
// that takes all. The bot's permits go on being used, and who asks afterwards is answered at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createChatBook } from '#queues/fleet/chat-book.ts'
import { createSendBudget } from '#queues/fleet/send-budget.ts'
import { createNews } from '#queues/workers/news.ts'
import { createSentLately } from '#queues/workers/sent-lately.ts'
import { deliverRows, type DeliverDeps } from '#queues/workers/deliver-rows.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { openStore } from '#test/rig/store.ts'

const lifeMs = 5000
const perSecond = 30
const lives = 3

type Sent = { readonly atMs: number; readonly row: string; readonly kind: string }

test.concurrent.each([
  ['chats of one question each', Number.MAX_SAFE_INTEGER],
  ['chats that go on asking', 250],
])(
  'the bot’s permits go to answers: %s',
  async (_, chats) => {
    await using store = await openStore({ patienceMs: 5000 })
    const { call, kernel } = store
    const sent: Sent[] = []
    const over = new AbortController()
    const running = new Set<Promise<void>>()
    const run = (conversation: string): void => {
      if (over.signal.aborted) return
      const one = deliverRows(deps, conversation, over.signal).finally(() => running.delete(one))
      running.add(one)
    }
    const deps: DeliverDeps = {
      kernel,
      delivery: {
        idempotentForMs: 0,
        sendTimeoutMs: 5000,
        // The budget adds a margin of 7 %.
        limits: (chat) => ({
          bot: 'telegram:1',
          chat,
          perBot: [{ count: 1, perMs: 1000 / perSecond / 1.07 }],
          perChat: [{ count: 1, perMs: 50 }],
          cosmetics: [],
        }),
        streaming: () => ({ as: 'draft', everyMs: 0 }),
        chatOf: (conversation) => conversation,
        closes: () => false,
        split: (body) => [body],
        async deliver(_address, { id, body }) {
          sent.push({ atMs: Date.now(), row: id, kind: body.kind })
          return { kind: 'sent', receipt: '1' }
        },
        showDraft: async () => ({ kind: 'shown' }),
      },
      budget: createSendBudget(call, lifeMs / 40),
      chats: createChatBook(call),
      sent: createSentLately(),
      hints: { outbound: async () => {} },
      liveness: createStillLiveness(),
      giveBack: () => {},
      draftPollMs: 500,
      enter: createNews,
      wake: (conversation, afterMs) => void setTimeout(() => run(conversation), afterMs),
    }
    const epochs = new Map<string, number>()
    const answer = async (conversation: string, id: string): Promise<void> => {
      if (!epochs.has(conversation)) {
        const claimed = await kernel.claim(conversation, 'run', 600_000)
        if (claimed.kind === 'CLAIMED') epochs.set(conversation, claimed.epoch)
      }
      const body = toBody(id)
      const rows = [{ id, body, expiresInMs: lifeMs }]
      await kernel.append(conversation, epochs.get(conversation) ?? 0, {
        key: id,
        entries: [],
        folds: true,
        rows,
      })
      run(conversation)
    }

    const startedAtMs = Date.now()
    for (let made = 0; made < 2 * perSecond * lives * (lifeMs / 1000); made++) {
      const behindMs = (made * 1000) / (2 * perSecond) - (Date.now() - startedAtMs)
      if (behindMs > 0) await sleep(behindMs)
      await answer(`telegram:${made % chats}`, `r${made}`)
    }
    const underLoad = [...sent]
    const tookMs = Date.now() - startedAtMs
    await answer('telegram:-1', 'asked')
    const isAnswered = (): boolean => sent.some(({ row }) => row === 'asked')
    for (let i = 0; i < lives * perSecond && !isAnswered(); i++) await sleep(1000 / perSecond)
    over.abort()
    await Promise.all(running)

    const answers = underLoad.filter(({ kind }) => kind === 'send')
    const inLife = (life: number): number =>
      answers.filter(({ atMs }) => Math.floor(((atMs - startedAtMs) * lives) / tookMs) === life).length
    const permits = (perSecond * tookMs) / 1000 / lives
    for (let life = 0; life < lives; life++) expect(inLife(life), `life ${life}`).toBeGreaterThan(permits * 0.6)
    expect(answers.length / underLoad.length).toBeGreaterThan(0.9)
    expect(new Set(sent.map(({ row }) => row)).size).toBe(sent.length)
    // Of the hundred and more that wait, few go before it.
    expect(isAnswered()).toBe(true)
    expect(sent.findIndex(({ row }) => row === 'asked') - underLoad.length).toBeLessThan(20)
  },
  60_000,
)

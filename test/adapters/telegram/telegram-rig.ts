// What the tests of the Telegram channel share: the strict simulator, the real kernel on a private Redis, and the channel between them.
import { once } from 'node:events'
import type { TelegramChannelSettings } from '#adapters/telegram/telegram-channel.ts'
import { createTelegramChannel } from '#adapters/telegram/telegram-channel.ts'
import { connectKernel } from '#queues/connection.ts'
import { createChatBook, type ChatBook } from '#queues/fleet/chat-book.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { randomId, toQuestionId } from '#queues/partition.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import { createSendBudget } from '#queues/fleet/send-budget.ts'
import type { Address, ChannelAdapter, ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import { createNews } from '#queues/workers/news.ts'
import { deliverRows } from '#queues/workers/deliver-rows.ts'
import { createSentLately } from '#queues/workers/sent-lately.ts'
import { createIngest } from '#queues/workers/ingest.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { Question } from '#shared/run/question.ts'
import type { PrivateRedis } from '#test/rig/redis.ts'
import { startTelegramSimulator, type TelegramSimulator } from '#test/simulators/telegram/simulator.ts'
import type { TelegramSimulatorOptions } from '#test/simulators/telegram/simulator.ts'

export type RigOptions = {
  readonly simulator?: TelegramSimulatorOptions
  readonly channel?: Partial<TelegramChannelSettings>
  /** Units as the channel and the sender call them; for crashes between steps. */
  readonly wrapUnits?: (call: CallUnit) => CallUnit
  /** How the channel waits for the disk; it does not when left out. */
  readonly synced?: () => Promise<void>
  readonly commands?: Parameters<typeof createTelegramChannel>[1]['commands']
}

export type TelegramRig = AsyncDisposable & {
  readonly telegram: TelegramSimulator
  readonly kernel: Kernel
  readonly chats: ChatBook
  readonly channel: ChannelAdapter
  /** What the operator was told. */
  readonly said: string[]
  /** What was ignored, by reason. */
  readonly ignored: string[]
  /** Conversations hinted to the router. */
  readonly hinted: string[]
  /** Receives updates until the rig ends or the returned function is called, which waits for the end. */
  run(channel?: ChannelAdapter): () => Promise<void>
  /** Another process of the same channel. */
  another(settings?: Partial<TelegramChannelSettings>): ChannelAdapter
  events(conversation: ConversationId): Promise<readonly ChatEvent[]>
  /** Waits until the mailbox holds so many events. */
  waitForEvents(conversation: ConversationId, count: number): Promise<readonly ChatEvent[]>
  /** Puts rows into the outbox, as a turn does. */
  queue(conversation: ConversationId, bodies: readonly OutBody[], questions?: readonly Question[]): Promise<void>
  /** When the delivery worker wanted to come back, ms from then. */
  readonly waits: number[]
  /** Runs the delivery worker once. */
  deliver(conversation: ConversationId, options?: { signal?: AbortSignal; leaseMs?: number }): Promise<void>
}

export const say = (text: string, more: Partial<Extract<OutBody, { kind: 'send' }>> = {}): OutBody => ({
  v: 1,
  kind: 'send',
  text,
  answers: [],
  language: 'en',
  ...more,
})

export const ask = (conversation: ConversationId, owner: Question['owner'] = '*'): Question => ({
  v: 1,
  id: toQuestionId(conversation, randomId()),
  kind: 'redo',
  owner,
  options: ['redo', 'leave'],
  payload: 'the corrected text',
})

/** Empties the Redis first: one rig at a time. */
export async function openTelegramRig(server: PrivateRedis, options: RigOptions = {}): Promise<TelegramRig> {
  await server.admin.flushall()
  const telegram = await startTelegramSimulator(options.simulator)
  const redis = connectKernel(server.url)
  if (redis.status !== 'ready') await once(redis, 'ready')
  const { wrapUnits = (call: CallUnit) => call } = options
  const call = wrapUnits(createUnits(redis, { patienceMs: 500 }))
  const kernel = createRedisKernel(redis, call)
  const chats = createChatBook(call)
  const said: string[] = []
  const ignored: string[] = []
  const hinted: string[] = []
  const waits: number[] = []
  const hints = { inbound: async (one: string) => void hinted.push(one), outbound: async () => {} }
  const open = (settings: Partial<TelegramChannelSettings> = {}): ChannelAdapter =>
    createTelegramChannel(
      {
        token: telegram.token,
        apiRoot: telegram.apiRoot,
        leaseMs: 400,
        rates: { botPerS: 10_000, chatPerS: 10_000, groupPerMinute: 10_000 },
        pollS: 1,
        sendTimeoutMs: 2000,
        backOff: { firstMs: 20, maxMs: 100 },
        leastWaitMs: 50,
        ...options.channel,
        ...settings,
      },
      {
        chats,
        call,
        commands: options.commands,
        say: (text) => void said.push(text),
        count: (reason) => void ignored.push(reason),
        now: Date.now,
      },
    )
  const channel = open()
  const stops: (() => Promise<void>)[] = []
  let appended = 0
  const events = async (conversation: ConversationId): Promise<readonly ChatEvent[]> =>
    (await kernel.inbox(conversation, 200)).events.map((one: QueuedEvent) => one.event)
  return {
    telegram,
    kernel,
    chats,
    channel,
    said,
    ignored,
    hinted,
    waits,
    another: open,
    run(which = channel) {
      const stop = new AbortController()
      const running = which.start(
        createIngest({ kernel, hints, ...(options.synced ? { synced: options.synced } : {}) }),
        stop.signal,
      )
      const end = async (): Promise<void> => {
        stop.abort()
        await running
      }
      stops.push(end)
      return end
    },
    events,
    async waitForEvents(conversation, count) {
      return await until(async () => {
        const found = await events(conversation)
        return found.length >= count ? found : undefined
      })
    },
    async queue(conversation, bodies, questions = []) {
      appended += 1
      const claimed = await kernel.claim(conversation, 'test', 60_000)
      if (claimed.kind !== 'CLAIMED') throw new Error(`The claim was answered ${claimed.kind}.`)
      const rows = bodies.map((body, i) => ({ id: `row-${appended}-${i}`, body, expiresInMs: 600_000 }))
      await kernel.append(conversation, claimed.epoch, { key: `step-${appended}`, entries: [], rows, questions })
    },
    async deliver(conversation, { signal = new AbortController().signal, leaseMs = 1000 } = {}) {
      const budget = createSendBudget(call)
      const wake = (_: string, afterMs: number): void => void waits.push(afterMs)
      const delivery = toDelivery(channel)
      const sent = createSentLately()
      const deps = { kernel, delivery, hints, budget, chats, sent, wake, leaseMs, draftPollMs: 50, enter: createNews }
      await deliverRows(deps, conversation, signal)
    },
    async [Symbol.asyncDispose]() {
      for (const stop of stops) await stop()
      redis.disconnect()
      await telegram.close()
    },
  }
}

/** As the chat is known where its book cannot be read. */
export const toAddress = (conversation: string): Address => ({ conversation, standing: undefined })

/** The sending half; a channel without one is a mistake of the test. */
export function toDelivery({ channel, delivery }: ChannelAdapter): ChannelDelivery {
  if (!delivery) throw new Error(`Nothing is sent on ${channel}.`)
  return delivery
}

/** Asks again every 10 ms until there is an answer; for what rings no bell. */
export async function until<T>(find: () => Promise<T | undefined>, timeoutMs = 8000): Promise<T> {
  const endMs = Date.now() + timeoutMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > endMs) throw new Error(`Waited ${timeoutMs} ms in vain.`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

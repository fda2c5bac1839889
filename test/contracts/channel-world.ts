// What the channel suite needs of a platform, and the fleet's side of it: the real kernel on a private Redis, the delivery worker, an
// ingest that can be out of order. The people's side is a simulated platform, a browser's HTTP client or a terminal.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { BotError } from '#shared/errors.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { pressTexts } from '#adapters/press/texts.ts'
import { connectKernel, connectSubscriber, type RedisClient } from '#queues/connection.ts'
import { createChatBook, type ChatBook } from '#queues/fleet/chat-book.ts'
import { createSendBudget } from '#queues/fleet/send-budget.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { createNews } from '#queues/workers/news.ts'
import { deliverRows } from '#queues/workers/deliver-rows.ts'
import { createSentLately } from '#queues/workers/sent-lately.ts'
import { createIngest, type Ingest } from '#queues/workers/ingest.ts'
import { createLive, type Live } from '#queues/workers/live.ts'
import type { Chat } from '#test/rig/chats/chat.ts'
import type { PrivateRedis } from '#test/rig/redis.ts'

export type Told = 'won' | 'already' | 'unknown'

/** A channel, and one person's direct chat with the bot on it. */
export type Platform = AsyncDisposable & {
  readonly adapter: ChannelAdapter
  /** The same channel in another process. */
  another(): Promise<ChannelAdapter>
  readonly chat: Chat
  readonly who: string
  readonly person: PrincipalId
  /** What a presser who got this notice was told. */
  toTold(notice: string): Told
  /** A part of a group chat with a conversation of its own. */
  openThread?(): Chat
}

export type Fleet = AsyncDisposable & {
  readonly kernel: Kernel
  readonly call: CallUnit
  readonly chats: ChatBook
  readonly live: Live
  readonly redis: RedisClient
  /** While true nothing can be stored. */
  storeIsAway: boolean
  /** How often something could not be stored. */
  readonly refused: () => number
  /** Takes events in until the returned function is called, which waits for the end. */
  start(adapter: ChannelAdapter): () => Promise<void>
  events(conversation: ConversationId): Promise<readonly ChatEvent[]>
  waitForEvents(conversation: ConversationId, count: number): Promise<readonly ChatEvent[]>
  /** Puts rows into the outbox, as a turn does; returns their ids. */
  put(conversation: ConversationId, ...bodies: readonly OutBody[]): Promise<readonly string[]>
  endDraft(): Promise<void>
  /** Makes due what a person is told a minute after a message that may be lost. */
  hurryNotices(): Promise<void>
  /** Runs the delivery worker until there is nothing to send within seconds. */
  deliver(adapter: ChannelAdapter, conversation: ConversationId): Promise<void>
}

/** What lies further ahead is not waited for. */
const longestWaitMs = 5000

/** Empties the Redis first: one at a time. */
export async function openFleet(server: PrivateRedis): Promise<Fleet> {
  await server.admin.flushall()
  const redis = connectKernel(server.url)
  if (redis.status !== 'ready') await once(redis, 'ready')
  const call = createUnits(redis, { patienceMs: 1000 })
  const kernel = createRedisKernel(redis, call)
  const live = createLive(connectSubscriber(server.url))
  const hints = { inbound: async () => {}, outbound: async () => {} }
  const real = createIngest({ kernel, hints })
  const stops: (() => Promise<void>)[] = []
  let refused = 0
  let steps = 0
  const guard = async (): Promise<void> => {
    if (!fleet.storeIsAway) return
    refused += 1
    throw new BotError('store-unavailable', 'The store is away.', { retry: { afterMs: 50 } })
  }
  const ingest: Ingest = {
    take: async (event, how) => {
      await guard()
      return await real.take(event, how)
    },
    press: async (press) => {
      await guard()
      return await real.press(press)
    },
    synced: real.synced,
  }
  const fleet: Fleet = {
    kernel,
    call,
    chats: createChatBook(call),
    live,
    redis,
    storeIsAway: false,
    refused: () => refused,
    start(adapter) {
      const stopping = new AbortController()
      const running = adapter.start(ingest, stopping.signal)
      const stop = async (): Promise<void> => {
        stopping.abort()
        await running
      }
      stops.push(stop)
      return stop
    },
    events: async (conversation) => (await kernel.inbox(conversation, 200)).events.map(({ event }) => event),
    waitForEvents: (conversation, count) =>
      until(`${count} events of ${conversation}`, async () => {
        const found = await fleet.events(conversation)
        return found.length >= count ? found : undefined
      }),
    async put(conversation, ...bodies) {
      steps += 1
      const claimed = await kernel.claim(conversation, 'test', 60_000)
      if (claimed.kind !== 'CLAIMED') throw new Error(`The claim was answered ${claimed.kind}.`)
      const rows = bodies.map((body, i) => ({ id: `row-${steps}-${i}`, body, expiresInMs: 600_000 }))
      const step = { key: `step-${steps}`, entries: [], rows, release: true }
      await kernel.append(conversation, claimed.epoch, step)
      return rows.map(({ id }) => id)
    },
    async endDraft() {
      const keys = await server.admin.keys('*:draft:*')
      if (keys.length > 0) await server.admin.del(...keys)
    },
    async hurryNotices() {
      for (const key of await server.admin.keys('*:notice-*')) await server.admin.hset(key, 'nb', '0')
    },
    async deliver({ delivery }, conversation) {
      if (!delivery) return
      let wakeMs: number | undefined
      const wake = (_: string, afterMs: number): void => void (wakeMs = afterMs)
      const budget = createSendBudget(call)
      const deps = {
        kernel,
        delivery,
        hints,
        budget,
        chats: fleet.chats,
        sent: createSentLately(),
        wake,
        leaseMs: 1000,
        draftPollMs: 50,
        enter: createNews,
      }
      do {
        wakeMs = undefined
        await deliverRows(deps, conversation, new AbortController().signal)
        if (wakeMs !== undefined && wakeMs <= longestWaitMs) await sleep(wakeMs)
      } while (wakeMs !== undefined && wakeMs <= longestWaitMs)
    },
    async [Symbol.asyncDispose]() {
      for (const stop of stops) await stop()
      live.close()
      redis.disconnect()
    },
  }
  return fleet
}

/** The notices of pressed buttons; the winner's is not the same everywhere. */
export function toTold(notice: string, won: string): Told {
  if (notice === won) return 'won'
  if (notice === pressTexts.unknown.en) return 'unknown'
  if (notice.startsWith(pressTexts.already.en) || notice.startsWith(pressTexts.mine.en)) return 'already'
  throw new Error(`The presser was told "${notice}".`)
}

/** Where the channel itself names what became of a press. */
export const parseTold = (outcome: string): Told => z.enum(['won', 'already', 'unknown']).parse(outcome)

/** Looks every 15 ms, for what rings no bell. */
export async function until<T>(what: string, find: () => Promise<T | undefined>, timeoutMs = 10_000): Promise<T> {
  const endMs = Date.now() + timeoutMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > endMs) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`)
    await sleep(15)
  }
}

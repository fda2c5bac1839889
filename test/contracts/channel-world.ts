// What the channel suite needs of a platform, and the fleet's side of it: a store that can be away, and a delivery that goes on until there
// is nothing to send. The people's side is a simulated platform, a browser's HTTP client or a terminal.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { pressTexts } from '#adapters/press/texts.ts'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import { connectSubscriber } from '#queues/connection.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import { createLive, type Live } from '#queues/workers/live.ts'
import { openChannelRig, type ChannelRig } from '#test/rig/channel-rig.ts'
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

export type Fleet = AsyncDisposable &
  Omit<ChannelRig, 'deliver' | 'close'> & {
    readonly live: Live
    /** While true nothing can be stored. */
    storeIsAway: boolean
    /** How often something could not be stored. */
    readonly refused: () => number
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
  let refused = 0
  const guard = async (): Promise<void> => {
    if (!fleet.storeIsAway) return
    refused += 1
    throw new BotError('store-unavailable', 'The store is away.', { retry: { afterMs: 50 } })
  }
  const wrapIngest = (real: Ingest): Ingest => ({
    ...real,
    take: async (event, how) => {
      await guard()
      return await real.take(event, how)
    },
    press: async (press) => {
      await guard()
      return await real.press(press)
    },
  })
  const rig = await openChannelRig(server, { patienceMs: 1000, wrapIngest })
  const live = createLive(connectSubscriber(server.url))
  const fleet: Fleet = {
    ...rig,
    live,
    storeIsAway: false,
    refused: () => refused,
    async endDraft() {
      const keys = await server.admin.keys('*:draft:*')
      if (keys.length > 0) await server.admin.del(...keys)
    },
    async hurryNotices() {
      for (const key of await server.admin.keys('*:notice-*')) await server.admin.hset(key, 'nb', '0')
    },
    async deliver(adapter, conversation) {
      if (adapter.delivery) await rig.deliver(adapter, conversation, { patientForMs: longestWaitMs })
    },
    async [Symbol.asyncDispose]() {
      await rig.close()
      live.close()
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
export async function until<T>(what: string, find: () => Promise<T | undefined>, timeoutMs = 25_000): Promise<T> {
  const endMs = Date.now() + timeoutMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > endMs) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`)
    await sleep(15)
  }
}

// What the tests of the Discord channel share: the strict simulator, the real kernel on a private Redis, and the channel between them.
import { once } from 'node:events'
import {
  createDiscordChannel,
  type DiscordChannelDeps,
  type DiscordChannelSettings,
} from '#adapters/discord/discord-channel.ts'
import { connectKernel } from '#queues/connection.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import { createChatBook, type ChatBook } from '#queues/fleet/chat-book.ts'
import { createSendBudget } from '#queues/fleet/send-budget.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { createNews } from '#queues/workers/news.ts'
import { deliverRows } from '#queues/workers/deliver-rows.ts'
import { createSentLately } from '#queues/workers/sent-lately.ts'
import { createIngest } from '#queues/workers/ingest.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { Question } from '#shared/run/question.ts'
import { toDelivery, until } from '#test/adapters/telegram/telegram-rig.ts'
import type { PrivateRedis } from '#test/rig/redis.ts'
import {
  startDiscordSimulator,
  type DiscordSimulator,
  type DiscordSimulatorOptions,
} from '#test/simulators/discord/simulator.ts'
import type { MadeGuild } from '#test/simulators/discord/places.ts'

export type RigOptions = {
  readonly simulator?: DiscordSimulatorOptions
  readonly channel?: Partial<DiscordChannelSettings>
  /** Units as the channel and the sender call them; for outages between steps. */
  readonly wrapUnits?: (call: CallUnit) => CallUnit
  readonly commands?: DiscordChannelDeps['commands']
}

export type DiscordRig = AsyncDisposable & {
  readonly discord: DiscordSimulator
  readonly guild: MadeGuild
  readonly kernel: Kernel
  readonly channel: ChannelAdapter
  readonly chats: ChatBook
  /** What the operator was told. */
  readonly said: string[]
  /** What was ignored, by reason. */
  readonly ignored: string[]
  /** Conversations hinted to the router. */
  readonly hinted: string[]
  /** Receives events until the rig ends or the returned function is called, which waits for the end. */
  run(channel?: ChannelAdapter): () => Promise<void>
  /** As `run`, and waits until the session is stored. */
  start(): Promise<() => Promise<void>>
  /** Another process of the same channel. */
  another(settings?: Partial<DiscordChannelSettings>): ChannelAdapter
  /** What came into a mailbox, the bot's arrival in a guild left out. */
  events(conversation: ConversationId): Promise<readonly ChatEvent[]>
  /** Waits until the mailbox holds so many events. */
  waitForEvents(conversation: ConversationId, count: number): Promise<readonly ChatEvent[]>
  /** Puts rows into the outbox, as a turn does. */
  queue(conversation: ConversationId, bodies: readonly OutBody[], questions?: readonly Question[]): Promise<void>
  /** Runs the delivery worker once. */
  deliver(conversation: ConversationId, signal?: AbortSignal): Promise<void>
}

/** Empties the Redis first: one rig at a time. */
export async function openDiscordRig(server: PrivateRedis, options: RigOptions = {}): Promise<DiscordRig> {
  await server.admin.flushall()
  const discord = await startDiscordSimulator(options.simulator)
  const guild = discord.addGuild({ name: 'Room', channels: ['general', 'random'] })
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
  const open = (settings: Partial<DiscordChannelSettings> = {}): ChannelAdapter =>
    createDiscordChannel(
      {
        token: discord.token,
        apiRoot: discord.apiRoot,
        leaseMs: 400,
        sendTimeoutMs: 2000,
        backOff: { firstMs: 20, maxMs: 100 },
        leastWaitMs: 50,
        identifyEveryMs: 100,
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
    (await kernel.inbox(conversation, 500)).events.map(({ event }) => event).filter(({ kind }) => kind !== 'join')
  const run = (which = channel): (() => Promise<void>) => {
    const stop = new AbortController()
    const running = which.start(createIngest({ kernel, hints }), stop.signal)
    const end = async (): Promise<void> => {
      stop.abort()
      await running
    }
    stops.push(end)
    return end
  }
  return {
    discord,
    guild,
    kernel,
    channel,
    chats,
    said,
    ignored,
    hinted,
    another: open,
    run,
    async start() {
      const stop = run()
      await discord.ledger.waitForGateway(({ kind }) => kind === 'identify' || kind === 'resume')
      const key = `fl:{gateway-discord-${discord.bot.id}-0}`
      await until(async () => ((await server.admin.exists(key)) === 1 ? true : undefined))
      return stop
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
    async deliver(conversation, signal = new AbortController().signal) {
      const budget = createSendBudget(call)
      const wake = (_: string, afterMs: number): void => void waits.push(afterMs)
      const delivery = toDelivery(channel)
      const sent = createSentLately()
      const deps = {
        kernel,
        delivery,
        hints,
        budget,
        chats,
        sent,
        wake,
        leaseMs: 1000,
        draftPollMs: 50,
        enter: createNews,
      }
      await deliverRows(deps, conversation, signal)
    },
    async [Symbol.asyncDispose]() {
      for (const stop of stops) await stop()
      redis.disconnect()
      await discord.close()
    },
  }
}

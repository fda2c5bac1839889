// What channels are tested between: a platform on one side, and on the other the real kernel on a private Redis, with a mailbox that takes
// in what people say and an outbox that is delivered when the test says so.
import { createStillLiveness } from './still-liveness.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { Question } from '#shared/run/question.ts'
import type { RedisClient } from '#queues/connection.ts'
import { createChatBook, type ChatBook } from '#queues/fleet/chat-book.ts'
import { createSendBudget } from '#queues/fleet/send-budget.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createLiveness, type Liveness } from '#queues/fleet/liveness.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { randomId, toQuestionId } from '#queues/partition.ts'
import type { CallUnit } from '#queues/units.ts'
import type { Address, ChannelAdapter, ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import { deliverRows } from '#queues/workers/deliver-rows.ts'
import { createIngest, type Ingest } from '#queues/workers/ingest.ts'
import { createNews } from '#queues/workers/news.ts'
import { keepFileApart } from '#queues/workers/shown-files.ts'
import { createSentLately } from '#queues/workers/sent-lately.ts'
import type { PrivateRedis } from './redis.ts'
import { openRedisKernel } from './store.ts'

export type ChannelRigOptions = {
  /** Units as the channel and the sender call them; for crashes and outages between steps. */
  readonly wrapUnits?: ((call: CallUnit) => CallUnit) | undefined
  /** How the channel waits for the disk; it does not when left out. */
  readonly synced?: (() => Promise<void>) | undefined
  readonly patienceMs?: number | undefined
  /** Changes what channels take events in by. */
  readonly wrapIngest?: ((ingest: Ingest) => Ingest) | undefined
  /** Events that no test asks about. */
  readonly leaveOut?: ChatEvent['kind'] | undefined
}

export type ChannelRig = {
  readonly kernel: Kernel
  readonly call: CallUnit
  readonly redis: RedisClient
  readonly chats: ChatBook
  /** What every channel is made with. */
  readonly deps: {
    readonly chats: ChatBook
    readonly call: CallUnit
    readonly liveness: Liveness
    readonly say: (text: string) => void
    readonly count: (reason: string) => void
    readonly now: () => number
    readonly findMode: () => Promise<'mention'>
  }
  /** What the operator was told. */
  readonly said: string[]
  /** What was ignored, by reason. */
  readonly ignored: string[]
  /** Conversations hinted to the router. */
  readonly hinted: string[]
  /** When the delivery worker wanted to come back, ms from then. */
  readonly waits: number[]
  /** Takes events in until the rig ends or the returned function is called, which waits for the end. */
  run(channel: ChannelAdapter): () => Promise<void>
  events(conversation: ConversationId): Promise<readonly ChatEvent[]>
  /** Waits until the mailbox holds so many events. */
  waitForEvents(conversation: ConversationId, count: number): Promise<readonly ChatEvent[]>
  /** Puts rows into the outbox, as a turn does; returns their ids. */
  queue(
    conversation: ConversationId,
    bodies: readonly OutBody[],
    questions?: readonly Question[],
  ): Promise<readonly string[]>
  deliver(channel: ChannelAdapter, conversation: ConversationId, how?: Delivering): Promise<void>
  close(): Promise<void>
}

export type Delivering = {
  readonly signal?: AbortSignal
  /** It comes back for what is due within this time; runs once when left out. */
  readonly patientForMs?: number
}

/** Empties the Redis first: one rig at a time. */
export async function openChannelRig(server: PrivateRedis, options: ChannelRigOptions = {}): Promise<ChannelRig> {
  await server.admin.flushall()
  const { wrapUnits = (call) => call, wrapIngest = (ingest) => ingest, synced } = options
  const { redis, call: plain } = await openRedisKernel(server.url, { patienceMs: options.patienceMs ?? 500 })
  const call = wrapUnits(plain)
  // Its leases end soon, as tests look at how they are taken over.
  const liveness = await createLiveness({ redis, call: plain, lifeMs: 400 })
  const kernel = createRedisKernel(redis, call, liveness.find)
  const chats = createChatBook(call)
  const [said, ignored, hinted] = [new Array<string>(), new Array<string>(), new Array<string>()]
  const waits: number[] = []
  const hints = { inbound: async (one: string) => void hinted.push(one), outbound: async () => {} }
  const ingest = wrapIngest(createIngest({ kernel, hints, ...(synced ? { synced } : {}) }))
  const stops: (() => Promise<void>)[] = []
  let appended = 0
  const events = async (conversation: ConversationId): Promise<readonly ChatEvent[]> =>
    (await kernel.inbox(conversation, 500)).events
      .map(({ event }) => event)
      .filter(({ kind }) => kind !== options.leaveOut)
  return {
    kernel,
    call,
    redis,
    chats,
    deps: {
      chats,
      call,
      liveness,
      say: (text) => void said.push(text),
      count: (reason) => void ignored.push(reason),
      now: Date.now,
      findMode: async () => 'mention',
    },
    said,
    ignored,
    hinted,
    waits,
    run(channel) {
      const stopping = new AbortController()
      const running = channel.start(ingest, stopping.signal)
      const stop = async (): Promise<void> => {
        stopping.abort()
        await running
      }
      stops.push(stop)
      return stop
    },
    events,
    waitForEvents: (conversation, count) =>
      until(async () => {
        const found = await events(conversation)
        return found.length >= count ? found : undefined
      }),
    async queue(conversation, bodies, questions = []) {
      appended += 1
      const claimed = await kernel.claim(conversation, 'test', 60_000)
      if (claimed.kind !== 'CLAIMED') throw new Error(`The claim was answered ${claimed.kind}.`)
      const rows = bodies.map((body, i) => ({ id: `row-${appended}-${i}`, body, expiresInMs: 600_000 }))
      const step = { key: `step-${appended}`, entries: [], rows, questions, release: true }
      await kernel.append(conversation, claimed.epoch, keepFileApart(conversation, step))
      return rows.map(({ id }) => id)
    },
    async deliver(channel, conversation, { signal, patientForMs = -1 } = {}) {
      const delivery = toDelivery(channel)
      const wake = (_: string, afterMs: number): void => void waits.push(afterMs)
      const [budget, sent] = [createSendBudget(call), createSentLately()]
      // A busy machine holds this process up for longer than its key lives: senders go on.
      const working = { liveness: createStillLiveness(), giveBack: () => {}, draftPollMs: 50, enter: createNews }
      const deps = { kernel, delivery, hints, budget, chats, sent, wake, ...working }
      for (;;) {
        const before = waits.length
        await deliverRows(deps, conversation, signal ?? new AbortController().signal)
        const wakeMs = waits.slice(before).at(-1)
        if (wakeMs === undefined || wakeMs > patientForMs) return
        await sleep(wakeMs)
      }
    },
    async close() {
      for (const stop of stops) await stop()
      await liveness.stop()
      redis.disconnect()
    },
  }
}

/** The sending half; a channel without one is a mistake of the test. */
export function toDelivery({ channel, delivery }: ChannelAdapter): ChannelDelivery {
  if (!delivery) throw new Error(`Nothing is sent on ${channel}.`)
  return delivery
}

/** Asks again every 10 ms until there is an answer; for what rings no bell. */
export async function until<T>(find: () => Promise<T | undefined>, timeoutMs = 25_000): Promise<T> {
  const endMs = Date.now() + timeoutMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > endMs) throw new Error(`Waited ${timeoutMs} ms in vain.`)
    await sleep(10)
  }
}

/** As the chat is known where its book cannot be read. */
export const toAddress = (conversation: string): Address => ({ conversation, standing: undefined })

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
  kind: 'redo.edited',
  owner,
  options: ['redo', 'leave'],
  payload: 'the corrected text',
})

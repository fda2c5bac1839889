// What every process of the fleet shares: connections, the kernel on them, hints, the gate to the model, access. One set per process.
import { toChat } from '#shared/chat/conversation.ts'
import type { DailyLimit, Settings } from '#infra/config/settings.ts'
import type { Log } from '#infra/log/log.ts'
import {
  connectKernel,
  connectProducer,
  connectSubscriber,
  connectWorker,
  type RedisClient,
} from '#queues/connection.ts'
import { createHints, type Hints } from '#queues/jobs/hints.ts'
import { createAccessList, type AccessList } from '#queues/fleet/access.ts'
import { createBudgets, type Budgets } from '#queues/fleet/budgets.ts'
import { createHearing, type Hearing } from '#queues/fleet/hearing.ts'
import { createQuiet, type Quiet } from '#queues/fleet/quiet.ts'
import { createToolRights, type ToolRights } from '#queues/fleet/tool-rights.ts'
import { createChatBook, type ChatBook } from '#queues/fleet/chat-book.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { ProcessTold } from '#queues/fleet/process-key.ts'
import { createPeople, type People, type PeopleDeps } from '#queues/fleet/people.ts'
import { createModelGate, type ModelGate, type Payer } from '#queues/fleet/model-gate.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { everySecond } from './every-second.ts'
import { onceAMinute } from './part.ts'
import { createRedisClock, type RedisClock } from '#queues/redis-clock.ts'
import { watchConnection } from './connection-watch.ts'
import { createUnderway, type Underway } from './underway.ts'
import { openToolPorts, type ToolPorts } from './tool-ports.ts'
import { createLiveness, type Liveness } from '#queues/fleet/liveness.ts'
import { createGiveBack, type GiveBack } from '#queues/workers/give-back.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import { createDiskSync } from '#queues/disk-sync.ts'
import { createIngest, type Ingest } from '#queues/workers/ingest.ts'
import { createCarrier, type Carry } from '#queues/workers/carry-letters.ts'
import { createLastSeconds } from '#queues/workers/last-seconds.ts'
import { createLive, type Live } from '#queues/workers/live.ts'
import { createResolve } from '#queues/workers/resolve-press.ts'
import { createSignals, type Signals } from '#queues/fleet/signals.ts'

export type Runtime = {
  readonly settings: Settings
  readonly log: Log
  readonly redisUrl: string
  readonly redis: RedisClient
  readonly kernel: Kernel
  /** Fails fast while Redis is away, so that a platform redelivers; presses have the rights of who presses. */
  readonly ingestKernel: Kernel
  /** The way in for what people do, on `ingestKernel`. */
  /** Before what must not be made twice (`DiskSync`). */
  readonly settled: () => Promise<void>
  readonly ingest: Ingest
  /** Whether this process and the others live. */
  readonly liveness: Liveness
  /** For leases whose end Redis did not hear of. */
  readonly giveBack: GiveBack
  /** Kernel units, for what has no interface of its own. */
  readonly call: CallUnit
  /** Go to a worker of this process if there is one with room, else to the queue. */
  readonly hints: Hints
  /** Carries the letters of a partition, in the background. */
  readonly carry: Carry
  /** Where workers of this process take hints past the queue. */
  readonly local: LocalWorkers
  readonly modelGate: ModelGate
  /** Those that owners set. */
  readonly budgets: Budgets
  readonly access: AccessList
  readonly toolRights: ToolRights
  readonly quiet: Quiet
  readonly hearing: Hearing
  /** Fails fast as `ingestKernel` does. */
  readonly chats: ChatBook
  readonly people: People
  readonly signals: Signals
  readonly live: Live
  /** What tools work with outside of the fleet. */
  readonly toolPorts: ToolPorts
  /** What this process is at. */
  readonly underway: Underway
  /** A connection for BullMQ workers. */
  workerConnection(): RedisClient
  /** Redis' time, for whatever is stored or judges what is stored. */
  readonly clock: Pick<RedisClock, 'now' | 'learn'>
  /** Who pays for a person's words in a conversation, today in the operator's time zone. */
  payer(who: Omit<Payer, 'day'>): Payer
  close(): Promise<void>
}

const patienceMs = 30_000
const ingestPatienceMs = 2500
/** For leases that are still to be given back when the process stops. */
const leasesGraceMs = 500
/** A process that died keeps its permits under the cap for this long. */
const modelHoldMs = 9000

/** Answers whether it took the conversation on. */
export type LocalWorkers = { inbound?: (conversation: string) => boolean; execute?: (conversation: string) => boolean }

export type RuntimeOptions = {
  readonly settings: Settings
  readonly redisUrl: string
  readonly log: Log
  /** What the process is, for who looks at the fleet. */
  readonly told?: ProcessTold
  /** Wraps every kernel unit: fault tests crash a process before or after one. */
  readonly wrapUnits?: (call: CallUnit) => CallUnit
}

export async function openRuntime({
  settings,
  redisUrl,
  log,
  told,
  wrapUnits = (call) => call,
}: RuntimeOptions): Promise<Runtime> {
  const redis = connectKernel(redisUrl)
  await watchConnection(redis, settings, log)
  const clock = await createRedisClock(redis)
  const producer = connectProducer(redisUrl)
  const worker = connectWorker(redisUrl)
  const call = wrapUnits(createUnits(redis, { patienceMs }))
  const ingestCall = wrapUnits(createUnits(redis, { patienceMs: ingestPatienceMs }))
  const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: settings.timeZone })
  const day = everySecond((atMs) => calendar.format(new Date(atMs)))
  const toLimit = ({ tokens, usd = 0 }: DailyLimit) => ({ tokens, micros: Math.round(usd * 1_000_000) })
  const { person, owner, chat, total } = settings.daily
  const queued = createHints(producer, clock.now, settings.queueShards)
  const local: LocalWorkers = {}
  const hints: Hints = {
    ...queued,
    inbound: async (conversation, wakes) =>
      local.inbound?.(conversation) ? undefined : await queued.inbound(conversation, wakes),
    execute: async (conversation, wakes) =>
      local.execute?.(conversation) ? undefined : await queued.execute(conversation, wakes),
  }
  const modelGate = createModelGate(call, {
    limits: { person: toLimit(person), owner: toLimit(owner), chat: toLimit(chat), total: toLimit(total) },
    most: settings.model.concurrency,
    holdMs: modelHoldMs,
  })
  const liveness = await createLiveness({
    redis,
    // A renewal that comes late is of no use.
    call: createUnits(redis, { patienceMs: 0 }),
    lifeMs: settings.leaseMs,
    ...(told && { told }),
    onLengthened: (lifeMs) => log.warn(lengthened(lifeMs)),
  })
  const signals = await createSignals(connectSubscriber(redisUrl), redis, liveness.process)
  const live = createLive(connectSubscriber(redisUrl))
  const access = createAccessList(redis, {
    owners: settings.owners,
    everyone: settings.allowEveryone,
    news: signals,
  })
  const failingFast = createRedisKernel(redis, ingestCall, liveness.find)
  const resolve = createResolve({
    kernel: failingFast,
    access,
    onRefused: (refused) => log.info(refused, 'refused a press'),
  })
  const ingestKernel = { ...failingFast, resolve }
  const disk = createDiskSync(redisUrl)
  const lastSeconds = createLastSeconds(redis)
  const warn = onceAMinute((text) => log.warn(text))
  const isOwner = async (principal: string, conversation: string): Promise<boolean> =>
    (await access.find(principal, toChat(conversation))).owner
  const onFull = (conversation: string): void =>
    warn(
      `Too much waits in ${conversation}: what more is said there is dropped. Is it a flood, or are executors missing?`,
    )
  const chats = createChatBook(ingestCall, { redis, news: signals })
  const mayTalk: PeopleDeps['mayTalk'] = async ({ principal, conversation }) => {
    const rights = await access.find(principal, toChat(conversation))
    return rights.owner || rights.person || rights.chat
  }
  const people = createPeople({ redis, call: ingestCall, chats, mayTalk, now: clock.now })
  const kernel = createRedisKernel(redis, call, liveness.find)
  const leases = createGiveBack(kernel)
  const onTrouble = onceAMinute((text, error) => log.warn({ err: error }, text))
  const toolPorts = openToolPorts(settings, onTrouble)
  const carrier = createCarrier({ kernel, hints, lastSeconds, onTrouble })
  return {
    settings,
    log,
    redisUrl,
    redis,
    liveness,
    giveBack: leases.giveBack,
    call,
    kernel,
    carry: carrier.carry,
    ingestKernel,
    ingest: createIngest({
      kernel: ingestKernel,
      hints,
      onFull,
      isOwner,
      lastSeconds,
      learn: people.learn,
      synced: disk.synced,
    }),
    settled: disk.settled,
    hints,
    local,
    modelGate,
    budgets: createBudgets(redis),
    chats,
    people,
    access,
    toolRights: createToolRights(redis),
    quiet: createQuiet(redis),
    hearing: createHearing(redis),
    signals,
    live,
    toolPorts,
    underway: createUnderway(),
    workerConnection: () => worker,
    clock,
    payer: (who) => ({ ...who, day: day(clock.now()) }),
    async close() {
      await carrier.stop()
      await leases.stop(leasesGraceMs)
      await liveness.stop()
      await toolPorts.close()
      redis.removeAllListeners('close')
      clock.close()
      disk.close()
      await hints.close().catch(() => {})
      modelGate.close()
      signals.close()
      live.close()
      for (const client of [redis, producer, worker]) client.disconnect()
    },
  }
}

const lengthened = (lifeMs: number): string =>
  `Others took over what this process was doing, twice within a minute: it was too slow to say that it lives. It has ${lifeMs / 1000} s for that now. Is there too much to do for this machine?`

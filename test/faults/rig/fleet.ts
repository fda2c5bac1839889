// A fleet of separate processes for one fault test: a private Redis with an append-only file, the model simulator, and roles that are
// started, killed and frozen. Everything is ended by pid when the fleet is disposed of, also on failure.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connectKernel, connectProducer, type RedisClient } from '#queues/connection.ts'
import { createHints, type Hints } from '#queues/jobs/hints.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { prepareEvent, storeEvent } from '#queues/workers/ingest-event.ts'
import { message } from '#test/rig/events.ts'
import type { MovingClock } from '#test/rig/moving-clock.ts'
import { findFreePort, startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { startChild, type Child } from './child.ts'
import { modelNames, startModel, type ModelProcess } from './model.ts'
import { startDiscord, type Discord } from './discord.ts'
import { startFeishu, type Feishu, type FeishuTimes } from './feishu.ts'
import { createMoments, type Moments } from './moments.ts'
import { startTelegram, type Telegram } from './telegram.ts'
import { createWebAsker, type WebAsker } from './web.ts'
import { createTranscripts, type Asked, type Transcripts } from './transcripts.ts'

export type FleetOptions = {
  /** Settings of every role, on top of the rig's. */
  readonly env?: Readonly<Record<string, string>>
  readonly leaseMs?: number
  /** `counters` keeps no list of model requests. */
  readonly ledger?: 'full' | 'counters'
  /** A Telegram simulator too; roles get its token. */
  readonly telegram?: boolean
  readonly discord?: boolean
  readonly feishu?: boolean | FeishuTimes
  /** What roles connect to instead of Redis itself: a proxy. */
  readonly redisUrl?: string
  /** What this test itself reads from and writes to instead of Redis itself, which may become a replica. */
  readonly ownUrl?: string
  readonly redisPort?: number
  /** Of all its processes and of its Redis, instead of the machine's. */
  readonly clock?: MovingClock
}

export type Fleet = AsyncDisposable & {
  readonly redis: PrivateRedis
  readonly model: ModelProcess
  readonly telegram: Telegram | undefined
  readonly discord: Discord | undefined
  readonly feishu: Feishu | undefined
  readonly moments: Moments
  readonly talk: Transcripts
  readonly kernel: Kernel
  readonly hints: Hints
  readonly client: RedisClient
  readonly leaseMs: number
  readonly folder: string
  /** Where the web role is reached. */
  readonly web: { readonly port: number; readonly tokenFile: string }
  /** Roles started and not known to have ended. */
  readonly roles: readonly Child[]
  /** Starts a process with these roles (`executor`, `router,executor`, …) and waits until it says so. */
  start(roles: string, env?: Readonly<Record<string, string>>): Promise<Child>
  /** One message by the owner into `web:<chat>` or `console:<chat>`, straight through ingest. */
  ask(chat: string | number, text: string, channel?: 'web' | 'console'): Promise<Asked>
  /** The same over HTTP through the web role, again with the same key until it is accepted. */
  askWeb(chat: string | number, text: string): Promise<Asked>
  /** Once over HTTP, as it stands. */
  postWeb: WebAsker['post']
  /** Once over HTTP; tells status and time, and resolves with what sends it again until it is accepted. */
  tryWeb: WebAsker['once']
  /** Reads a conversation over HTTP until it is shown. */
  readWeb: WebAsker['read']
  /** A person with this id writes to the bot in Telegram. */
  askTelegram(person: number, text: string): Promise<Asked>
  askDiscord(person: number, text: string): Promise<Asked>
  askFeishu(person: number, text: string): Promise<Asked>
  /** Waits until all, or these, are answered. */
  answered(timeoutMs: number, of?: readonly Asked[]): Promise<void>
  /** What `flotilla doctor` prints, run with the settings of the roles. */
  doctor(): Promise<string>
  pause(ms: number): Promise<void>
}

export const repository = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

const plenty = '1000000000000'
/** Beside other work a machine takes long to start a process. */
const startMs = 180_000
/** The send budget has scenarios of its own. */
const fast = '10000,10000,10000'

export async function startFleet(options: FleetOptions = {}): Promise<Fleet> {
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-faults-'))
  const leaseMs = options.leaseMs ?? 1000
  const redis = await startRedis({ aof: true, port: options.redisPort ?? (await findFreePort()), clock: options.clock })
  const { env: time, now } = options.clock ?? { env: {}, now: Date.now }
  const model = await startModel(repository, options.ledger ?? 'full', time)
  const url = options.redisUrl ?? redis.url
  const ownUrl = options.ownUrl ?? redis.url
  const client = connectKernel(ownUrl)
  const kernel = createRedisKernel(client, createUnits(client, { patienceMs: 60_000 }))
  const producer = connectProducer(ownUrl)
  const hints = createHints(producer)
  const talk = createTranscripts(ownUrl, kernel)
  const roles: Child[] = []
  // Texts are told apart by a number, so that an echo tells which of them it answers.
  let told = 0
  const unique = (text: string): string => `${text} #${++told}.`
  const telegram = options.telegram ? await startTelegram(repository, { redis, talk, model, time }) : undefined
  const discord = options.discord ? await startDiscord(repository, { redis, talk, model, time }) : undefined
  const feishu = options.feishu
    ? await startFeishu(repository, { redis, talk, model, time }, options.feishu === true ? {} : options.feishu)
    : undefined
  const moments = createMoments()
  const port = await findFreePort()
  const asker = createWebAsker({ port, folder, talk })
  const base = {
    REDIS_URL: url,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'simulated',
    ...modelNames,
    FLOTILLA_LEASE_MS: String(leaseMs),
    FLOTILLA_DAILY_TOKENS_PERSON: plenty,
    FLOTILLA_DAILY_TOKENS_CHAT: plenty,
    FLOTILLA_DAILY_TOKENS_TOTAL: plenty,
    FLOTILLA_TIME_ZONE: 'UTC',
    FLOTILLA_ALLOW: '*',
    FLOTILLA_PORT: String(port),
    ...(telegram
      ? { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot, TELEGRAM_RATES: fast }
      : {}),
    ...(discord ? { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_ROOT: discord.apiRoot } : {}),
    ...(feishu
      ? { FEISHU_APP_ID: feishu.appId, FEISHU_APP_SECRET: feishu.appSecret, FEISHU_DOMAIN: feishu.apiRoot }
      : {}),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(tmpdir(), 'flotilla-faults-compile-cache'),
    ...time,
    ...options.env,
  }
  const fleet: Fleet = {
    redis,
    model,
    telegram,
    discord,
    feishu,
    moments,
    talk,
    kernel,
    hints,
    client,
    leaseMs,
    folder,
    web: { port, tokenFile: path.join(folder, '.flotilla', 'web-token') },
    roles,
    async start(names, env = {}) {
      const args = [`${repository}/test/faults/role.ts`, names]
      const child = startChild({ name: names, args, cwd: folder, env: { ...base, ...env }, onNews: moments.hear })
      roles.push(child)
      void child.ended.then(() => roles.splice(roles.indexOf(child), 1))
      // A process told to crash may do so before it says anything.
      await Promise.race([
        child.line('"msg":"started"', startMs),
        env['CRASH_AT'] ? child.ended : new Promise(() => {}),
      ])
      return child
    },
    async ask(chat, said, channel = 'web') {
      const text = unique(said)
      const id = `q-${randomUUID()}`
      const conversation = `${channel}:${chat}`
      const event = message({ id, conversation, principal: `${channel}:owner`, at: now(), text })
      const storable = await prepareEvent({}, event, { dedupeKey: id, echo: true })
      const { seq } = await storeEvent({ kernel, hints }, storable)
      const asked = { id, conversation, text, seq, atMs: event.at }
      talk.note(asked)
      return asked
    },
    askWeb: (chat, text) => asker.ask(chat, unique(text)),
    readWeb: (chat) => asker.read(chat),
    postWeb: asker.post,
    tryWeb: (chat, text, tell) => asker.once(chat, unique(text), tell),
    async askTelegram(person, text) {
      if (!telegram) throw new Error('This fleet has no Telegram.')
      return await telegram.ask(person, unique(text))
    },
    async askDiscord(person, text) {
      if (!discord) throw new Error('This fleet has no Discord.')
      return await discord.ask(person, unique(text))
    },
    async askFeishu(person, text) {
      if (!feishu) throw new Error('This fleet has no Feishu.')
      return await feishu.ask(person, unique(text))
    },
    async answered(timeoutMs, of) {
      const done = (): boolean => (of ? of.every((asked) => !talk.open.has(asked.id)) : talk.open.size === 0)
      await talk
        .until(() => done() || undefined, 'answers', timeoutMs)
        .catch(async () => {
          const open = [...talk.open].slice(0, 5).flatMap((id) => talk.asked.get(id) ?? [])
          const states = await Promise.all(open.map((asked) => describe(redis, asked)))
          const logs = roles.map((child) => `--- ${child.name} ${child.pid}\n${child.tail(8)}`)
          const waiting = (await telegram?.pendingUpdates().catch(String)) ?? 0
          const head = `${talk.open.size} unanswered after ${timeoutMs} ms (${waiting} updates wait at Telegram), like`
          throw new Error([head, ...states, ...logs].join('\n'))
        })
    },
    async doctor() {
      const args = [`${repository}/infra/cli.ts`, 'doctor']
      const child = startChild({ name: 'doctor', args, cwd: folder, env: base })
      await child.ended
      return child.tail(100)
    },
    pause: (ms) => sleep(ms),
    async [Symbol.asyncDispose]() {
      roles.forEach((child) => child.thaw())
      telegram?.close()
      discord?.close()
      feishu?.close()
      const simulators = [model, telegram, discord, feishu].flatMap((one) => one?.child ?? [])
      await Promise.all([...roles, ...simulators].map((child) => child.kill()))
      talk.close()
      await hints.close().catch(() => {})
      producer.disconnect()
      client.disconnect()
      await redis.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return fleet
}

/** What Redis knows of a question: an event beyond \`seq\` was accepted and then lost with the store's last writes. */
async function describe({ admin }: PrivateRedis, { conversation, seq, text }: Asked): Promise<string> {
  const prefix = partitionPrefix(toPartition(conversation))
  const [counters, lease, due] = await Promise.all([
    admin.hgetall(`${prefix}c:${conversation}`),
    admin.get(`${prefix}lease:${conversation}`),
    admin.zrange(`${prefix}wake`, '0', '-1'),
  ])
  const wakes = due.filter((member) => member.endsWith(`:${conversation}`)).join(' ')
  return `${conversation} seq ${seq} "${text}": ${JSON.stringify(counters)}, lease ${lease ?? 'none'}, due ${wakes || 'nothing'}`
}

// A small fleet in this process for tests: real Redis, real queues, the real router and executor, a simulated model over HTTP.
// People talk to it by ingesting events; what it says is read from the conversation's out stream.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadSettings } from '#infra/config/settings.ts'
import { createLog } from '#infra/log/log.ts'
import { demoWaitTool } from '#infra/models/demo-tools.ts'
import type { FoundModel } from '#infra/models/find-model.ts'
import { startExecutor } from '#infra/processes/executor.ts'
import { openFeatures } from '#infra/processes/open-features.ts'
import { openPorts, type FeaturePorts } from '#infra/processes/open-ports.ts'
import { listConnected } from '#infra/processes/channels.ts'
import { loadModel } from '#infra/processes/model.ts'
import type { Part } from '#infra/processes/part.ts'
import { holdLayout } from '#infra/processes/held-locks.ts'
import { startRouter } from '#infra/processes/router.ts'
import { openRuntime, type Runtime } from '#infra/processes/runtime.ts'
import { startSweeper } from '#infra/processes/sweeper.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { startModelSimulator, type ModelSimulator } from '#test/simulators/model/simulator.ts'
import { message } from '#test/rig/events.ts'
import { startRedis, type PrivateRedis, type RedisOptions } from './redis.ts'

export type Said = Extract<OutBody, { kind: 'send' }>

export type Fleet = AsyncDisposable & {
  readonly redis: PrivateRedis
  readonly model: ModelSimulator
  readonly runtime: Runtime
  startRouter(): Part
  startExecutor(): Promise<Part>
  /** Stops all executors, as a restart of their process does; what they were at is taken up by the next one. */
  stopExecutors(): Promise<void>
  /** Ingests a message and returns its event id. */
  tell(text: string, how?: Telling): Promise<string>
  /** Waits for the reply that names the event. */
  replyTo(eventId: string, conversation?: string): Promise<Said>
  ask(text: string, how?: Telling): Promise<Said>
  send(event: ChatEvent): Promise<void>
  /** Everything the bot said in a conversation. */
  said(conversation?: string): Promise<readonly Said[]>
}

export type Telling = Partial<Omit<MessageEvent, 'kind' | 'text'>> & { readonly slash?: string }

const conversationName = 'web:room'

export type FleetOptions = {
  readonly env?: Record<string, string>
  readonly parts?: readonly ('router' | 'executor')[]
  /** Another model than the simulated one. */
  readonly found?: FoundModel
  /** Besides the fleet's own; made with its ports where they need them. */
  readonly features?: readonly Feature[] | ((ports: FeaturePorts) => readonly Feature[])
  readonly redis?: RedisOptions
  /** Gets each log line. */
  readonly onLog?: (line: string) => void
  /** Another Redis than a private one of its own. */
  readonly redisUrl?: string
}

export async function startFleet(options: FleetOptions = {}): Promise<Fleet> {
  const redis = await startRedis(options.redis)
  const redisUrl = options.redisUrl ?? redis.url
  const model = await startModelSimulator()
  const settings = loadSettings(
    {
      REDIS_URL: redisUrl,
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: model.url,
      FLOTILLA_MODEL: 'sim-main',
      FLOTILLA_LOG_LEVEL: 'silent',
      FLOTILLA_LEASE_MS: '2000',
      ...options.env,
    },
    '/nonexistent',
  )
  const { log } = createLog({
    level: settings.logLevel,
    secrets: settings.secrets,
    ...(options.onLog ? { destination: { write: options.onLog } } : {}),
  })
  const roles = options.parts ?? ['router', 'executor']
  const runtime = await openRuntime({
    told: { role: 'test', does: [...roles, 'reflection', ...listConnected(settings)], settings: {} },
    settings,
    redisUrl,
    log,
  })
  const provider = await loadModel(settings)
  const parts: Part[] = [await holdLayout(runtime), startSweeper(runtime)]
  const executors: Part[] = []
  const readRows = async (conversation = conversationName): Promise<readonly OutBody[]> => {
    const items = await runtime.kernel.readOut(conversation, '0', 1000)
    return items.flatMap((item: OutItem) => (item.role === 'bot' ? [item.body] : []))
  }
  const fleet: Fleet = {
    redis,
    model,
    runtime,
    startRouter() {
      const part = startRouter(runtime, '/nonexistent')
      parts.push(part)
      return part
    },
    async startExecutor() {
      const found = options.found ?? { port: provider.port, tools: [demoWaitTool()] }
      const { features } = options
      const others = typeof features === 'function' ? features(openPorts(runtime, found)) : features
      const part = startExecutor(runtime, openFeatures(runtime, found, others), {
        retryDelaysMs: [20, 40, 80],
      })
      parts.push(part)
      executors.push(part)
      return part
    },
    async stopExecutors() {
      for (const part of executors.splice(0)) await part.stop(500)
    },
    async tell(text, { slash, ...given } = {}) {
      const id = given.id ?? `m-${randomUUID()}`
      const command = slash === undefined ? {} : { command: { name: slash, args: text.replace(/^\S+\s*/, '') } }
      const who = { conversation: conversationName, principal: 'web:owner', at: Date.now() }
      const event = message({ id, ...who, ...command, ...given, text })
      await runtime.ingest.take(event, { dedupeKey: id })
      return id
    },
    async send(event) {
      await runtime.ingest.take(event, { dedupeKey: event.id })
    },
    said: async (conversation) => (await readRows(conversation)).filter(isSaid),
    async replyTo(eventId, conversation) {
      for (;;) {
        const rows = await readRows(conversation)
        const answer = rows.find((body) => body.answers.includes(eventId))
        // A turn that asks somebody ends by its card alone: its own row says nothing.
        const found = answer?.kind === 'send' ? answer : answer && rows.findLast(isCard)
        if (found) return found
        await sleep(5)
      }
    },
    async ask(text, how) {
      return await fleet.replyTo(await fleet.tell(text, how), how?.conversation)
    },
    async [Symbol.asyncDispose]() {
      for (const part of parts.toReversed()) await part.stop(500)
      await runtime.close()
      await model.close()
      await redis.stop()
    },
  }
  for (const name of roles) {
    if (name === 'router') fleet.startRouter()
    else await fleet.startExecutor()
  }
  return fleet
}

const isSaid = (body: OutBody): body is Said => body.kind === 'send'
const isCard = (body: OutBody): body is Said => isSaid(body) && body.buttons !== undefined

/** Waits until `find` gives something. */
export async function until<T>(find: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await find()
    if (found) return found
    await sleep(5)
  }
}

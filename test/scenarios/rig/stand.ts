// Where scenarios are played: a Redis, a router, the web page's process, and executors that serve one conversation at a time each, so that a kill
// meets no other run. Whichever dies is replaced. The model and the world outside are in this process.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { connectKernel, connectProducer } from '#queues/connection.ts'
import { createHints, type Hints } from '#queues/jobs/hints.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { findFreePort, startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { startChild, type Child } from '#test/faults/rig/child.ts'
import { repository } from '#test/faults/rig/fleet.ts'
import { startAskedModel, type AskedModel } from './asked-model.ts'
import type { Scenario } from './scenario.ts'
import { startWorld, type World } from './world.ts'

export type Stand = AsyncDisposable & {
  readonly redis: PrivateRedis
  readonly kernel: Kernel
  readonly hints: Hints
  readonly model: AskedModel
  readonly world: World
  readonly web: { readonly port: number; readonly tokenFile: string }
  readonly stepsFolder: string
  /** How many processes died. */
  deaths(): number
  /** What processes wrote last, for a run that fails. */
  tails(): string
}

const plenty = '1000000000000'
/** Lower than the fleet's, so that a script need not be long; a scenario that is about none of them stays below them. */
const usualLimits = { maxSteps: 7, maxToolCalls: 9, maxTokens: 24_000 }

const kinds: Readonly<Record<Scenario['stand'], Readonly<Record<string, string>>>> = {
  usual: { TURN_LIMITS: JSON.stringify(usualLimits), FLOTILLA_DAILY_TOKENS_CHAT: plenty },
  narrow: {
    TURN_LIMITS: JSON.stringify({ ...usualLimits, maxWallMs: 15_000 }),
    FLOTILLA_CONTEXT_TOKENS: '4096',
    FLOTILLA_HISTORY_TOKENS: '1000',
    FLOTILLA_DAILY_TOKENS_CHAT: plenty,
  },
  alone: { TURN_LIMITS: JSON.stringify(usualLimits), FLOTILLA_DAILY_TOKENS_CHAT: plenty, PLACES: '1' },
  poor: { TURN_LIMITS: JSON.stringify(usualLimits), FLOTILLA_DAILY_TOKENS_CHAT: '12000' },
}

export type StandOptions = {
  readonly kind: Scenario['stand']
  readonly scenarios: readonly Scenario[]
  /** How many runs are played at once. */
  readonly lanes: number
  /** For executors only. */
  readonly env: Readonly<Record<string, string>>
}

export async function openStand({ kind, scenarios, lanes, env }: StandOptions): Promise<Stand> {
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-scenarios-'))
  const stepsFolder = path.join(folder, 'steps')
  mkdirSync(stepsFolder)
  const redis = await startRedis({ aof: true })
  const world = await startWorld()
  const model = await startAskedModel(scenarios, `http://127.0.0.1:${world.port}`)
  const client = connectKernel(redis.url)
  const producer = connectProducer(redis.url)
  const port = await findFreePort()
  const base = {
    REDIS_URL: redis.url,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'simulated',
    FLOTILLA_MODEL: 'simulated',
    FLOTILLA_LEASE_MS: '1000',
    FLOTILLA_DAILY_TOKENS_PERSON: plenty,
    FLOTILLA_DAILY_TOKENS_TOTAL: plenty,
    FLOTILLA_EXECUTOR_CONCURRENCY: '1',
    FLOTILLA_TIME_ZONE: 'UTC',
    FLOTILLA_ALLOW: '*',
    FLOTILLA_ANSWER_BUTTONS: 'off',
    FLOTILLA_PORT: String(port),
    FLOTILLA_LOG_LEVEL: 'warn',
    FLOTILLA_SEARCH: `searxng=${world.searxng}`,
    STEPS_FOLDER: stepsFolder,
    WORLD_PORT: String(world.port),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(tmpdir(), 'flotilla-faults-compile-cache'),
    ...kinds[kind],
    ...(kind === 'alone' ? { FLOTILLA_HTTP_HOSTS: `127.0.0.1:${world.port}+key` } : {}),
  }
  const alive = new Set<Child>()
  let deaths = 0
  let isClosing = false
  const start = (role: string): Child => {
    const args = [`${repository}/test/scenarios/rig/role.ts`, role]
    const own = role === 'executor' ? env : {}
    const child = startChild({ name: role, args, cwd: folder, env: { ...base, ...own } })
    alive.add(child)
    void child.ended.then(() => {
      alive.delete(child)
      if (isClosing) return
      deaths += 1
      start(role)
    })
    return child
  }
  for (const role of ['router', 'web']) start(role)
  // One stands by for each run that may lose its own.
  for (let i = 0; i < lanes + 2; i++) start('executor')
  const hints = createHints(producer)
  return {
    redis,
    kernel: createRedisKernel(client, createUnits(client, { patienceMs: 60_000 })),
    hints,
    model,
    world,
    web: { port, tokenFile: path.join(folder, '.flotilla', 'web-token') },
    stepsFolder,
    deaths: () => deaths,
    tails: () =>
      [...alive]
        .map((child) => child.tail(3))
        .join('\n')
        .trim(),
    async [Symbol.asyncDispose]() {
      isClosing = true
      await Promise.all([...alive].map((child) => child.kill()))
      await hints.close().catch(() => {})
      producer.disconnect()
      client.disconnect()
      await redis.stop()
      await Promise.all([model.close(), world.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// Where the bench runs: a private Redis with the fleet's own configuration (AOF everysec), a model simulator, and the
// environment and Node flags that every process of it gets. Nothing outside a temporary folder is touched.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import { takeFileLock } from '#infra/redis/file-lock.ts'
import { toUrl, type RedisEndpoint } from '#infra/redis/redis-probe.ts'
import { startServer, stopServer } from '#infra/redis/redis-server.ts'
import { startChild, type Child } from './child.ts'

export type Place = {
  readonly url: string
  readonly redis: Redis
  /** Roles of the fleet in one process, with the flags that `npm run flotilla` gives it. */
  startFleet(roles: readonly string[], env?: Readonly<Record<string, string>>): Promise<Child>
  /** Another process of the bench, by its file. */
  start(file: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Child>
  /** All hops in one process, or those named: `first`, `second`, `third`. */
  startBaseline(...hops: readonly string[]): Promise<Child>
  /** The same hops over Redis Streams. */
  startFloor(): Promise<Child>
  startLoad(): Promise<Child>
  setModelLatency(latencyMs: number): Promise<void>
  /** Rules of its simulator (`test/simulators/model`). */
  scriptModel(rules: readonly object[]): Promise<void>
  /** What Redis has computed since its start. */
  redisCpuMs(): Promise<number>
  /** Forgets everything in Redis. */
  clear(): Promise<void>
  close(): Promise<void>
}

const unlimited = '1000000000'

export async function openPlace(): Promise<Place> {
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-bench-'))
  const endpoint: RedisEndpoint = { kind: 'port', port: await findPort(), password: randomBytes(12).toString('hex') }
  const lock = takeFileLock(path.join(folder, 'redis.lock'))
  if (!lock) throw new Error(`${folder} was made just now, and is locked already.`)
  const server = await startServer({ folder, endpoint, lock, onSpawn: () => {} }, new AbortController().signal)
  lock.close()
  const url = toUrl(endpoint)
  const redis = new Redis(url)
  const children: Child[] = []
  const start = async (options: Parameters<typeof startChild>[0]): Promise<Child> => {
    const child = await startChild({ ...options, env: { ...env, ...options.env } })
    children.push(child)
    return child
  }
  const env: Record<string, string> = {
    REDIS_URL: url,
    OPENAI_API_KEY: 'bench',
    FLOTILLA_MODEL: 'simulated',
    FLOTILLA_ALLOW: '*',
    FLOTILLA_DATA: path.join(folder, 'fleet'),
    FLOTILLA_LOG_LEVEL: 'warn',
    FLOTILLA_PORT: String(await findPort()),
    FLOTILLA_DAILY_TOKENS_PERSON: unlimited,
    FLOTILLA_DAILY_TOKENS_CHAT: unlimited,
    FLOTILLA_DAILY_TOKENS_TOTAL: unlimited,
  }
  const model = await start({ file: 'model.ts' })
  const { origin } = await model.ask<{ origin: string }>('where')
  env['OPENAI_BASE_URL'] = `${origin}/v1`
  return {
    url,
    redis,
    startFleet: (roles, more = {}) =>
      start({ launcher: 'infra/setup/launch.sh', file: 'fleet.ts', args: roles, env: more }),
    start: (file, args, more = {}) => start({ file, args, env: more }),
    startBaseline: (...args) => start({ file: 'baseline.ts', args }),
    startFloor: () => start({ file: 'floor.ts' }),
    startLoad: () => start({ file: 'load.ts' }),
    async setModelLatency(latencyMs) {
      await fetch(`${origin}/__control`, { method: 'POST', body: JSON.stringify({ latencyMs }) })
    },
    async scriptModel(rules) {
      const sent = await fetch(`${origin}/__control`, { method: 'POST', body: JSON.stringify({ script: rules }) })
      if (!sent.ok) throw new Error(`The model takes no such script: ${await sent.text()}`)
    },
    async redisCpuMs() {
      const info = await redis.info('cpu')
      const seconds = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1])
      return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1000
    },
    async clear() {
      await redis.flushall()
    },
    async close() {
      await Promise.all(children.map((child) => child.stop()))
      redis.disconnect()
      await stopServer(server)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

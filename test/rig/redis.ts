// Private redis-servers for tests: a port of their own on 127.0.0.1, data in a temporary folder, ended by their pid.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { MovingClock } from './moving-clock.ts'

export type RedisOptions = {
  /** Append-only file with `everysec`, so that a restart keeps the data. */
  readonly aof?: boolean
  /** As redis.conf has it, e.g. `20mb`; eviction stays off. */
  readonly maxmemory?: string
  /** Further command line arguments. */
  readonly args?: readonly string[]
  readonly port?: number
  /** What it runs by instead of the machine's clock. */
  readonly clock?: MovingClock | undefined
}

export type PrivateRedis = AsyncDisposable & {
  readonly url: string
  readonly port: number
  /** Of the process that runs now: it changes with `restart`. */
  pid(): number
  /** A plain connection with retries, for what a test wants to look at or break. */
  readonly admin: Redis
  /** One command by its words; the reply as ioredis gives it. */
  cli(...words: readonly (string | number)[]): Promise<unknown>
  /** SIGTERM, waits, removes the folder. Safe to call twice. */
  stop(): Promise<void>
  /** SIGKILL and waits; the folder stays for `restart`. */
  kill(): Promise<void>
  /** Starts it again on the same port and folder. */
  restart(): Promise<void>
  /** Copies its append-only files; the next restart of a killed server goes on from the copy. */
  copyFiles(): Promise<() => Promise<void>>
  /** SIGSTOP and SIGCONT: alive for TCP, silent for clients. */
  freeze(): void
  thaw(): void
}

export async function startRedis(options: RedisOptions = {}): Promise<PrivateRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'flotilla-redis-'))
  const port = options.port ?? (await findFreePort())
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    loglevel: 'warning',
    appendonly: options.aof ? 'yes' : 'no',
    appendfsync: 'everysec',
    maxmemory: options.maxmemory ?? '0',
    'maxmemory-policy': 'noeviction',
    'enable-debug-command': 'local',
  }
  const args = [...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]), ...(options.args ?? [])]
  const start = (): Promise<ChildProcess> => launch(args, port, options.clock?.redisEnv)
  let child = await start()
  const admin = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null, retryStrategy: () => 50 })
  admin.on('error', () => {})
  let stopped = false

  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill(signal)
    // A server in the middle of a failover waits for its replica for ever.
    const impatience = setTimeout(() => child.kill('SIGKILL'), 5000)
    await ended
    clearTimeout(impatience)
  }
  const stop = async (): Promise<void> => {
    if (stopped) return
    stopped = true
    admin.disconnect()
    await end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: () => child.pid ?? 0,
    admin,
    cli: (...words) => {
      const [name = 'PING', ...rest] = words.map(String)
      return admin.call(name, ...rest)
    },
    stop,
    kill: () => end('SIGKILL'),
    async restart() {
      await end('SIGTERM')
      child = await start()
    },
    async copyFiles() {
      const [files, copy] = [join(folder, 'appendonlydir'), join(folder, 'earlier')]
      await cp(files, copy, { recursive: true })
      return async () => {
        await rm(files, { recursive: true })
        await rename(copy, files)
      }
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    [Symbol.asyncDispose]: stop,
  }
}

/** A port nobody listens on now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('The system gave no port.')
  return address.port
}

async function launch(args: readonly string[], port: number, env: object = {}): Promise<ChildProcess> {
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit']
  const child = spawn('redis-server', args, { stdio, env: { ...process.env, ...env } })
  const gone = once(child, 'exit').then(() => {
    throw new Error(`redis-server on port ${port} ended at start.`)
  })
  gone.catch(() => {})
  // A test process that dies must not leave servers behind.
  const reap = (): void => void child.kill('SIGKILL')
  process.once('exit', reap)
  child.once('exit', () => process.removeListener('exit', reap))
  await Promise.race([waitUntilReady(port), gone])
  return child
}

async function waitUntilReady(port: number): Promise<void> {
  const probe = new Redis({
    port,
    host: '127.0.0.1',
    lazyConnect: true,
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  })
  probe.on('error', () => {})
  try {
    for (;;) {
      // LOADING is answered with an error until the append-only file is read.
      const answer = await probe.ping().catch(() => '')
      if (answer === 'PONG') return
      await sleep(20)
    }
  } finally {
    probe.disconnect()
  }
}

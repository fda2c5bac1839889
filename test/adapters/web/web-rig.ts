// Web channels on a private Redis, as separate processes would have them: each with connections and a subscriber of its own.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createWebChannel, type WebChannel } from '#adapters/web/web-channel.ts'
import type { WebDeps } from '#adapters/web/web-app.ts'
import { connectKernel, connectProducer, connectSubscriber } from '#queues/connection.ts'
import { createHints } from '#queues/jobs/hints.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { createIngest, type IngestDeps } from '#queues/workers/ingest.ts'
import { createLive } from '#queues/workers/live.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'

export type WebRig = AsyncDisposable & {
  readonly redis: PrivateRedis
  readonly kernel: Kernel
  readonly tokenFile: string
  token(): Promise<string>
  start(options?: StartOptions): Promise<WebServer>
}
export type StartOptions = {
  readonly now?: () => number
  readonly kernel?: (kernel: Kernel) => Kernel
  readonly publicUrl?: string
  readonly say?: WebDeps['say']
  readonly pages?: WebDeps['pages']
  readonly pageWithinMs?: number
  readonly countDesk?: WebDeps['countDesk']
  readonly ingest?: Pick<IngestDeps, 'synced' | 'lastSeconds'>
}
export type WebServer = {
  readonly channel: WebChannel
  readonly port: number
  readonly origin: string
  /** Calls the API with the token. */
  call(route: string, init?: RequestInit): Promise<Response>
  post(route: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  /** Ends it, as a process that stops does; `again` starts it anew on the same port. */
  stop(): Promise<void>
  again(): Promise<void>
  close(): Promise<void>
}

export async function startWebRig(): Promise<WebRig> {
  const redis = await startRedis()
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-web-'))
  const tokenFile = path.join(folder, 'data', 'web-token')
  const servers: WebServer[] = []
  const connection = connectKernel(redis.url)
  await new Promise((resolve) => connection.once('ready', resolve))
  const kernel = createRedisKernel(connection, createUnits(connection, { patienceMs: 2000 }))
  const token = async (): Promise<string> => (await readFile(tokenFile, 'utf8')).trim()

  async function start(options: StartOptions = {}): Promise<WebServer> {
    const own = connectKernel(redis.url)
    const producer = connectProducer(redis.url)
    await Promise.all([own, producer].map((each) => new Promise((resolve) => each.once('ready', resolve))))
    const hints = createHints(producer)
    const live = createLive(connectSubscriber(redis.url))
    const plain = createRedisKernel(own, createUnits(own, { patienceMs: 1000 }))
    const { now, say, pages, pageWithinMs, countDesk } = options
    const used = options.kernel?.(plain) ?? plain
    const ingest = createIngest({ kernel: used, hints, ...options.ingest })
    const channel = await createWebChannel(
      { tokenFile, closeGraceMs: 200, publicUrl: options.publicUrl },
      {
        kernel: used,
        live,
        redis: own,
        findMissing: async () => [],
        ...(now ? { now } : {}),
        ...(say ? { say } : {}),
        ...(pages ? { pages } : {}),
        countDesk,
        ...(pageWithinMs === undefined ? {} : { pageWithinMs }),
      },
    )
    const port = await channel.listen(0)
    let stopping = new AbortController()
    let running = channel.start(ingest, stopping.signal)
    const stop = async (): Promise<void> => {
      stopping.abort()
      await running
    }
    const origin = `http://127.0.0.1:${port}`
    const call = async (route: string, init: RequestInit = {}): Promise<Response> => {
      const headers = new Headers(init.headers)
      headers.set('Authorization', `Bearer ${await token()}`)
      return await fetch(origin + route, { ...init, headers })
    }
    const server: WebServer = {
      channel,
      port,
      origin,
      call,
      post: (route, body, headers = {}) =>
        call(route, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }),
      stop,
      async again() {
        await channel.listen(port)
        stopping = new AbortController()
        running = channel.start(ingest, stopping.signal)
      },
      async close() {
        await stop()
        live.close()
        await hints.close().catch(() => {})
        own.disconnect()
        producer.disconnect()
      },
    }
    servers.push(server)
    return server
  }

  return {
    redis,
    kernel,
    tokenFile,
    token,
    start,
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.close()
      connection.disconnect()
      await redis.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The body, as what the test expects it to be. */
export async function toJson<T>(response: Response): Promise<T> {
  return (await response.json()) as T
}

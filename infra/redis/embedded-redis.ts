// The Redis of a fleet without REDIS_URL: a child process on a private unix socket (a loopback port with a password where
// the path is too long), kept alive until `stop`. It never touches a Redis named by REDIS_URL.
// States: absent → starting → ready → (lost → starting) … → stopped. One that survived a killed fleet is adopted as ready.
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import { findIdentity, isRunning, processIdentity, signalProcess } from './process-identity.ts'
import type { ProcessIdentity } from './process-identity.ts'
import { findPlace, findServerPid, probe, toUrl, waitUntilGone } from './redis-probe.ts'
import type { RedisPlace } from './redis-probe.ts'
import { startServer, stopServer } from './redis-server.ts'

/** sun_path holds 104 bytes on macOS and 108 on Linux, the closing zero included. */
const maxSocketPathBytes = 100
const firstRestartDelayMs = 100
const maxRestartDelayMs = 5000
const pollMs = 20
const maxPortAttempts = 3

export type OpenRedis = {
  readonly url: string
  /** False when REDIS_URL names the server. */
  readonly embedded: boolean
  /** Ends the embedded server with its data on disk; nothing for a foreign one. May be repeated. */
  stop(): Promise<void>
}

type Options = {
  readonly redisUrl: string | undefined
  readonly dataFolder: string
  /** Told when the server is lost and when it is back. */
  readonly report?: (line: string) => void
}

const serverRecord = z.object({ v: z.literal(1), identity: processIdentity, url: z.string() })

/**
 * Resolves when Redis answers. The caller holds the folder's lock (`lockFolder`), so that no second server ever writes the
 * same files. `signal` ends the opening only; afterwards the server is restarted, on the same URL, whenever it dies, until `stop`.
 */
export async function openRedis(options: Options, signal: AbortSignal): Promise<OpenRedis> {
  if (options.redisUrl !== undefined) return { url: options.redisUrl, embedded: false, stop: async () => undefined }
  const folder = options.dataFolder
  const adopted = await adopt(folder, signal)
  if (adopted) saveRecord(folder, adopted.identity, adopted.place)
  const running = adopted ?? (await startFirst(folder, signal))
  const { place } = running
  let { identity } = running
  const stopping = new AbortController()
  const watching = watch()

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await waitUntilGone(place, stopping.signal)
      if (stopping.signal.aborted || (await probe(place)) === 'ready') continue
      options.report?.(`The embedded Redis (process ${identity.pid}) is gone; starting it again.`)
      await stopServer(identity)
      await restart()
    }
  }

  async function restart(): Promise<void> {
    for (
      let delayMs = firstRestartDelayMs;
      !stopping.signal.aborted;
      delayMs = Math.min(delayMs * 2, maxRestartDelayMs)
    ) {
      try {
        identity = await start(folder, place, stopping.signal)
        options.report?.(`The embedded Redis is back (process ${identity.pid}).`)
        return
      } catch (error) {
        if (stopping.signal.aborted) return
        options.report?.(error instanceof Error ? error.message : 'The embedded Redis did not start.')
        await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  return {
    url: toUrl(place),
    embedded: true,
    stop: async () => {
      stopping.abort(new Error('stopping'))
      await watching
      await stopServer(identity)
      rmSync(toRecordFile(folder), { force: true })
    },
  }
}

type Running = { readonly place: RedisPlace; readonly identity: ProcessIdentity }

/** The server that a killed fleet left behind, once it answers; one that does not answer is ended first. */
async function adopt(folder: string, signal: AbortSignal): Promise<Running | undefined> {
  const record = findRecord(folder)
  const place = (record && findPlace(record.url)) ?? findSocketPlace(folder)
  if (!place) return undefined
  for (;;) {
    signal.throwIfAborted()
    const answer = await probe(place)
    const pid = answer === 'ready' ? await findServerPid(place) : undefined
    const identity = pid === undefined ? undefined : findIdentity(pid)
    if (identity) return { place, identity }
    if (answer === 'loading') {
      await sleep(pollMs)
      continue
    }
    if (record && isRunning(record.identity)) {
      if (answer === 'silent') signalProcess(record.identity, 'SIGKILL')
      await stopServer(record.identity)
    }
    return undefined
  }
}

async function startFirst(folder: string, signal: AbortSignal): Promise<Running> {
  const socket = findSocketPlace(folder)
  try {
    if (socket) return { place: socket, identity: await start(folder, socket, signal) }
  } catch (error) {
    // Some file systems (shared folders of virtual machines) hold no sockets; a port works there.
    if (!(error instanceof BotError) || !/unix socket/i.test(error.message)) throw error
  }
  for (let attempt = 1; ; attempt += 1) {
    const place: RedisPlace = { kind: 'port', port: await findFreePort(), password: randomBytes(24).toString('hex') }
    try {
      return { place, identity: await start(folder, place, signal) }
    } catch (error) {
      // Somebody else may have taken the port in between; any other reason shows again at the last attempt.
      if (signal.aborted || attempt === maxPortAttempts) throw error
    }
  }
}

async function start(folder: string, place: RedisPlace, signal: AbortSignal): Promise<ProcessIdentity> {
  return startServer({ folder, place, onSpawn: (identity) => saveRecord(folder, identity, place) }, signal)
}

function findSocketPlace(folder: string): RedisPlace | undefined {
  const file = path.join(folder, 'redis.sock')
  return Buffer.byteLength(file) <= maxSocketPathBytes ? { kind: 'socket', path: file } : undefined
}

async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string')
    throw new BotError('internal', 'No free port was given for Redis on 127.0.0.1.')
  return address.port
}

function saveRecord(folder: string, identity: ProcessIdentity, place: RedisPlace): void {
  writeFileSync(toRecordFile(folder), JSON.stringify({ v: 1, identity, url: toUrl(place) }), { mode: 0o600 })
}

function findRecord(folder: string): z.infer<typeof serverRecord> | undefined {
  try {
    return serverRecord.safeParse(JSON.parse(readFileSync(toRecordFile(folder), 'utf8'))).data
  } catch {
    // None, or cut off by a crash while it was written: the socket tells the rest.
    return undefined
  }
}

function toRecordFile(folder: string): string {
  return path.join(folder, 'redis.json')
}

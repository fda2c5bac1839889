// The Redis of a fleet without REDIS_URL: a child process on a private unix socket (a loopback port with a password where
// the path is too long), kept alive until `stop`. It never touches a Redis named by REDIS_URL.
// States: absent → starting → ready → (lost → starting) … → stopped. One that survived a killed fleet is adopted as ready.
// Each server holds the lock of `redis.lock` for its life, so that no two ever write the same files (infra/decisions/015).
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import { takeFileLock } from './file-lock.ts'
import type { FileLock } from './file-lock.ts'
import { isRunning, processIdentity, signalProcess } from './process-identity.ts'
import type { ProcessIdentity } from './process-identity.ts'
import { findEndpoint, findServerPid, probe, rewriteFiles, toUrl, waitUntilGone } from './redis-probe.ts'
import type { ProbeResult, RedisEndpoint } from './redis-probe.ts'
import { startServer, stopServer } from './redis-server.ts'
import { keepFilesYoung } from './young-files.ts'

/** sun_path holds 104 bytes on macOS and 108 on Linux, the closing zero included. */
const maxSocketPathBytes = 100
const firstRestartDelayMs = 100
const maxRestartDelayMs = 5000
const pollMs = 20
const maxPortAttempts = 3
/** A killed server takes a moment to go: its threads hold its socket, and a child that was rewriting its files the lock. */
const goingPatienceMs = 3000
const lockPollMs = 100

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
  const running = (await adopt(folder, signal)) ?? (await startFirst(folder, signal))
  const { endpoint } = running
  let { identity } = running
  const stopping = new AbortController()
  const watching = Promise.all([watch(), keepFilesYoung(folder, () => rewriteFiles(endpoint), stopping.signal)])
  // However this process exits by itself, the server is told to end too, with its data on disk. Only a kill leaves it behind.
  const endServer = (): void => {
    signalProcess(identity, 'SIGTERM')
  }
  process.once('exit', endServer)

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await waitUntilGone(endpoint, stopping.signal)
      if (stopping.signal.aborted || (await probe(endpoint)) === 'ready') continue
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
        identity = await start(folder, endpoint, stopping.signal)
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
    url: toUrl(endpoint),
    embedded: true,
    stop: async () => {
      stopping.abort(new Error('stopping'))
      await watching
      await stopServer(identity)
      process.removeListener('exit', endServer)
      rmSync(toRecordFile(folder), { force: true })
    },
  }
}

/** The server that was last started for a folder, whether or not it still runs. */
export function findServer(folder: string): { readonly pid: number; readonly url: string } | undefined {
  const record = findRecord(folder)
  return record && { pid: record.identity.pid, url: record.url }
}

type Running = { readonly endpoint: RedisEndpoint; readonly identity: ProcessIdentity }

/**
 * The server that a killed fleet left behind, once it answers; one of ours that does not answer is ended first. Ours is one whose
 * recorded process runs here: a bare process id may be that of any program, since the server may live in another container.
 * Throws BotError `config` while any other server answers.
 */
async function adopt(folder: string, signal: AbortSignal): Promise<Running | undefined> {
  const record = findRecord(folder)
  const endpoint = (record && findEndpoint(record.url)) ?? findSocketEndpoint(folder)
  if (!endpoint) return undefined
  const patientUntil = performance.now() + goingPatienceMs
  for (;;) {
    signal.throwIfAborted()
    const identity = record && isRunning(record.identity) ? record.identity : undefined
    const answer = await probe(endpoint)
    const pid = answer === 'ready' ? await findServerPid(endpoint) : undefined
    const isOurs = identity !== undefined && (pid === undefined || pid === identity.pid)
    const isForeign = !isOurs && isServer(endpoint, answer)
    // A killed server is no process any more while the last of its threads still holds the socket.
    if (isForeign && (pid !== undefined || performance.now() > patientUntil)) throw toRefusal(folder, pid)
    if (identity && pid !== undefined) return { endpoint, identity }
    if (isForeign || answer === 'ready' || answer === 'loading') {
      await sleep(pollMs)
      continue
    }
    if (identity) {
      if (answer === 'silent') signalProcess(identity, 'SIGKILL')
      await stopServer(identity)
    }
    return undefined
  }
}

/** A port may by now be another program's, which does not take our password. */
function isServer(endpoint: RedisEndpoint, answer: ProbeResult): boolean {
  return answer === 'ready' || answer === 'loading' || (endpoint.kind === 'socket' && answer !== 'gone')
}

async function startFirst(folder: string, signal: AbortSignal): Promise<Running> {
  const socket = findSocketEndpoint(folder)
  try {
    if (socket) return { endpoint: socket, identity: await start(folder, socket, signal) }
  } catch (error) {
    // Some file systems (shared folders of virtual machines) hold no sockets; a port works there.
    if (!(error instanceof BotError) || !/unix socket/i.test(error.message)) throw error
  }
  for (let attempt = 1; ; attempt += 1) {
    const endpoint: RedisEndpoint = {
      kind: 'port',
      port: await findFreePort(),
      password: randomBytes(24).toString('hex'),
    }
    try {
      return { endpoint, identity: await start(folder, endpoint, signal) }
    } catch (error) {
      // Somebody else may have taken the port in between; any other reason shows again at the last attempt.
      if (signal.aborted || attempt === maxPortAttempts || isFinal(error)) throw error
    }
  }
}

/** What another port does not help against: no program, a file that cannot be locked, another server. */
function isFinal(error: unknown): boolean {
  return error instanceof BotError && error.code === 'config'
}

async function start(folder: string, endpoint: RedisEndpoint, signal: AbortSignal): Promise<ProcessIdentity> {
  const lock = await takeServerLock(folder, signal)
  try {
    return await startServer(
      { folder, endpoint, lock, onSpawn: (identity) => saveRecord(folder, identity, endpoint) },
      signal,
    )
  } catch (error) {
    // It has ended, or never was.
    rmSync(toRecordFile(folder), { force: true })
    throw error
  } finally {
    // From here on the server holds it alone.
    lock.close()
  }
}

async function takeServerLock(folder: string, signal: AbortSignal): Promise<FileLock> {
  for (let waitedMs = 0; waitedMs < goingPatienceMs; waitedMs += lockPollMs) {
    signal.throwIfAborted()
    const lock = takeFileLock(path.join(folder, 'redis.lock'))
    if (lock) return lock
    await sleep(lockPollMs)
  }
  throw toRefusal(folder, undefined)
}

function toRefusal(folder: string, pid: number | undefined): BotError {
  const named = pid === undefined ? '' : ` (process ${pid}, as it says itself)`
  return new BotError(
    'config',
    `A Redis that this start knows nothing of works on the data in ${folder}${named}, perhaps in another container. ` +
      'Two of them would overwrite what the other stored. End it, or set FLOTILLA_DATA and FLOTILLA_PORT for a second fleet.',
  )
}

function findSocketEndpoint(folder: string): RedisEndpoint | undefined {
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

function saveRecord(folder: string, identity: ProcessIdentity, endpoint: RedisEndpoint): void {
  const whole = `${toRecordFile(folder)}.new`
  writeFileSync(whole, JSON.stringify({ v: 1, identity, url: toUrl(endpoint) }), { mode: 0o600 })
  renameSync(whole, toRecordFile(folder))
}

function findRecord(folder: string): z.infer<typeof serverRecord> | undefined {
  try {
    return serverRecord.safeParse(JSON.parse(readFileSync(toRecordFile(folder), 'utf8'))).data
  } catch {
    return undefined
  }
}

function toRecordFile(folder: string): string {
  return path.join(folder, 'redis.json')
}

// Starts and ends one redis-server process with the configuration that the kernel needs. It knows nothing of restarts
// or of who uses the server.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRedisServer } from '#infra/setup/programs.js'
import { BotError } from '#shared/errors.ts'
import type { FileLock } from './file-lock.ts'
import { findMemoryLimit } from './memory-limit.ts'
import { findIdentity, isRunning, signalProcess } from './process-identity.ts'
import type { ProcessIdentity } from './process-identity.ts'
import { probe } from './redis-probe.ts'
import type { RedisEndpoint } from './redis-probe.ts'

const pollMs = 15
/** Redis writes its files on SIGTERM; a large AOF buffer on a slow disk takes seconds, not more. */
const stopTimeoutMs = 10_000
const maxLogBytes = 10 * 1024 * 1024
const megabyte = 1024 * 1024

export type ServerStart = {
  /** The data goes to `<folder>/redis`, the log to `<folder>/redis.log`. */
  readonly folder: string
  readonly endpoint: RedisEndpoint
  /** Held by the server, too, as long as it lives. */
  readonly lock: FileLock
  /** Called at once, before the server answers: whoever starts after a crash of this process must know of it. */
  readonly onSpawn: (identity: ProcessIdentity) => void
}

/**
 * Starts a server and waits until it answers; loading a large AOF may take as long as it takes.
 * Rejects with BotError `store-unavailable` and the end of the log when the server ends instead.
 */
export async function startServer(start: ServerStart, signal: AbortSignal): Promise<ProcessIdentity> {
  const { folder, endpoint } = start
  const found = findRedisServer(process.env)
  if (!found) {
    throw new BotError(
      'config',
      'redis-server is not installed. Run "npm run setup", or set REDIS_URL to a Redis that runs.',
    )
  }
  signal.throwIfAborted()
  mkdirSync(path.join(folder, 'redis'), { recursive: true, mode: 0o700 })
  const child = spawnServer(found.file, start)
  const ended = new AbortController()
  child.once('exit', () => ended.abort())
  child.once('error', () => ended.abort())
  const identity = child.pid === undefined ? undefined : findIdentity(child.pid)
  if (identity) start.onSpawn(identity)
  while (!ended.signal.aborted) {
    if ((await probe(endpoint)) === 'ready' && identity) return identity
    if (signal.aborted) {
      if (identity) await stopServer(identity)
      throw signal.reason
    }
    await sleep(pollMs)
  }
  throw new BotError(
    'store-unavailable',
    `redis-server ended while starting on ${path.join(folder, 'redis')}. The end of ${toLogFile(folder)}:\n${readTail(folder)}\n` +
      'If it complains about its append-only file, keep a copy of that folder and repair it with "redis-check-aof --fix" on the file that it names.',
  )
}

/** SIGTERM, then SIGKILL when it has not ended within 10 s. Resolves when the process is gone. */
export async function stopServer(identity: ProcessIdentity): Promise<void> {
  signalProcess(identity, 'SIGTERM')
  const until = performance.now() + stopTimeoutMs
  while (isRunning(identity)) {
    if (performance.now() > until) signalProcess(identity, 'SIGKILL')
    await sleep(pollMs)
  }
}

/** In a process group of its own: Ctrl-C must not end it before the fleet has stopped. */
function spawnServer(file: string, { folder, endpoint, lock }: ServerStart): ChildProcess {
  const configuration = toConfiguration(folder, endpoint)
  const log = openSync(toLogFile(folder), 'a', 0o600)
  const child = spawn(file, ['-'], { cwd: folder, detached: true, stdio: ['pipe', log, log, lock.descriptor] })
  closeSync(log)
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(configuration)
  child.unref()
  return child
}

/** Read by the server from its standard input, so that the password is in no file and no process list. */
function toConfiguration(folder: string, endpoint: RedisEndpoint): string {
  rotateLog(folder)
  const listen =
    endpoint.kind === 'socket'
      ? ['port 0', `unixsocket ${quote(endpoint.path)}`, 'unixsocketperm 700']
      : [`port ${endpoint.port}`, 'bind 127.0.0.1', `requirepass ${quote(endpoint.password)}`]
  return [
    ...listen,
    `dir ${quote(path.join(folder, 'redis'))}`,
    `logfile ${quote(toLogFile(folder))}`,
    'daemonize no',
    'appendonly yes',
    'appendfsync everysec',
    'aof-use-rdb-preamble yes',
    'aof-load-truncated yes',
    'auto-aof-rewrite-percentage 100',
    `auto-aof-rewrite-min-size ${64 * megabyte}`,
    'save ""',
    // It would keep the beginnings of what people say.
    'slowlog-max-len 0',
    'maxmemory-policy noeviction',
    `maxmemory ${findMemoryLimit()}`,
    '',
  ].join('\n')
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

function toLogFile(folder: string): string {
  return path.join(folder, 'redis.log')
}

function rotateLog(folder: string): void {
  const size = statSync(toLogFile(folder), { throwIfNoEntry: false })?.size ?? 0
  if (size > maxLogBytes) renameSync(toLogFile(folder), `${toLogFile(folder)}.1`)
}

function readTail(folder: string): string {
  return readFileSync(toLogFile(folder), 'utf8').trimEnd().split('\n').slice(-6).join('\n')
}

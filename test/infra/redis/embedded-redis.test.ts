// The embedded Redis with real processes: it keeps its data through every kind of death and is never started twice.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openRedis } from '#infra/redis/embedded-redis.ts'
import type { OpenRedis } from '#infra/redis/embedded-redis.ts'
import { findFleet, findRedis, lockFolder } from '#infra/redis/fleet-file.ts'
import { findIdentity } from '#infra/redis/process-identity.ts'
import { findEndpoint, findServerPid, probe } from '#infra/redis/redis-probe.ts'

/** Every test starts real servers, on a machine that may be busy. */
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

const { signal } = new AbortController()
let folder = ''
let opened: OpenRedis[] = []

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'flotilla-redis-'))
})
afterEach(async () => {
  await Promise.all(opened.map((redis) => redis.stop()))
  opened = []
  rmSync(folder, { recursive: true })
})

async function open(dataFolder: string, report?: (line: string) => void): Promise<OpenRedis> {
  const redis = await openRedis({ redisUrl: undefined, dataFolder, ...(report ? { report } : {}) }, signal)
  opened.push(redis)
  return redis
}

async function pidOf(url: string): Promise<number> {
  const endpoint = findEndpoint(url)
  const pid = endpoint && (await findServerPid(endpoint))
  if (!pid) throw new Error(`no server at ${url}`)
  return pid
}

async function ask<T>(url: string, question: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { retryStrategy: () => 20 })
  client.on('error', () => undefined)
  try {
    return await question(client)
  } finally {
    client.disconnect()
  }
}

/** Starts a process that opens Redis in `folder` as a fleet does, and resolves when it says so. */
async function startHolder(): Promise<{ pid: number; kill: () => Promise<void> }> {
  const script = `
    import { lockFolder } from '#infra/redis/fleet-file.ts'
    import { openRedis } from '#infra/redis/embedded-redis.ts'
    const settings = { dataFolder: ${JSON.stringify(folder)}, redisUrl: undefined, port: 1 }
    const lock = lockFolder(settings)
    const redis = await openRedis(settings, new AbortController().signal)
    lock.publish(redis.url)
    console.log('open')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    pid: child.pid ?? 0,
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('spawns nothing with REDIS_URL', async () => {
  const redis = await openRedis({ redisUrl: 'redis://127.0.0.1:1', dataFolder: path.join(folder, 'none') }, signal)
  expect(redis).toMatchObject({ url: 'redis://127.0.0.1:1', embedded: false })
  await redis.stop()
  expect(statSync(path.join(folder, 'none'), { throwIfNoEntry: false })).toBeUndefined()
})

test('listens on a private socket with AOF and without eviction', async () => {
  const { url } = await open(folder)
  expect(url).toBe(`unix://${folder}/redis.sock`)
  const config = await ask(url, (client) => client.config('GET', '*'))
  const values = new Map(pairs(config))
  expect(values.get('port')).toBe('0')
  expect(values.get('appendonly')).toBe('yes')
  expect(values.get('appendfsync')).toBe('everysec')
  expect(values.get('maxmemory-policy')).toBe('noeviction')
  expect(statSync(path.join(folder, 'redis.sock')).mode & 0o077).toBe(0)
})

test('keeps data over an orderly stop and start, and leaves no process', async () => {
  const first = await open(folder)
  await ask(first.url, (client) => client.set('kept', 'yes'))
  const pid = await pidOf(first.url)
  await first.stop()
  expect(findIdentity(pid)).toBeUndefined()
  const second = await open(folder)
  expect(await ask(second.url, (client) => client.get('kept'))).toBe('yes')
})

test('starts the server again after kill -9, on the same URL, with its data', async () => {
  const reported: string[] = []
  const { url } = await open(folder, (line) => reported.push(line))
  await ask(url, (client) => client.set('kept', 'yes'))
  const pid = await pidOf(url)
  process.kill(pid, 'SIGKILL')
  expect(await ask(url, (client) => client.get('kept'))).toBe('yes')
  expect(await pidOf(url)).not.toBe(pid)
  expect(reported[0]).toContain(`process ${pid}`)
})

test('adopts the server of a fleet that was killed, and can stop it', async () => {
  const holder = await startHolder()
  const url = await findRedis({ redisUrl: undefined, dataFolder: folder })
  await ask(url, (client) => client.set('kept', 'yes'))
  const pid = await pidOf(url)
  await holder.kill()
  const redis = await open(folder)
  expect(await pidOf(redis.url)).toBe(pid)
  expect(await ask(redis.url, (client) => client.get('kept'))).toBe('yes')
  await redis.stop()
  expect(findIdentity(pid)).toBeUndefined()
})

test('starts over the socket and files that a kill -9 of fleet and server left', async () => {
  const holder = await startHolder()
  const url = await findRedis({ redisUrl: undefined, dataFolder: folder })
  await ask(url, (client) => client.set('kept', 'yes'))
  const pid = await pidOf(url)
  await holder.kill()
  process.kill(pid, 'SIGKILL')
  const redis = await open(folder)
  expect(await ask(redis.url, (client) => client.get('kept'))).toBe('yes')
})

test('replaces a left-over server that no longer answers', async () => {
  const holder = await startHolder()
  const pid = await pidOf(await findRedis({ redisUrl: undefined, dataFolder: folder }))
  await holder.kill()
  process.kill(pid, 'SIGSTOP')
  const redis = await open(folder)
  expect(await pidOf(redis.url)).not.toBe(pid)
})

test('leaves a server alone whose process is not the one on record, and starts none beside it', async () => {
  const holder = await startHolder()
  const url = await findRedis({ redisUrl: undefined, dataFolder: folder })
  const pid = await pidOf(url)
  await holder.kill()
  // As seen from another container: the server's process id is that of an unrelated program here.
  const file = path.join(folder, 'redis.json')
  const record = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...record, identity: { pid, started: 'another' } }))
  await expect(open(folder)).rejects.toThrow(new RegExp(`Redis that this start knows nothing of.*process ${pid}`))
  rmSync(file)
  await expect(open(folder)).rejects.toThrow(/Redis that this start knows nothing of/)
  expect(await pidOf(url)).toBe(pid)
  writeFileSync(file, JSON.stringify(record))
  await open(folder)
})

test('starts no server while another one that nobody can reach holds the files', async () => {
  const holder = await startHolder()
  const pid = await pidOf(await findRedis({ redisUrl: undefined, dataFolder: folder }))
  await holder.kill()
  const file = path.join(folder, 'redis.json')
  const record = readFileSync(file)
  for (const name of ['redis.json', 'redis.sock']) rmSync(path.join(folder, name))
  await expect(open(folder)).rejects.toThrow(/Redis that this start knows nothing of/)
  writeFileSync(file, record)
  process.kill(pid, 'SIGKILL')
  await open(folder)
})

test('knows of a server that was started but did not answer yet when the fleet was killed', async () => {
  const starting = open(folder)
  const file = path.join(folder, 'redis.json')
  while (statSync(file, { throwIfNoEntry: false }) === undefined) await new Promise(setImmediate)
  const recorded = JSON.parse(readFileSync(file, 'utf8'))
  const { url } = await starting
  expect(recorded.identity.pid).toBe(await pidOf(url))
})

test('takes a loopback port with a password where the path is too long for a socket', async () => {
  const deep = path.join(folder, 'a'.repeat(60), 'b'.repeat(60))
  mkdirSync(deep, { recursive: true })
  const { url } = await open(deep)
  expect(url).toMatch(/^redis:\/\/:[0-9a-f]{48}@127\.0\.0\.1:\d+$/)
  expect(await ask(url, (client) => client.ping())).toBe('PONG')
  const endpoint = findEndpoint(url.replace(/:[0-9a-f]{48}@/, ':wrong@'))
  expect(endpoint && (await probe(endpoint))).toBe('refused')
})

test('takes no foreign server without a password for its own', async () => {
  const server = net.createServer((socket) => {
    socket.on('data', () => socket.end('-ERR AUTH called without any password configured\r\n+PONG\r\n'))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  expect(await probe({ kind: 'port', port, password: 'ours' })).toBe('refused')
  server.close()
})

test('says how to repair a damaged append-only file instead of starting empty', async () => {
  const first = await open(folder)
  await ask(first.url, (client) => client.set('kept', 'yes'))
  await first.stop()
  const manifest = path.join(folder, 'redis', 'appendonlydir')
  rmSync(manifest, { recursive: true })
  mkdirSync(manifest)
  writeFileSync(path.join(manifest, 'appendonly.aof.manifest'), 'file missing.aof seq 1 type i\n')
  await expect(open(folder)).rejects.toThrow(/ended while starting[^]*redis-check-aof/)
})

describe('the folder', () => {
  test('refuses a second fleet, naming the first one', async () => {
    const holder = await startHolder()
    expect(() => lockFolder({ dataFolder: folder, port: 8787 })).toThrow(
      new RegExp(`already running.*process ${holder.pid}, http://127\\.0\\.0\\.1:1,`),
    )
    await holder.kill()
    await open(folder)
  })

  test('refuses a second fleet that cannot see the processes of the first', async () => {
    const holder = await startHolder()
    const file = path.join(folder, 'fleet.json')
    const record = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...record, host: 'elsewhere', holder: { pid: 7, started: 'another' } }))
    expect(() => lockFolder({ dataFolder: folder, port: 8787 })).toThrow(
      /already running.*process 7 of another container or machine, elsewhere, http/,
    )
    rmSync(file)
    expect(() => lockFolder({ dataFolder: folder, port: 8787 })).toThrow(/Another start .* is under way/)
    await holder.kill()
    lockFolder({ dataFolder: folder, port: 8787 }).release()
    await open(folder)
  })

  test('refuses a second fleet while one of a version without the lock runs', () => {
    const holder = findIdentity(process.ppid)
    const record = { v: 1, holder, port: 5, startedAt: new Date(0).toISOString() }
    writeFileSync(path.join(folder, 'fleet.json'), JSON.stringify(record))
    expect(() => lockFolder({ dataFolder: folder, port: 8787 })).toThrow(/already running/)
  })

  test('is free again after release, and after the holder was killed', async () => {
    const lock = lockFolder({ dataFolder: folder, port: 8787 })
    expect(findFleet(folder)?.holder.pid).toBe(process.pid)
    lock.release()
    expect(findFleet(folder)).toBeUndefined()
    const holder = await startHolder()
    await holder.kill()
    lockFolder({ dataFolder: folder, port: 8787 }).release()
    await open(folder)
  })

  test('goes to exactly one of several starts at once over a dead fleet', async () => {
    const holder = await startHolder()
    await holder.kill()
    const script = `
      import { lockFolder } from '#infra/redis/fleet-file.ts'
      try {
        lockFolder({ dataFolder: ${JSON.stringify(folder)}, port: 1 })
        console.log('won')
      } catch {
        console.log('lost')
      }
      process.stdin.resume()`
    const children = Array.from({ length: 5 }, () => spawn(process.execPath, ['--input-type=module', '-e', script]))
    const answers = await Promise.all(children.map(async (child) => String(await once(child.stdout, 'data')).trim()))
    for (const child of children) child.stdin.end()
    expect(answers.toSorted()).toEqual(['lost', 'lost', 'lost', 'lost', 'won'])
    await open(folder)
  })

  test('keeps its files to their owner', async () => {
    const holder = await startHolder()
    expect(statSync(path.join(folder, 'fleet.json')).mode & 0o077).toBe(0)
    expect(statSync(path.join(folder, 'redis.json')).mode & 0o077).toBe(0)
    expect(JSON.parse(readFileSync(path.join(folder, 'fleet.json'), 'utf8'))).toMatchObject({ v: 1, port: 1 })
    await holder.kill()
    await open(folder)
  })

  test('tells other processes that no Redis runs, and what to do', async () => {
    await expect(findRedis({ redisUrl: undefined, dataFolder: folder })).rejects.toThrow(/No Redis[^]*npm start/)
    expect(await findRedis({ redisUrl: 'redis://x', dataFolder: folder })).toBe('redis://x')
  })
})

function pairs(flat: unknown): [string, string][] {
  if (Array.isArray(flat))
    return flat.flatMap((_, at) => (at % 2 === 0 ? [[String(flat[at]), String(flat[at + 1])]] : []))
  return Object.entries(Object(flat)).map(([name, value]) => [name, String(value)])
}

describe('what was deleted', () => {
  const files = (): string[] => {
    const inner = path.join(folder, 'redis', 'appendonlydir')
    return readdirSync(inner).map((name) => path.join(inner, name))
  }
  const isOnDisk = (text: string): boolean => files().some((file) => readFileSync(file).includes(text))

  test('is in the files for a day at most: then they are written anew', async () => {
    const { url, stop } = await open(folder)
    await ask(url, async (client) => {
      await client.set('said', 'zebrafinch')
      await client.del('said')
    })
    await stop()
    const again = await open(folder)
    expect(isOnDisk('zebrafinch')).toBe(true)
    await again.stop()
    const yesterday = new Date(Date.now() - 25 * 3_600_000)
    for (const file of files()) utimesSync(file, yesterday, yesterday)
    await open(folder)
    await expect.poll(() => isOnDisk('zebrafinch'), { timeout: 10_000 }).toBe(false)
  })

  test('is not in what the server keeps of slow commands', async () => {
    const { url } = await open(folder)
    expect(await ask(url, (client) => client.config('GET', 'slowlog-max-len'))).toEqual(['slowlog-max-len', '0'])
  })
})

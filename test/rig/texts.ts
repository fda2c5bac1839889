// Where words of people stand in Redis and in its files: to which keys they are ever written, which hold them now, and which files do.
// What may hold them, and for how long after they are forgotten, is the table of infra/decisions/030-where-texts-stand.md.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { PrivateRedis } from './redis.ts'
import { findRow, readKeyRows, scanKeys } from './stored-keys.ts'

const keyRows = readKeyRows()
/** The key's name in the tables, such as `fl:{pNN}:in:<conversation>`. */
const toRowName = (key: string): string => findRow(keyRows, key)?.name ?? key

/** By the names of their keys: how long the words may stay once they are forgotten, 0 for not at all. */
export function readTextRows(
  file = 'infra/decisions/030-where-texts-stand.md',
): ReadonlyMap<string, { readonly staysMs: number; readonly isRare: boolean }> {
  const unitMs = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name, forgotten = ''] = /^\| [^|]+\| `(fl[^`]+)`.*\|\s*([^|]+?)\s*\|$/.exec(line) ?? []
      if (name === undefined) return []
      const [, count = '0', unit = 's'] = /^stays, TTL (\d+) (s|min|h|d)\b/.exec(forgotten) ?? []
      const staysMs = Number(count) * (unit === 'min' || unit === 'h' || unit === 'd' ? unitMs[unit] : unitMs.s)
      return [[name, { staysMs, isRare: line.includes('(rare)') }] as const]
    })
  return new Map(rows)
}

export type TextWatch = Disposable & {
  /** Names of the keys to which the words were written since. */
  met(): ReadonlySet<string>
}

/** Sees every command that Redis runs, those of scripts included. The words are plain letters: Redis tells of others in its own way. */
export async function watchText({ port }: PrivateRedis, text: string): Promise<TextWatch> {
  const met = new Set<string>()
  const socket = connect(port, '127.0.0.1')
  const lines = createInterface({ input: socket })
  socket.write('MONITOR\r\n')
  await once(lines, 'line')
  lines.on('line', (line) => {
    const [, command = '', key = ''] = /^[^"]*"(\w+)" "((?:[^"\\]|\\.)*)"/.exec(line) ?? []
    if (line.includes(text) && !/^(?:evalsha|eval|publish|script)$/i.test(command)) met.add(toRowName(key))
  })
  return { met: () => met, [Symbol.dispose]: () => socket.destroy() }
}

/** The keys that hold the words now, in their name or in what they are. */
export async function findText(redis: Redis, text: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const key of await scanKeys(redis)) {
    const held = key.includes(text) || JSON.stringify(await readKey(redis, key)).includes(text)
    if (held) found.push(key)
  }
  return found
}

async function readKey(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return await redis.get(key)
    case 'hash':
      return await redis.hgetall(key)
    case 'list':
      return await redis.lrange(key, 0, -1)
    case 'set':
      return await redis.smembers(key)
    case 'zset':
      return await redis.zrange(key, '0', '-1')
    case 'stream':
      return await redis.xrange(key, '-', '+')
    case 'none':
      return ''
    default:
      throw new Error(`Nobody reads keys of the type of ${key}.`)
  }
}

/** What is wrong with where the words stand, now that they are forgotten: in no key but those that the decision names, and there with an end. */
export async function findLeaks(redis: Redis, text: string): Promise<readonly string[]> {
  const allowed = readTextRows()
  const leaks: string[] = []
  for (const key of await findText(redis, text)) {
    const mostMs = allowed.get(toRowName(key))?.staysMs ?? 0
    const leftMs = await redis.pttl(key)
    if (leftMs === -1 || leftMs > mostMs) leaks.push(`${key} (${leftMs} ms left, at most ${mostMs})`)
  }
  return leaks
}

/** Has Redis write its files anew, as it does in time. It must write them as plain commands (`aof-use-rdb-preamble no`). */
export async function rewriteFiles(redis: Redis): Promise<void> {
  await redis.bgrewriteaof()
  for (;;) {
    const told = await redis.info('persistence')
    if (/aof_rewrite_in_progress:0/.test(told) && /aof_rewrite_scheduled:0/.test(told)) {
      if (!told.includes('aof_last_bgrewrite_status:ok')) throw new Error('Redis could not write its files anew.')
      return
    }
    await sleep(20)
  }
}

/** Files of Redis' data folder that hold the words. */
export async function findInFiles({ admin }: PrivateRedis, text: string): Promise<readonly string[]> {
  const [, folder = ''] = (await admin.config('GET', 'dir')) as readonly string[]
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const file of files)
    if (file.isFile() && (await readFile(path.join(file.parentPath, file.name))).includes(text)) found.push(file.name)
  return found
}

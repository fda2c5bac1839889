// Holds the keys in Redis against the table of infra/docs/redis-keys.md: each belongs to a row of it and keeps within that row's bound.
import { readFileSync } from 'node:fs'
import type { Redis } from 'ioredis'

export type KeyRow = { readonly name: string; readonly pattern: RegExp; readonly bound: string }

/** Throws when a row's bound says nothing that can be checked. */
export function readKeyRows(file = 'infra/docs/redis-keys.md'): readonly KeyRow[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [, name, bound = ''] = /^\| `(fl[^`]+)`.*\|\s*([^|]+?)\s*\|$/.exec(line) ?? []
    if (name === undefined) return []
    if (!/TTL|work|silence|stays/.test(bound)) throw new Error(`The bound of ${name} cannot be checked: ${bound}`)
    return [{ name, pattern: toPattern(name), bound }]
  })
}

export async function scanKeys(redis: Redis): Promise<readonly string[]> {
  const found = new Set<string>()
  let cursor = '0'
  do {
    const [next, names] = await redis.scan(cursor, 'COUNT', 1000)
    for (const name of names) found.add(name)
    cursor = next
  } while (cursor !== '0')
  return [...found]
}

/** What is wrong with the keys there are. `rest`: no work is under way. `silent`: and all is long ago, so that everything was put away. */
export async function findKeyBreaches(
  redis: Redis,
  rows: readonly KeyRow[],
  when: 'working' | 'rest' | 'silent',
): Promise<readonly string[]> {
  const breaches: string[] = []
  for (const name of await scanKeys(redis)) {
    const row = findRow(rows, name)
    const wrong = row ? await toBreach(redis, { name, bound: row.bound }, when) : 'stands in no row of the document'
    if (wrong) breaches.push(`${name} ${wrong}`)
  }
  return breaches
}

export function findRow(rows: readonly KeyRow[], name: string): KeyRow | undefined {
  return rows.find(({ pattern }) => pattern.test(name))
}

const unitMs = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const

async function toBreach(
  redis: Redis,
  { name, bound }: { readonly name: string; readonly bound: string },
  when: 'working' | 'rest' | 'silent',
): Promise<string | undefined> {
  const [, count, unit] = /TTL (\d+) (s|min|h|d)/.exec(bound) ?? []
  const hasWork = when === 'working' && bound.includes('work')
  if (count !== undefined && (unit === 's' || unit === 'min' || unit === 'h' || unit === 'd')) {
    const ttlMs = await redis.pttl(name)
    if (ttlMs > Number(count) * unitMs[unit]) return `lives longer than ${bound}: ${ttlMs} ms`
    if (ttlMs === -1 && !hasWork) return 'never goes away'
  } else if (bound.startsWith('work') && when !== 'working') return 'is there without work'
  const [, most] = /at most (\d+)/.exec(bound) ?? []
  const size = most === undefined ? 0 : await sizeOf(redis, name)
  if (size > Number(most ?? 0)) return `has ${size} parts, at most ${most}`
  if (when !== 'silent' || !bound.startsWith('silence')) return undefined
  const [, bytes] = /but (\d+) B/.exec(bound) ?? []
  if (bytes === undefined) return 'outlives a silence'
  const used = (await redis.memory('USAGE', name)) ?? 0
  return used > Number(bytes) ? `keeps ${used} B through a silence, at most ${bytes}` : undefined
}

async function sizeOf(redis: Redis, name: string): Promise<number> {
  switch (await redis.type(name)) {
    case 'hash':
      return redis.hlen(name)
    case 'list':
      return redis.llen(name)
    case 'zset':
      return redis.zcard(name)
    case 'stream':
      return redis.xlen(name)
    default:
      return 1
  }
}

/** `NN` are two digits, `<a/b>` one of these words, `<day of ten characters>` a date, and `<anything else>` any text. */
function toPattern(name: string): RegExp {
  const parts = name.split(/(<[^>]+>)/).map((part) => {
    if (!part.startsWith('<'))
      return part.replaceAll(/[{}|.:-]/g, String.raw`\$&`).replace(/([pm])NN/, String.raw`$1\d\d`)
    const word = part.slice(1, -1)
    if (word.startsWith('day')) return String.raw`\d{4}-\d\d-\d\d`
    return word.includes('/') ? `(?:${word.replaceAll('/', '|')})` : '[^{}]+'
  })
  return new RegExp(`^${parts.join('')}$`, 's')
}

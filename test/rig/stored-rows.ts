// The outbox rows in Redis, whichever way they are kept: a row of its own, or a few bytes in `done` once it was sent.
import type { Cluster, Redis } from 'ioredis'

export type StoredRow = {
  readonly conversation: string
  readonly id: string
  /** As stored; of a row in `done` its state, and its receipt or last part. */
  readonly fields: Readonly<Record<string, string>>
  readonly ttlSeconds: number
}

/** Of all conversations, or of those that begin with `beginning`. */
export async function readStoredRows(redis: Redis | Cluster, beginning = ''): Promise<readonly StoredRow[]> {
  const nodes = 'nodes' in redis ? redis.nodes('master') : [redis]
  const names = (await Promise.all(nodes.map((node) => node.keys('fl:{p*}:*')))).flat()
  const found = await Promise.all(
    names.map(async (name): Promise<readonly StoredRow[]> => {
      const [, kind, rest = ''] = /^fl:\{p\d\d\}:(o|done):(.+)$/s.exec(name) ?? []
      if (kind === undefined || !rest.startsWith(beginning)) return []
      const [fields, ttlSeconds] = [await redis.hgetall(name), await redis.ttl(name)]
      if (kind === 'done') return toDone(fields).map((row) => ({ conversation: rest, ttlSeconds, ...row }))
      const cut = rest.lastIndexOf(':')
      return [{ conversation: rest.slice(0, cut), id: rest.slice(cut + 1), fields, ttlSeconds }]
    }),
  )
  return found.flat()
}

/** What `done` says of each of its rows. */
export function toDone(stored: Readonly<Record<string, string>>): readonly Pick<StoredRow, 'id' | 'fields'>[] {
  return Object.entries(stored).map(([id, text]) => {
    const [, mark = '', told = ''] = /^([sp])\d+ (.*)$/s.exec(text) ?? []
    return { id, fields: mark === 's' ? { s: 'sent', rc: told } : { s: mark === 'p' ? 'split' : '', last: told } }
  })
}

// Reads the kernel's real keys from Redis and lists every breach of the invariants of its design (journal I1, mailbox I4,
// outbox I5, questions I7, cards, timers, letters, records, wake-ups). It reads key by key, so ask it when nobody writes.
import { Redis, type Cluster } from 'ioredis'
import { chatEvent } from '#shared/chat/event.ts'
import { cardBreaches, shownBreaches } from './oracle-cards.ts'
import { recordBreaches } from './oracle-records.ts'
import { toDone } from './stored-rows.ts'
import {
  conversationBreaches,
  listBreaches,
  questionBreaches,
  type StoredConversation,
  type StoredRow,
  seqSpan,
} from './oracle-checks.ts'

type Place = { readonly prefix: string; readonly id: string; readonly rows: string[] }

/** An empty list means that all invariants hold; each breach names its key. Rejects when Redis does not answer. */
export async function checkInvariants(redis: Redis | Cluster): Promise<readonly string[]> {
  const nodes = redis instanceof Redis ? [redis] : redis.nodes('master')
  const names = (await Promise.all(nodes.map((node) => node.keys('fl:{p*}:*')))).flat()
  const breaches: string[] = []
  const places = new Map<string, Place>()
  for (const name of names) {
    const { prefix, kind, rest } = parse(name)
    if (kind === 'q') {
      const stored = { fields: await redis.hgetall(name), ttlSeconds: await redis.ttl(name) }
      const { c: home = '' } = stored.fields
      const isTimed =
        (await redis.zscore(`${prefix}timers`, `${home} q.${rest}`)) !== null &&
        (await redis.hexists(`${prefix}t:${home}`, `q.${rest}`)) === 1
      breaches.push(...questionBreaches(name, stored, isTimed), ...(await shownBreaches(redis, name, stored.fields)))
    }
    if (kind === 'cards') breaches.push(...(await cardBreaches(redis, { prefix, home: rest })))
    if (kind === 't')
      for (const timer of await redis.hkeys(name))
        if ((await redis.zscore(`${prefix}timers`, `${rest} ${timer}`)) === null)
          breaches.push(`${name}: ${timer} is due at no time`)
    if (kind === 'l' || kind === 'to') breaches.push(...(await letterBreaches(redis, { prefix, kind, rest })))
    if (['c', 'in', 'dec', 'dd', 'r', 'j', 'x', 'obq'].includes(kind)) {
      places.set(prefix + rest, { prefix, id: rest, rows: [] })
    }
  }
  for (const name of names) {
    const { prefix, kind, rest } = parse(name)
    if (kind !== 'o') continue
    // Conversation and row id share the key; the longest conversation that exists is meant.
    const cuts = [...rest.matchAll(/:/g)].map(({ index }) => rest.slice(0, index))
    const home = cuts.findLast((id) => places.has(prefix + id))
    if (home === undefined) breaches.push(`${name}: a row of no conversation`)
    else places.get(prefix + home)?.rows.push(rest.slice(home.length + 1))
  }
  const logs = Map.groupBy(names, (name) => parse(name).prefix)
  for (const [prefix, own] of logs) {
    const recorded = new Set(own.map(parse).flatMap(({ kind, rest }) => (kind === 'tr' || kind === 'tm' ? [rest] : [])))
    try {
      breaches.push(...(await recordBreaches(redis, prefix, [...recorded])))
    } catch (error) {
      breaches.push(`${prefix}records: unreadable, ${error instanceof Error ? error.message : 'unknown'}`)
    }
  }
  for (const place of places.values()) {
    try {
      breaches.push(...conversationBreaches(await load(redis, place)))
    } catch (error) {
      breaches.push(`${place.prefix}*:${place.id}: unreadable, ${error instanceof Error ? error.message : 'unknown'}`)
    }
  }
  return breaches
}

/** Each letter is in one list, which is looked at, in the order of writing. What was forgotten is left in a list until that is read. */
async function letterBreaches(
  redis: Redis | Cluster,
  { prefix, kind, rest }: { readonly prefix: string; readonly kind: 'l' | 'to'; readonly rest: string },
): Promise<readonly string[]> {
  const name = `${prefix}${kind}:${rest}`
  if (kind === 'to') {
    const items = await redis.lrange(name, 0, -1)
    const last = Number(await redis.get(`${prefix}lettered`))
    const isDue = (await redis.zscore(`${prefix}letters`, rest)) !== null
    return [...listBreaches(items, last), ...(isDue ? [] : ['is looked at at no time'])].map((one) => `${name}: ${one}`)
  }
  const breaches: string[] = []
  for (const [id, says] of Object.entries(await redis.hgetall(name))) {
    const event = chatEvent.safeParse({ ...JSON.parse(says), at: 0 })
    if (!event.success || event.data.kind !== 'letter' || event.data.id !== id)
      breaches.push(`${name}: ${id} is no letter`)
    else {
      const items = await redis.lrange(`${prefix}to:${event.data.conversation}`, 0, -1)
      const count = items.filter((item) => item.endsWith(` ${rest} ${id}`)).length
      if (count !== 1) breaches.push(`${name}: ${id} is carried ${count} times`)
    }
  }
  return breaches
}

/** I6: what was begun, by first begins, against the order of the appends; rows not begun yet do not count. */
export function checkSendOrder(queued: readonly string[], begun: readonly string[]): readonly string[] {
  const first = [...new Set(begun)].filter((id) => queued.includes(id))
  const expected = queued.filter((id) => first.includes(id))
  return first.flatMap((id, i) => (id === expected[i] ? [] : [`row ${id} was begun before ${expected[i] ?? 'none'}`]))
}

function parse(name: string): { prefix: string; kind: string; rest: string } {
  const [, prefix = '', kind = '', rest = ''] = /^(fl:\{p\d\d\}:)(\w+)(?::(.*))?$/.exec(name) ?? []
  return { prefix, kind, rest }
}

const toSecond = (score: number): number => Math.floor(score / seqSpan)

async function load(redis: Redis | Cluster, { prefix, id, rows: ids }: Place): Promise<StoredConversation> {
  const key = (kind: string): string => `${prefix}${kind}:${id}`
  const rows = new Map<string, StoredRow>()
  for (const row of ids) {
    const name = `${key('o')}:${row}`
    rows.set(row, { fields: await redis.hgetall(name), ttlSeconds: await redis.ttl(name) })
  }
  const doneTtl = await redis.ttl(key('done'))
  for (const { id: row, fields } of toDone(await redis.hgetall(key('done')))) {
    rows.set(row, { fields, ttlSeconds: doneTtl })
  }
  const wakes: string[] = []
  for (const what of ['route', 'run', 'out']) {
    if ((await redis.zscore(`${prefix}wake`, `${what}:${id}`)) !== null) wakes.push(what)
  }
  const dedupe = await redis.zrange(key('dd'), '0', '-1', 'WITHSCORES')
  // Ids of what was there before a deletion name no event that is there now.
  const erased = toSecond(Number(await redis.zscore(key('dd'), '=erased')))
  return {
    id: `${prefix}*:${id}`,
    counters: await redis.hgetall(key('c')),
    events: await redis.hgetall(key('in')),
    decisions: await redis.hgetall(key('dec')),
    dedupe: dedupe
      .filter((_, i) => i % 2 === 1)
      .map(Number)
      .filter((score) => toSecond(score) > erased || erased === 0),
    run: await redis.hgetall(key('r')),
    journal: await redis.lrange(key('j'), 0, -1),
    index: await redis.hgetall(key('x')),
    queue: await redis.lrange(key('obq'), 0, -1),
    rows,
    wakes,
    parked: (await redis.hexists(`${prefix}parked`, id)) === 1,
    leased: (await redis.exists(key('lease'))) === 1,
  }
}

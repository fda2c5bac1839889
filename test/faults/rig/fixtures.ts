// A conversation's keys as plain JSON, so that what one release stored can be put before every later one.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import type { Fleet } from './fleet.ts'

const stored = z.discriminatedUnion('type', [
  z.object({ type: z.literal('string'), kind: z.string(), value: z.string() }),
  z.object({ type: z.literal('hash'), kind: z.string(), value: z.record(z.string(), z.string()) }),
  z.object({ type: z.literal('list'), kind: z.string(), value: z.array(z.string()) }),
  z.object({ type: z.literal('zset'), kind: z.string(), value: z.array(z.tuple([z.string(), z.string()])) }),
])
const fixture = z.object({
  v: z.literal(1),
  /** What state it is, in words. */
  what: z.string(),
  conversation: z.string(),
  /** Events that must be answered when a fleet is started on it, with the number that ends their text. */
  open: z.array(z.object({ id: z.string(), text: z.string(), seq: z.number() })),
  /** Buttons of open questions that are to be pressed then, and what the bot says to each. */
  presses: z.array(z.object({ question: z.string(), choice: z.string(), says: z.string() })).default([]),
  /** Texts of rows that wait to be sent. */
  waits: z.array(z.string()).default([]),
  /** `route`, `run` and `out` as far as they are due. */
  wakes: z.array(z.string()),
  keys: z.array(stored),
})
export type Fixture = z.infer<typeof fixture>

const folder = new URL('../fixtures/', import.meta.url)

export function readFixtures(): readonly { readonly file: string; readonly fixture: Fixture }[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files
    .toSorted()
    .map((file) => ({ file, fixture: fixture.parse(JSON.parse(asOfNow(readFileSync(new URL(file, folder), 'utf8')))) }))
}

/** As if its last write were a minute old: sessions end by themselves, and a fixture is kept for years. */
function asOfNow(text: string): string {
  const times = /(?<!\d)1[6-9]\d{11}(?!\d)/g
  // Other times may lie ahead, such as the end of a row's life.
  const written = text.matchAll(/"(?:at|lastAt)\\?":(\d{13})/g)
  const newestMs = Math.max(...[...written].map(([, time]) => Number(time)))
  const shiftMs = Date.now() - 60_000 - newestMs
  return text.replaceAll(times, (time) => String(Number(time) + shiftMs))
}

export const fixturePath = (name: string): string => path.join(new URL(folder).pathname, name)

/** Reads a conversation that nobody works on. Leases are left out: their owners will be gone. */
export async function takeFixture(
  { redis: { admin } }: Fleet,
  about: Pick<Fixture, 'what' | 'conversation' | 'open' | 'presses' | 'waits'>,
): Promise<Fixture> {
  const prefix = partitionPrefix(toPartition(about.conversation))
  const own = (await admin.keys(`${prefix}*:${about.conversation}*`)).filter((name) => !/:(lease|ol):/.test(name))
  const names = [...own, ...about.presses.map(({ question }) => `${prefix}q:${question}`)]
  const keys: Fixture['keys'] = []
  for (const name of names.toSorted()) {
    const kind = name.slice(prefix.length)
    const type = await admin.type(name)
    if (type === 'string') keys.push({ type, kind, value: (await admin.get(name)) ?? '' })
    if (type === 'hash') keys.push({ type, kind, value: await admin.hgetall(name) })
    if (type === 'list') keys.push({ type, kind, value: await admin.lrange(name, 0, -1) })
    if (type === 'zset') {
      const flat = await admin.zrange(name, '0', '-1', 'WITHSCORES')
      const value = flat.flatMap((member, i): [string, string][] => (i % 2 ? [] : [[member, flat[i + 1] ?? '0']]))
      keys.push({ type, kind, value })
    }
  }
  const due = await admin.zrange(`${prefix}wake`, '0', '-1')
  const wakes = due.flatMap((member) => {
    const [what = '', ...rest] = member.split(':')
    return rest.join(':') === about.conversation ? [what] : []
  })
  return { v: 1, ...about, wakes, keys }
}

export async function loadFixture({ redis: { admin } }: Fleet, one: Fixture): Promise<void> {
  const prefix = partitionPrefix(toPartition(one.conversation))
  for (const key of one.keys) {
    const name = prefix + key.kind
    // A draft, for example: it ends by itself.
    if (key.type === 'string') await admin.set(name, key.value, 'PX', 60_000)
    if (key.type === 'hash') await admin.hset(name, key.value)
    if (key.type === 'list') await admin.rpush(name, ...key.value)
    if (key.type === 'zset') await admin.zadd(name, ...key.value.flatMap(([member, score]) => [score, member]))
  }
  for (const what of one.wakes) await admin.zadd(`${prefix}wake`, Date.now(), `${what}:${one.conversation}`)
}

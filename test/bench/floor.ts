// The floor: the same three hops over Redis Streams, with a consumer group each and nothing else, in one process. A message is acknowledged
// once the next hop has it, and what a dead process had read is claimed by the next one: nothing is lost, though some may come twice. That is
// about the least that a message can cost here.
import './count-writes.ts'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { appendAnswer, callModel, isNotify, type BareMessage } from './bare-hops.ts'
import { serveParent } from './child.ts'
import { readStats } from './count-writes.ts'

const url = process.env['REDIS_URL'] ?? ''
const group = 'bench'
const consumer = 'one'
/** As many as a worker of the baseline has. */
const atOnce = 50
const blockMs = 1000
const claimEveryMs = 5000
const claimAfterMs = 30_000
// Commands of one turn of the event loop go together.
const redis = new Redis(url, { enableAutoPipelining: true })
let notifies = false

const hops: Record<string, (message: BareMessage, json: string) => Promise<unknown>> = {
  first: (_, json) => redis.xadd('floor:second', '*', 'm', json),
  second: async ({ text }, json) => {
    await callModel(text)
    await redis.xadd('floor:third', '*', 'm', json)
  },
  third: (message) => appendAnswer(redis, message, notifies),
}
for (const [name, hop] of Object.entries(hops)) void serve(`floor:${name}`, hop)

serveParent(async (question) => {
  if (isNotify(question)) notifies = question.on
  return readStats()
})
process.once('SIGTERM', () => process.exit(0))

async function serve(stream: string, hop: (message: BareMessage, json: string) => Promise<unknown>): Promise<void> {
  const reader = new Redis(url, { maxRetriesPerRequest: null })
  let running = 0
  let freed: () => void = () => {}
  const handle = async (id: string, json: string): Promise<void> => {
    await hop(JSON.parse(json), json)
    await Promise.all([redis.xack(stream, group, id), redis.xdel(stream, id)])
    running -= 1
    freed()
  }
  const begin = (entries: readonly Entry[]): void => {
    for (const { id, json } of entries) {
      running += 1
      void handle(id, json)
    }
  }
  let claimedAtMs = 0
  for (;;) {
    try {
      if (performance.now() > claimedAtMs + claimEveryMs) {
        claimedAtMs = performance.now()
        const left = ['COUNT', atOnce] as const
        begin(toEntries((await reader.xautoclaim(stream, group, consumer, claimAfterMs, '0', ...left))[1]))
      }
      const most = String(atOnce - running)
      const read = await reader.call(
        'XREADGROUP',
        'GROUP',
        group,
        consumer,
        'COUNT',
        most,
        'BLOCK',
        blockMs,
        'STREAMS',
        stream,
        '>',
      )
      begin(toEntries(findStream(read)))
      if (running >= atOnce) await new Promise<void>((resolve) => (freed = resolve))
    } catch (error) {
      // Each run begins with an empty Redis.
      if (!/NOGROUP|UNBLOCKED/.test(String(error))) throw error
      await redis.xgroup('CREATE', stream, group, '0', 'MKSTREAM').catch(() => sleep(1))
    }
  }
}

type Entry = { readonly id: string; readonly json: string }

/** Of one stream: a list of pairs, or by its name. */
function findStream(read: unknown): unknown {
  if (Array.isArray(read)) return Array.isArray(read[0]) ? read[0][1] : read[1]
  return typeof read === 'object' && read !== null ? Object.values(read)[0] : undefined
}

function toEntries(found: unknown): Entry[] {
  return (Array.isArray(found) ? found : []).flatMap((entry: [string, string[]] | null) =>
    entry ? [{ id: entry[0], json: entry[1][1] ?? '' }] : [],
  )
}

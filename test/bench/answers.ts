// Reads what was delivered: waits until each message of a run is named by a row of its conversation's stream. Both sides
// append to a list of the same form. It reads in pages, so that waiting costs next to nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { partitionPrefix, toPartition } from '#queues/partition.ts'

/** Ours, the chain of BullMQ queues, the chain of Redis Streams. */
export type Side = 'fleet' | 'baseline' | 'floor'

export type Answers = {
  all(side: Side, conversations: readonly string[], each: number): Promise<{ rows: number }>
  /** Takes the time of each conversation's first notice, against its time of sending. */
  listen(sentAtMs: ReadonlyMap<string, number>): Promise<void>
  unlisten(): Promise<void>
  latenciesMs(): readonly number[]
  /** Writes that waiting has made so far; they belong to no message. */
  polls(): number
}

const page = 250
const pollMs = 15
const patienceMs = 120_000
const notice = 'fl:live:'

export function createAnswers(reader: Redis, subscriber: Redis): Answers {
  let polls = 0
  let latencies: number[] = []
  let sent: ReadonlyMap<string, number> = new Map()
  subscriber.on('pmessage', (_pattern: string, channel: string) => {
    const atMs = sent.get(channel.slice(notice.length))
    if (atMs !== undefined) latencies.push(performance.now() - atMs)
  })
  return {
    async all(side, conversations, each) {
      const until = Date.now() + patienceMs
      let open = [...conversations]
      let rows = 0
      let size = 1
      while (open.length > 0) {
        const window = open.slice(0, size)
        const pipeline = reader.pipeline()
        for (const name of window) pipeline.lrange(toKey(side, name), 0, -1)
        polls += 1
        const found = (await pipeline.exec()) ?? []
        const done = new Set<string>()
        for (const [i, name] of window.entries()) {
          const stream = readRows(found[i]?.[1])
          if (stream.answered < each) continue
          done.add(name)
          rows += stream.rows
        }
        open = open.filter((name) => !done.has(name))
        if (Date.now() > until) throw new Error(`${open.length} conversations are not answered, such as ${open[0]}.`)
        // Answers come roughly in order, so while the first is open the others need no look.
        size = done.size > 0 ? page : 1
        if (done.size < window.length) await sleep(pollMs)
      }
      return { rows }
    },
    async listen(sentAtMs) {
      latencies = []
      sent = sentAtMs
      polls += 1
      await subscriber.psubscribe(`${notice}*`)
    },
    async unlisten() {
      if (sent.size > 0) polls += 1
      if (sent.size > 0) await subscriber.punsubscribe()
      sent = new Map()
    },
    latenciesMs: () => latencies,
    polls: () => polls,
  }
}

function toKey(side: Side, conversation: string): string {
  return side === 'fleet' ? `${partitionPrefix(toPartition(conversation))}out:${conversation}` : `out:${conversation}`
}

/** An item is a mark (`b` for a row of the bot), its time in ms, and JSON. */
function readRows(found: unknown): { rows: number; answered: number } {
  const ids = new Set<string>()
  let rows = 0
  for (const item of Array.isArray(found) ? found : []) {
    if (typeof item !== 'string' || !item.startsWith('b')) continue
    rows += 1
    const body: { answers: string[] } = JSON.parse(item.slice(item.indexOf('{')))
    for (const answer of body.answers) ids.add(answer)
  }
  return { rows, answered: ids.size }
}

// The load generator, a process of its own for both sides: sends messages, then waits until every one of them is answered in its
// conversation's stream. Our side goes through the real `storeEvent`, the baseline through `queue.add`, the floor through XADD, equally many at once.
import './count-writes.ts'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { connectKernel, connectProducer } from '#queues/connection.ts'
import { createHints } from '#queues/jobs/hints.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { prepareEvent, storeEvent } from '#queues/workers/ingest-event.ts'
import { message } from '#test/rig/events.ts'
import { serveParent } from './child.ts'
import { readStats } from './count-writes.ts'
import { createAnswers, type Side } from './answers.ts'

export type Load = {
  readonly side: Side
  /** Part of every conversation's name, new for each run. */
  readonly label: string
  readonly conversations: number
  readonly perConversation: number
  /** Messages a second; 0 sends as fast as `atOnce` allows. */
  readonly ratePerS: number
  readonly atOnce: number
}
export type LoadResult = {
  readonly messages: number
  /** Rows in the conversations' streams: one answers all messages of its turn. */
  readonly rows: number
  readonly wallMs: number
  /** ms from sending to the answer's notice; only when paced. */
  readonly latenciesMs: readonly number[]
}

const url = process.env['REDIS_URL'] ?? ''
const connection = { url, maxRetriesPerRequest: null }
const first = new Queue('first', { connection, defaultJobOptions: { removeOnComplete: true } })
const units = connectKernel(url)
const deps = {
  kernel: createRedisKernel(units, createUnits(units, { patienceMs: 2500 })),
  hints: createHints(connectProducer(url)),
}
const reader = new Redis(url)
const subscriber = new Redis(url)
const answers = createAnswers(reader, subscriber)
await first.waitUntilReady()

serveParent(async (question) => {
  if (isLoad(question)) return await run(question)
  const { cpuMs, writes } = readStats()
  return { cpuMs, writes: writes - answers.polls() }
})
process.once('SIGTERM', () => process.exit(0))

async function run(load: Load): Promise<LoadResult> {
  const names = Array.from({ length: load.conversations }, (_, i) => `web:${load.label}-${i}`)
  const messages = load.conversations * load.perConversation
  const sentAtMs = new Map<string, number>()
  if (load.ratePerS > 0) await answers.listen(sentAtMs)
  const startedAtMs = Date.now()
  let next = 0
  async function sender(): Promise<void> {
    for (let n = next++; n < messages; n = next++) {
      const conversation = names[Math.floor(n / load.perConversation)] ?? ''
      if (load.ratePerS > 0) {
        const dueInMs = startedAtMs + (n * 1000) / load.ratePerS - Date.now()
        if (dueInMs > 0) await sleep(dueInMs)
        sentAtMs.set(conversation, performance.now())
      }
      await send(load.side, conversation, `${conversation}.${n}`)
    }
  }
  await Promise.all(Array.from({ length: load.atOnce }, sender))
  const { rows } = await answers.all(load.side, names, load.perConversation)
  const wallMs = Date.now() - startedAtMs
  const latenciesMs = answers.latenciesMs()
  await answers.unlisten()
  return { messages, rows, wallMs, latenciesMs }
}

async function send(side: Load['side'], conversation: string, id: string): Promise<void> {
  const text = `What is the state of order ${id.replaceAll(/\W/g, ' ')} in the north store?`
  if (side === 'baseline') return void (await first.add('m', { conversation, id, text }))
  if (side === 'floor')
    return void (await reader.xadd('floor:first', '*', 'm', JSON.stringify({ conversation, id, text })))
  const storable = await prepareEvent(
    {},
    message({ id, conversation, principal: conversation, at: Date.now(), text }),
    { dedupeKey: id },
  )
  await storeEvent(deps, storable)
}

function isLoad(question: unknown): question is Load {
  return typeof question === 'object' && question !== null && 'side' in question
}

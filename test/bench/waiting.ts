// `timers` and `questions`: what waits, and how late what is due comes when much is due in one second. The sweeper is the fleet's own, each second.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Question } from '#shared/run/question.ts'
import type { Append } from '#shared/run/step.ts'
import { connectKernel, connectProducer } from '#queues/connection.ts'
import { createHints } from '#queues/jobs/hints.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { randomId, toQuestionId } from '#queues/partition.ts'
import { createUnits } from '#queues/units.ts'
import { runSweeper } from '#queues/workers/sweeper.ts'
import { wonPress } from '#test/rig/events.ts'
import { toBody, toRow } from '#test/rig/journal-entries.ts'
import { percentile, round } from './figures.ts'

const ann = 'web:ann'
/** Within this time all of it is to have come. */
const patienceMs = 60_000
const spreadMs = 1000
const presses = 2000

type Bench = {
  readonly kernel: Kernel
  readonly redis: Redis
  store(at: ConversationId, step: Partial<Append>): Promise<void>
}

async function open<T>(url: string, measure: (bench: Bench) => Promise<T>): Promise<T> {
  const connection = connectKernel(url)
  const kernel = createRedisKernel(connection, createUnits(connection, { patienceMs: 5000 }))
  const redis = new Redis(url)
  await redis.flushall()
  let steps = 0
  const store: Bench['store'] = async (at, step) => {
    const claimed = await kernel.claim(at, 'bench', 8000)
    if (claimed.kind !== 'CLAIMED') throw new Error(`A claim ended ${claimed.kind}.`)
    await kernel.append(at, claimed.epoch, { key: `s${++steps}`, entries: [], release: true, ...step })
  }
  try {
    return await measure({ kernel, redis, store })
  } finally {
    redis.disconnect()
    connection.disconnect()
  }
}

/** `count` timers of a tenth as many conversations, all due within one second. */
export async function measureTimers(url: string, count: number) {
  return await open(url, async ({ kernel, store }) => {
    const each = 10
    const names = Array.from({ length: count / each }, (_, i) => `web:t${i}`)
    const dueMs = Date.now() + 3000 + count / 2
    const inMs = (i: number): number => Math.max(0, dueMs + (spreadMs * i) / count - Date.now())
    await Promise.all(
      names.map(async (at, n) => {
        const timers = Array.from({ length: each }, (_, i) => {
          const waitMs = Math.ceil(inMs(n * each + i))
          const payload = String(Date.now() + waitMs)
          const event = {
            v: 1,
            kind: 'timer',
            id: `t${i}`,
            conversation: at,
            principal: ann,
            timer: 'b.t',
            payload,
          } as const
          return { name: `b.t.${i}`, inMs: waitMs, event }
        })
        await store(at, { timers })
      }),
    )
    const late = await collect(url, kernel, { names, count })
    return { ...late, count }
  })
}

/** `count` open questions, some of which are pressed, and then `due` more whose deadlines pass within one second. */
export async function measureQuestions(url: string, count: number, due: number) {
  return await open(url, async ({ kernel, redis, store }) => {
    const each = 100
    const before = await usedBytes(redis)
    const asked: Question[] = []
    const names = Array.from({ length: count / each }, (_, i) => `web:q${i}`)
    for (const at of names) {
      const questions = Array.from({ length: each }, () => toQuestion(at, 7 * 86_400_000))
      asked.push(...questions)
      await store(at, { questions })
    }
    const kbEach = round(((await usedBytes(redis)) - before) / 1024 / count)
    const times: number[] = []
    for (let i = 0; i < presses; i++) {
      const question = asked[Math.floor((i * asked.length) / presses)]
      const home = names[Math.floor((i * asked.length) / presses / each)] ?? ''
      const event = wonPress({ id: `p${i}`, principal: ann, conversation: home, question: question?.id ?? '' })
      const startedAt = performance.now()
      const { kind } = await kernel.resolve({
        question: question?.id ?? '',
        actor: ann,
        chat: home,
        choice: 'yes',
        event,
      })
      times.push(performance.now() - startedAt)
      if (kind !== 'WON') throw new Error(`A press ended ${kind}.`)
    }
    const late = await measureDeadlines(url, { kernel, store }, due)
    return { kbEach, resolveP50Ms: percentile(times, 50), resolveP99Ms: percentile(times, 99), ...late, count, due }
  })
}

async function measureDeadlines(url: string, { kernel, store }: Pick<Bench, 'kernel' | 'store'>, due: number) {
  const each = 10
  const names = Array.from({ length: due / each }, (_, i) => `web:d${i}`)
  const dueMs = Date.now() + 3000 + due
  await Promise.all(
    names.map(async (at, n) => {
      const leftMs = Math.max(1, Math.ceil(dueMs + (spreadMs * n * each) / due - Date.now()))
      const until = String(Date.now() + leftMs)
      const questions = Array.from({ length: each }, () => ({ ...toQuestion(at, leftMs), payload: until }))
      const rows = questions.map(({ id }) => toRow(id, toBody('?', { buttons: [[{ id: `${id}.yes`, label: 'yes' }]] })))
      await store(at, { questions, rows })
    }),
  )
  return await collect(url, kernel, { names, count: due })
}

const toQuestion = (at: ConversationId, deadlineMs: number): Question => {
  const id = toQuestionId(at, randomId())
  const payload = 'what the answer needs, in a few words'
  return {
    v: 1,
    id,
    kind: 'bench.ask',
    owner: '*',
    options: ['yes', 'no'],
    card: `card-${id}`,
    payload,
    deadlineMs,
    asker: ann,
  }
}

/** Sweeps until all has come; each event's payload is when it was due. */
async function collect(
  url: string,
  kernel: Kernel,
  { names, count }: { readonly names: readonly ConversationId[]; readonly count: number },
) {
  const connection = connectProducer(url)
  const units = connectKernel(url)
  const hints = createHints(connection)
  const stopping = new AbortController()
  const call = createUnits(units, { patienceMs: 5000 })
  const onTrouble = (what: string, error: unknown): void => stopping.abort(new Error(what, { cause: error }))
  const sweeping = runSweeper(
    { call, kernel, hints, owner: 'bench', everyMs: 1000, graceMs: 1500, isQuiet: async () => false, onTrouble },
    stopping.signal,
  )
  try {
    const lateMs = new Map<string, number>()
    for (const endMs = Date.now() + patienceMs; lateMs.size < count && Date.now() < endMs; await sleep(500)) {
      stopping.signal.throwIfAborted()
      for (const at of names)
        for (const { event } of (await kernel.inbox(at, 100)).events)
          if (event.kind === 'timer' || event.kind === 'expired')
            lateMs.set(`${at} ${event.id}`, event.at - Number(event.payload))
    }
    const all = [...lateMs.values()]
    const early = all.filter((ms) => ms < 0).length
    return { fired: all.length, early, lateMaxS: round(Math.max(...all) / 1000) }
  } finally {
    stopping.abort()
    await sweeping
    await hints.close()
    connection.disconnect()
    units.disconnect()
  }
}

async function usedBytes(redis: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1])
}

// `timers` and `questions`, which are cards of real approvals: what waits, and how late what is due comes when much is due in one second. The
// sweeper is the fleet's own, each second.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { raise, type Question } from '#shared/run/question.ts'
import type { Append } from '#shared/run/step.ts'
import { connectKernel, connectProducer } from '#queues/connection.ts'
import { createHints } from '#queues/jobs/hints.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { randomId, toQuestionId } from '#queues/partition.ts'
import { createUnits } from '#queues/units.ts'
import { createLiveness } from '#queues/fleet/liveness.ts'
import { createProcesses } from '#queues/fleet/processes.ts'
import { runSweeper } from '#queues/workers/sweeper.ts'
import { askCard, toRendering } from '#services/tool-rights/card.ts'
import { readPending, type Pending } from '#services/tool-rights/pending.ts'
import { wonPress } from '#test/rig/events.ts'
import { toBody, toRow } from '#test/rig/journal-entries.ts'
import { percentile, round } from './figures.ts'

const ann = 'web:ann'
/** Within this time all of it is to have come. */
const patienceMs = 60_000
const spreadMs = 1000
/** What somebody asked for. */
const wanted = 'Find a train to Lisbon for Friday and take two seats by the window.'
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
      const questions = Array.from({ length: each }, () => toQuestion(at, { deadlineMs: 7 * 86_400_000, task: wanted }))
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
        choice: 'deny-0',
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
      const questions = Array.from({ length: each }, () => toQuestion(at, { deadlineMs: leftMs, task: until }))
      const rows = questions.map(({ id }) =>
        toRow(id, toBody('?', { buttons: [[{ id: `${id}.deny-0`, label: 'Deny' }]] })),
      )
      await store(at, { questions, rows })
    }),
  )
  return await collect(url, kernel, { names, count: due })
}

const tools = [{ name: 'http_request', effect: 'write', scope: { argument: 'url', by: 'path' } }] as const
const body = {
  from: 'Porto',
  to: 'Lisboa',
  seats: 2,
  note: 'By the window, in the direction of travel, if there are any left.',
}

/** The card of a real approval, as the feature raises it. `task`: what its turn was asked. */
function toQuestion(
  at: ConversationId,
  { deadlineMs, task }: { readonly deadlineMs: number; readonly task: string },
): Question {
  const id = toQuestionId(at, randomId())
  const call = { method: 'POST', url: 'https://trains.example/api/seats', body }
  const card: Pending = {
    v: 1,
    id: randomId(),
    home: at,
    requester: ann,
    approver: ann,
    task,
    calls: [
      {
        name: 'http_request',
        arguments: JSON.stringify(call),
        key: `${at}/t1/tool/1/c1`,
        why: 'tainted',
        taint: ['search_web'],
        state: 'open',
      },
    ],
    sinceMs: Date.now(),
    zone: 'Europe/Berlin',
    isShown: false,
  }
  const asked = askCard(card, { ...toRendering(card, { language: 'en', tools, nowMs: Date.now() }), inPlace: false })
  const how = { kind: 'tool-rights.call', owner: ann, asker: ann, card: `card-${id}`, deadlineMs, about: ['m1'] }
  return raise(id, asked, how).question
}

/** When an event was due, as its payload says: of a card it is the task. */
const toDue = ({ kind, payload }: { readonly kind: string; readonly payload: string }): number =>
  Number(kind === 'expired' ? readPending(payload)?.task : payload)

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
  const liveness = await createLiveness({ redis: units, call, lifeMs: 3000 })
  const onTrouble = (what: string, error: unknown): void => stopping.abort(new Error(what, { cause: error }))
  const sweeping = runSweeper(
    {
      call,
      liveness,
      processes: createProcesses(units, liveness),
      kernel,
      hints,
      everyMs: 1000,
      graceMs: 1500,
      isQuiet: async () => false,
      onTrouble,
    },
    stopping.signal,
  )
  try {
    const lateMs = new Map<string, number>()
    for (const endMs = Date.now() + patienceMs; lateMs.size < count && Date.now() < endMs; await sleep(500)) {
      stopping.signal.throwIfAborted()
      for (const at of names)
        for (const { event } of (await kernel.inbox(at, 100)).events)
          if (event.kind === 'timer' || event.kind === 'expired')
            lateMs.set(`${at} ${event.id}`, event.at - toDue(event))
    }
    const all = [...lateMs.values()]
    const early = all.filter((ms) => ms < 0).length
    return { fired: all.length, early, lateMaxS: round(Math.max(...all) / 1000) }
  } finally {
    stopping.abort()
    await sweeping
    await liveness.stop()
    await hints.close()
    connection.disconnect()
    units.disconnect()
  }
}

async function usedBytes(redis: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1])
}

// `letters`: how soon one letter is in its mailbox, and what very many to one conversation cost: time, memory, the longest hold of Redis, and how soon
// a letter to another conversation is there meanwhile.
import { Redis } from 'ioredis'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Letter } from '#shared/run/step.ts'
import { connectKernel } from '#queues/connection.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { partitions, toPartition } from '#queues/partition.ts'
import { createUnits } from '#queues/units.ts'
import { createCarrier, type Carry } from '#queues/workers/carry-letters.ts'
import { percentile, round } from './figures.ts'

const writers = 100
const crowded = 'web:crowded'
const singles = 500

type Bench = { readonly kernel: Kernel; readonly carry: Carry; next(to: ConversationId): Promise<void> }

/** `count` letters to one conversation, whose executor takes them off as fast as it can. */
export async function measureLetters(url: string, count: number) {
  const connection = connectKernel(url)
  const kernel = createRedisKernel(connection, createUnits(connection, { patienceMs: 5000 }))
  const redis = new Redis(url)
  await redis.flushall()
  const waiting = new Map<ConversationId, () => void>()
  const onTrouble = (what: string, error: unknown): never => {
    throw new Error(what, { cause: error })
  }
  const inbound = async (to: ConversationId): Promise<void> => waiting.get(to)?.()
  const bench: Bench = {
    kernel,
    carry: createCarrier({ kernel, hints: { inbound }, onTrouble }).carry,
    next: (to) => new Promise((resolve) => waiting.set(to, resolve)),
  }
  try {
    const alone = await measureSingles(bench, 'alone')
    await redis.config('SET', 'slowlog-max-len', '1000', 'slowlog-log-slower-than', '1000')
    await redis.call('SLOWLOG', 'RESET')
    const before = await usedBytes(redis)
    const names = Array.from({ length: writers }, (_, i) => `web:w${i}`)
    for (const from of names) await write(kernel, from, crowded, count / writers)
    const kbEach = round(((await usedBytes(redis)) - before) / 1024 / count)
    const beganMs = performance.now()
    const draining = drain(bench, count)
    const meanwhile = await measureSingles(bench, 'meanwhile')
    const turns = await draining
    const seconds = (performance.now() - beganMs) / 1000
    return {
      count,
      aloneP50Ms: percentile(alone, 50),
      aloneP99Ms: percentile(alone, 99),
      kbEach,
      lettersPerSecond: round(count / seconds),
      turns,
      meanwhileP50Ms: percentile(meanwhile, 50),
      meanwhileP99Ms: percentile(meanwhile, 99),
      longestUnitMs: await longestMs(redis),
    }
  } finally {
    redis.disconnect()
    connection.disconnect()
  }
}

/** From the step that writes one until its conversation is hinted. */
async function measureSingles({ kernel, carry, next }: Bench, name: string): Promise<readonly number[]> {
  const times: number[] = []
  for (let i = 0; i < singles; i++) {
    const [from, to] = [`web:${name}-from${i}`, `web:${name}-to${i}`]
    const startedAt = performance.now()
    const arrived = next(to)
    await write(kernel, from, to, 1)
    carry(toPartition(from))
    await arrived
    times.push(performance.now() - startedAt)
  }
  return times
}

async function write(kernel: Kernel, from: ConversationId, to: ConversationId, count: number): Promise<void> {
  const claimed = await kernel.claim(from, 'bench', 8000)
  if (claimed.kind !== 'CLAIMED') throw new Error(`A claim ended ${claimed.kind}.`)
  const letters = Array.from({ length: count }, (_, i): Letter => ({
    event: {
      v: 1,
      kind: 'letter',
      id: `${from}/e${i}-1k3x9ab-letter-0`,
      conversation: to,
      principal: 'web:ann',
      from,
      letter: 'bench.told',
      payload: 'x'.repeat(100),
    },
  }))
  await kernel.append(from, claimed.epoch, { key: 's', entries: [], release: true, letters })
}

/** Takes off what has come, all at once, as long as anything is left. Returns how often it looked. */
async function drain({ kernel, carry }: Bench, count: number): Promise<number> {
  let [came, looks] = [0, 0]
  while (came < count) {
    looks += 1
    for (let partition = 0; partition < partitions; partition++) carry(partition)
    const { routedSeq, events } = await kernel.inbox(crowded, 1000)
    if (events.length === 0) continue
    await kernel.route(
      crowded,
      routedSeq,
      events.map(() => ({ v: 1, act: 'apply', rule: 'letter' })),
    )
    const claimed = await kernel.claim(crowded, 'bench', 8000)
    if (claimed.kind !== 'CLAIMED') throw new Error(`A claim ended ${claimed.kind}.`)
    const consume = events.map(({ seq }) => seq)
    const last = { folds: true, snapshot: 'state', release: true }
    await kernel.append(crowded, claimed.epoch, { key: `d${looks}`, entries: [], consume, ...last })
    came += events.length
  }
  return looks
}

async function longestMs(redis: Redis): Promise<number> {
  const slow = await redis.call('SLOWLOG', 'GET', '1000')
  const all = Array.isArray(slow) ? slow.map((one) => (Array.isArray(one) ? Number(one[2]) / 1000 : 0)) : []
  return round(Math.max(0, ...all))
}

async function usedBytes(redis: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1])
}

// Facts about taking hints in a burst: the first is begun long before the last is fetched, and as many run at once as there may.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectProducer, connectWorker, type RedisClient } from '#queues/connection.ts'
import { createHints, hintPayload, type Hints } from '#queues/jobs/hints.ts'
import type { QueueKind } from '#queues/jobs/queue-names.ts'
import { createCrowd, type HintHandler } from '#queues/workers/crowd.ts'
import { createHintWorkers } from '#queues/workers/hint-worker.ts'
import { startProxy } from '#test/rig/proxy.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'

const waiting = 200
let server: PrivateRedis
let producer: RedisClient
let hints: Hints
beforeAll(async () => {
  server = await startRedis()
  producer = connectProducer(server.url)
  if (producer.status !== 'ready') await new Promise((resolve) => producer.once('ready', resolve))
  hints = createHints(producer)
})
afterAll(async () => {
  await hints.close()
  producer.disconnect()
  await server.stop()
})

type Start = {
  readonly connection: RedisClient
  readonly concurrency: number
  readonly handler: HintHandler
  readonly queue?: QueueKind
  readonly hints?: Pick<Hints, 'putFirst'>
  readonly onTrouble?: (what: string, error?: unknown) => void
}
function start({ connection, concurrency, handler, queue = 'execute', onTrouble = () => {}, ...more }: Start) {
  const crowd = createCrowd({ handler, onTrouble, onLeft: async () => {} })
  const worker = createHintWorkers(queue, 1, {
    connection,
    openEntrance: () => crowd.openEntrance(concurrency),
    onTrouble,
    hints: more.hints ?? hints,
  })
  return {
    async stop(graceMs: number) {
      await Promise.all([worker.stop(), crowd.stop(graceMs)])
    },
  }
}

async function fill(): Promise<void> {
  await server.admin.flushall()
  for (let n = 0; n < waiting; n++) await hints.execute(`web:${n}`)
}

test('begins the first hints of a burst before all the others are fetched', async () => {
  await fill()
  await using proxy = await startProxy(server.port)
  proxy.set('delay', 20)
  const connection = connectWorker(proxy.url)
  const first = Promise.withResolvers<void>()
  const worker = start({
    connection,
    concurrency: 1000,
    handler: async () => first.resolve(),
  })
  await first.promise
  // The handler has begun, and hints that nobody fetched are still waiting.
  expect(await server.admin.llen('fl:{execute}:execute:wait')).toBeGreaterThan(waiting / 2)
  proxy.set('pass')
  await worker.stop(0)
  connection.disconnect()
})

test('runs as many at once as it may, though none ends, and no more', async () => {
  await fill()
  const most = 50
  const connection = connectWorker(server.url)
  let begun = 0
  let running = 0
  let mostRunning = 0
  const end = Promise.withResolvers<void>()
  const worker = start({
    connection,
    concurrency: most,
    async handler() {
      begun += 1
      running += 1
      mostRunning = Math.max(mostRunning, running)
      await end.promise
      running -= 1
    },
  })
  await expect.poll(() => running, { timeout: 10_000 }).toBe(most)
  end.resolve()
  await expect.poll(() => begun, { timeout: 10_000 }).toBe(waiting)
  expect(mostRunning).toBe(most)
  await worker.stop(1000)
  connection.disconnect()
})

test('gives and takes hints while Redis has no memory left: they lead to what makes room', async () => {
  await server.admin.flushall()
  await server.admin.config('SET', 'maxmemory', '1')
  const connection = connectWorker(server.url)
  const taken: string[] = []
  const worker = start({
    connection,
    concurrency: 2,
    handler: async (conversation) => void taken.push(conversation),
  })
  try {
    await hints.execute('web:1')
    await hints.sweep('execute', 'web:2', 1000)
    await expect.poll(() => taken.toSorted(), { timeout: 10_000 }).toEqual(['web:1', 'web:2'])
    await expect.poll(() => hints.look('execute'), { timeout: 10_000 }).toMatchObject({ count: 0 })
  } finally {
    await server.admin.config('SET', 'maxmemory', '0')
    await worker.stop(0)
    connection.disconnect()
  }
})

test('has one hint for what is said in one conversation before its first hint has gone', async () => {
  await server.admin.flushall()
  await Promise.all([hints.inbound('web:0', true), hints.inbound('web:0'), hints.inbound('web:0')])
  expect(await hints.look('inbound')).toMatchObject({ count: 1 })
  // Later ones are one hint with each other.
  for (let n = 0; n < 3; n++) await hints.inbound('web:0')
  expect(await hints.look('inbound')).toMatchObject({ count: 2 })
})

test('takes hints that came together as one job, and goes on where one of them fails', async () => {
  await server.admin.flushall()
  const conversations = Array.from({ length: 40 }, (_, n) => `web:${n}`)
  await Promise.all(conversations.map((conversation) => hints.inbound(conversation, true)))
  // One at a time, where another hint may be on its way, it is one with that.
  for (let n = 0; n < 3; n++) await hints.inbound('web:0')
  const { count } = await hints.look('inbound')
  expect(count).toBeLessThanOrEqual(5)
  const connection = connectWorker(server.url)
  const taken: string[] = []
  const troubles: string[] = []
  const worker = start({
    queue: 'inbound',
    connection,
    concurrency: 2,
    async handler(conversation) {
      taken.push(conversation)
      if (conversation === 'web:7') throw new Error('this one fails')
    },
    onTrouble: (what) => troubles.push(what),
  })
  await expect.poll(() => hints.look('inbound'), { timeout: 10_000 }).toMatchObject({ count: 0 })
  expect(taken.toSorted()).toEqual([...conversations, 'web:0'].toSorted())
  expect(troubles).toEqual(['Work on a conversation failed; the sweeper tries again.'])
  await worker.stop(0)
  connection.disconnect()
})

/** A worker whose conversations, or the one alone, run until `end`, with what it has begun, in order. */
function startHeld(concurrency: number, alone?: string) {
  const connection = connectWorker(server.url)
  const begun: string[] = []
  const end = Promise.withResolvers<void>()
  const worker = start({
    connection,
    concurrency,
    async handler(conversation) {
      begun.push(conversation)
      if (alone === undefined || conversation === alone) await end.promise
    },
  })
  return {
    begun,
    end: () => end.resolve(),
    async [Symbol.asyncDispose]() {
      end.resolve()
      await worker.stop(1000)
      connection.disconnect()
    },
  }
}

const names = Array.from({ length: 40 }, (_, n) => `web:${n}`)
const executeTogether = (conversations: readonly string[]): Promise<unknown> =>
  Promise.all(conversations.map((conversation) => hints.execute(conversation, true)))

test('gives what it has no room for back to others, before all that came later', async () => {
  await server.admin.flushall()
  await executeTogether(names.slice(0, 16))
  expect(await hints.look('execute')).toMatchObject({ count: 1 })
  await hints.execute('web:later')
  await using small = startHeld(1)
  await expect.poll(() => small.begun).toEqual(['web:0'])
  await using large = startHeld(8)
  await expect.poll(() => large.begun).toEqual(names.slice(1, 9))
  await using rest = startHeld(100)
  await expect.poll(() => rest.begun).toEqual([...names.slice(9, 16), 'web:later'])
  expect([small.begun.length, large.begun.length]).toEqual([1, 8])
  for (const worker of [small, large, rest]) worker.end()
  await expect.poll(() => hints.look('execute')).toMatchObject({ count: 0 })
})

test('holds no more conversations than it may, however many come in one job, and takes all of them in the end', async () => {
  await server.admin.flushall()
  const many = Array.from({ length: 200 }, (_, n) => `web:${n}`)
  await executeTogether(many)
  await using worker = startHeld(64)
  await expect.poll(() => worker.begun.length).toBe(64)
  // The others wait where another worker finds them.
  await expect.poll(() => server.admin.llen('fl:{execute}:execute:wait')).toBeGreaterThanOrEqual(8)
  expect(worker.begun).toHaveLength(64)
  worker.end()
  await expect.poll(() => hints.look('execute')).toMatchObject({ count: 0 })
  expect(worker.begun.toSorted()).toEqual(many.toSorted())
})

test('has room for others as soon as a conversation ends, though one that came with it runs on', async () => {
  await server.admin.flushall()
  await using worker = startHeld(2, 'web:0')
  await executeTogether(names.slice(0, 16))
  await expect.poll(() => worker.begun).toEqual(names.slice(0, 16))
  await executeTogether(names.slice(16))
  await expect.poll(() => worker.begun).toEqual(names)
})

test('a conversation that is hinted again and again takes one place, and is looked at once more', async () => {
  await server.admin.flushall()
  await using worker = startHeld(4, 'web:0')
  for (let n = 0; n < 50; n++) {
    await hints.execute('web:0')
    await expect.poll(() => hints.look('execute'), { interval: 2 }).toMatchObject({ count: 0 })
  }
  await hints.execute('web:1')
  await expect.poll(() => worker.begun).toEqual(['web:0', 'web:1'])
  worker.end()
  await expect.poll(() => worker.begun).toEqual(['web:0', 'web:1', 'web:0'])
})

test('uses all its room, also when too little of it is free for a full job', async () => {
  await server.admin.flushall()
  await using worker = startHeld(70)
  for (let n = 0; n < 80; n++) await hints.execute(`web:${n}`)
  await expect.poll(() => worker.begun.length).toBe(70)
  expect(await hints.look('execute')).toMatchObject({ count: 11 })
  worker.end()
  await expect.poll(() => worker.begun.length).toBe(80)
})

test('goes on where a handler fails while what had no room is put back, and says so at once', async () => {
  await server.admin.flushall()
  const connection = connectWorker(server.url)
  const troubles: unknown[] = []
  const taken: string[] = []
  const worker = start({
    connection,
    concurrency: 1,
    hints: { putFirst: async (...job) => (await sleep(50), await hints.putFirst(...job)) },
    handler(conversation) {
      taken.push(conversation)
      throw new Error(conversation)
    },
    onTrouble: (what, error) => troubles.push([what, String(error)]),
  })
  await executeTogether(names.slice(0, 4))
  await expect.poll(() => taken).toEqual(names.slice(0, 4))
  const what = 'Work on a conversation failed; the sweeper tries again.'
  expect(troubles).toEqual(names.slice(0, 4).map((name) => [what, `Error: ${name}`]))
  await worker.stop(0)
  connection.disconnect()
})

test('no job holds more than sixteen, however many shards there are', async () => {
  await server.admin.flushall()
  const sharded = createHints(producer, Date.now, 4)
  const queue = sharded.queueOf('run', 'web:0')
  const same = Array.from({ length: 300 }, (_, n) => `web:${n}`).filter((one) => sharded.queueOf('run', one) === queue)
  expect(same.length).toBeGreaterThan(40)
  await Promise.all(same.map((conversation) => sharded.execute(conversation, true)))
  const [key = ''] = await server.admin.keys(`*:${queue}:wait`)
  const jobs = await server.admin.lrange(key, 0, -1)
  const stored = await Promise.all(jobs.map((id) => server.admin.hget(key.replace(/wait$/, id), 'data')))
  const held = stored.map((data) => {
    const { conversation, also = [] } = hintPayload.parse(JSON.parse(data ?? ''))
    return [conversation, ...also]
  })
  expect(Math.max(...held.map((one) => one.length))).toBeLessThanOrEqual(16)
  expect(held.flat().toSorted()).toEqual(same.toSorted())
  await sharded.close()
})

test('asks a Redis that refuses writes once a second, and goes on when it takes them again', async () => {
  await server.admin.flushall()
  const connection = connectWorker(server.url)
  const seen = new Set<string>()
  const released = Promise.withResolvers<void>()
  const handler: HintHandler = async (conversation) => {
    seen.add(conversation)
    await released.promise
  }
  const worker = start({ connection, concurrency: 1, handler })
  const refused = async (): Promise<number> =>
    Number(/errorstat_NOREPLICAS:count=(\d+)/.exec(await server.admin.info('errorstats'))?.[1] ?? 0)
  for (const n of [1, 2, 3]) await hints.execute(`web:${n}`)
  await expect.poll(() => seen.size).toBe(1)
  await server.admin.config('SET', 'min-replicas-to-write', '1')
  released.resolve()
  await expect.poll(refused).toBeGreaterThan(0)
  const before = await refused()
  await sleep(3000)
  const asked = (await refused()) - before
  await server.admin.config('SET', 'min-replicas-to-write', '0')
  await expect.poll(() => seen.size).toBe(3)
  await worker.stop(0)
  connection.disconnect()
  expect(asked).toBeLessThan(20)
})

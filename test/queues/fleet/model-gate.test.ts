// The gate to the model: reservations hold in every budget or in none, repeating a call changes nothing, and the whole fleet
// shares one number of permits.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createModelGate, type ModelGate } from '#queues/fleet/model-gate.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore({ patienceMs: 1000 })))
beforeEach(async () => {
  await store.redis.flushall()
})
afterAll(() => store.stop())

const none = { tokens: 0, micros: 0 }
const ada = { conversation: 'web:a', principal: 'web:ada', day: '2026-11-21' }
const bob = { conversation: 'web:a', principal: 'web:bob', day: '2026-11-21' }

const holdMs = 300
const gates: ModelGate[] = []
afterEach(() => {
  for (const gate of gates.splice(0)) gate.close()
})

function create(limits: { person?: number; chat?: number; total?: number; micros?: number; most?: number }): ModelGate {
  const of = (tokens = 0) => ({ tokens, micros: limits.micros ?? 0 })
  const gate = createModelGate(store.call, {
    limits: { person: of(limits.person), chat: of(limits.chat), total: of(limits.total) },
    most: limits.most ?? 100,
    holdMs,
  })
  gates.push(gate)
  return gate
}

test('counts a reservation in person, chat and total, and replaces it by what was spent', async () => {
  const budgets = create({ person: 100 })
  expect(await budgets.reserve(ada, 'r1', { tokens: 80, micros: 7 })).toEqual({ kind: 'OK' })
  const held = { tokens: 80, micros: 7 }
  expect(await budgets.spent(ada)).toEqual({ person: held, chat: held, total: held })
  await budgets.charge(ada, 'r1', { tokens: 30, micros: 3 })
  await budgets.charge(ada, 'r1', { tokens: 30, micros: 3 })
  const spent = { tokens: 30, micros: 3 }
  expect(await budgets.spent(ada)).toEqual({ person: spent, chat: spent, total: spent })
  expect(await budgets.spent(bob)).toEqual({ person: none, chat: spent, total: spent })
})

test('reserves nothing anywhere when one budget would be exceeded, and names it', async () => {
  const budgets = create({ person: 100, chat: 120 })
  await budgets.reserve(ada, 'r1', { tokens: 90, micros: 0 })
  expect(await budgets.reserve(bob, 'r2', { tokens: 40, micros: 0 })).toEqual({
    kind: 'OVER',
    scope: 'chat',
    spentTokens: 90,
  })
  expect((await budgets.spent(bob)).person).toEqual(none)
  expect((await budgets.spent(bob)).total.tokens).toBe(90)
})

test('grants a repeated reservation, also when the budget is full by now', async () => {
  const budgets = create({ total: 100 })
  await budgets.reserve(ada, 'r1', { tokens: 100, micros: 0 })
  expect(await budgets.reserve(ada, 'r1', { tokens: 100, micros: 0 })).toEqual({ kind: 'OK' })
  expect((await budgets.spent(ada)).total.tokens).toBe(100)
})

test('limits money where a limit is set, and forgets a day after three', async () => {
  const budgets = create({ micros: 10 })
  expect((await budgets.reserve(ada, 'r1', { tokens: 5, micros: 11 })).kind).toBe('OVER')
  await budgets.reserve(ada, 'r2', { tokens: 5, micros: 10 })
  const keys = (await store.redis.keys('*')).filter((key) => !key.endsWith(':places'))
  const ttls = await Promise.all(keys.map((key) => store.redis.ttl(key)))
  expect(keys).toHaveLength(1)
  expect(Math.min(...ttls)).toBeGreaterThan(3 * 86_400 - 60)
})

const within = (ms: number): AbortSignal => AbortSignal.timeout(ms)
const cheap = { tokens: 1, micros: 0 }

test('keeps the permit of a call that lasts longer than the holding time, and gives it back when it is charged', async () => {
  const gate = create({ most: 1 })
  await gate.reserve(ada, 'long call', cheap)
  await gate.enter('main', 'long call', within(1000))
  await gate.reserve(bob, 'next', cheap)
  await expect(gate.enter('main', 'next', within(holdMs * 3))).rejects.toThrow()
  await gate.charge(ada, 'long call', cheap)
  await gate.enter('main', 'next', within(1000))
})

test('gives a permit back while a retry waits, and lets it in again', async () => {
  const gate = create({ most: 1 })
  await gate.enter('main', 'retried', within(1000))
  await gate.leave('retried')
  await gate.enter('main', 'other', within(1000))
  await expect(gate.enter('main', 'retried', within(200))).rejects.toThrow()
  await gate.leave('other')
  await gate.enter('main', 'retried', within(1000))
})

test('frees the permit of a reservation that never became a call', async () => {
  const gate = create({ most: 1 })
  await gate.reserve(ada, 'left', cheap)
  await expect(gate.enter('main', 'next', within(holdMs * 10))).resolves.toBeUndefined()
})

test('does not take a permit that a reservation brought for granted once it is old', async () => {
  const gate = create({ most: 1 })
  await gate.reserve(ada, 'slow', cheap)
  await sleep(holdMs * 1.5)
  await create({ most: 1 }).enter('main', 'quick', within(1000))
  await expect(gate.enter('main', 'slow', within(200))).rejects.toThrow()
})

test('takes no permit along when the budget is used up', async () => {
  const gate = create({ most: 1, person: 10 })
  expect((await gate.reserve(ada, 'dear', { tokens: 11, micros: 0 })).kind).toBe('OVER')
  await gate.enter('main', 'next', within(1000))
})

test('gives the permit of a dead worker away soon', async () => {
  // A dead worker keeps nothing: only what it wrote is left.
  await store.redis.zadd('fl:{model}:places', Date.now() + holdMs, 'killed')
  await expect(create({ most: 1 }).enter('main', 'next', within(holdMs * 10))).resolves.toBeUndefined()
})

test('serves who waits in the order of coming, whichever process they wait in', async () => {
  const [one, other] = [create({ most: 1 }), create({ most: 1 })]
  await one.enter('main', 'running', within(1000))
  const order: string[] = []
  const waits: Promise<void>[] = []
  for (const [n, gate] of [other, one, other, other, one, one].entries()) {
    const id = `call ${n}`
    waits.push(
      gate.enter('main', id, within(20_000)).then(async () => {
        order.push(id)
        await gate.leave(id)
      }),
    )
    await sleep(60)
  }
  await one.leave('running')
  await Promise.all(waits)
  expect(order).toEqual(['call 0', 'call 1', 'call 2', 'call 3', 'call 4', 'call 5'])
})

test('asks Redis as often for a thousand waiting calls as for one', async () => {
  const countAsked = async (waiting: number): Promise<number> => {
    const gate = create({ most: 1 })
    await gate.enter('main', 'running', within(1000))
    const gone = new AbortController()
    const waits = Array.from({ length: waiting }, (_, n) =>
      gate.enter('main', `call ${n}`, gone.signal).catch(() => {}),
    )
    const before = await countScripts()
    await sleep(1000)
    const asked = (await countScripts()) - before
    gone.abort()
    await Promise.all(waits)
    await gate.leave('running')
    return asked
  }
  const alone = await countAsked(1)
  const crowd = await countAsked(1000)
  expect(alone).toBeGreaterThan(3)
  expect(crowd).toBeLessThan(alone * 3)
})

test('gives a permit that comes free to who waits in the same process at once', async () => {
  const gate = create({ most: 1 })
  const passes = 200
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: passes }, async (_, n) => {
      await gate.enter('main', `call ${n}`, within(20_000))
      await gate.leave(`call ${n}`)
    }),
  )
  // Asked for each 50 ms instead, it would take ten seconds.
  expect(performance.now() - startedAt).toBeLessThan(passes * 25)
})

test('lets others pass once a process that waited is gone', async () => {
  const gone = create({ most: 1 })
  await gone.enter('main', 'running', within(1000))
  const waits = gone.enter('main', 'never', AbortSignal.timeout(60_000))
  waits.catch(() => {})
  await expect.poll(async () => await store.redis.exists('fl:{model}:waiting')).toBe(1)
  gone.close()
  await store.redis.del('fl:{model}:places')
  await expect(create({ most: 1 }).enter('main', 'next', within(10_000))).resolves.toBeUndefined()
})

test('gives no permit that comes with a reservation past those who wait', async () => {
  const [one, other] = [create({ most: 1 }), create({ most: 1 })]
  await one.enter('main', 'running', within(1000))
  const waits = one.enter('main', 'first', within(5000))
  await expect.poll(async () => await store.redis.exists('fl:{model}:waiting')).toBe(1)
  await store.redis.del('fl:{model}:places')
  await other.reserve(ada, 'late', cheap)
  await waits
  await expect(other.enter('main', 'late', within(200))).rejects.toThrow()
})

test('leaves nothing in Redis once nobody waits and the last call is charged', async () => {
  const gate = create({ most: 1 })
  await gate.enter('main', 'running', within(1000))
  await expect(gate.enter('main', 'impatient', within(200))).rejects.toThrow()
  await gate.leave('running')
  await expect.poll(async () => await store.redis.keys('*')).toEqual([])
})

test('does not pause for one person, however often refused', async () => {
  const gate = create({})
  for (let n = 0; n < 8; n++) await gate.refused('main', 'web:ada', 60_000)
  await gate.refused('main', 'web:bob', 60_000)
  await expect(gate.enter('main', 'next', within(1000))).resolves.toBeUndefined()
})

test('pauses the role, and no other, that refused three people, and does not end a long pause for a short one', async () => {
  const gate = create({})
  for (const forMs of [60_000, 10]) {
    for (const who of ['web:ada', 'web:bob', 'web:cleo']) await gate.refused('main', who, forMs)
  }
  await gate.reserve(ada, 'eager', cheap)
  await expect(gate.enter('main', 'eager', within(300))).rejects.toThrow()
  await expect(gate.enter('fallback', 'other', within(1000))).resolves.toBeUndefined()
})

test('begins slowly after a pause', async () => {
  const gate = create({})
  for (const who of ['web:ada', 'web:bob', 'web:cleo']) await gate.refused('main', who, 100)
  const untilMs = Number(await store.redis.hget('fl:{model}:pause:main', 'until'))
  const entered: number[] = []
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await gate.enter('main', `call ${n}`, within(20_000))
      entered.push(Date.now() - untilMs)
    }),
  )
  expect(Math.min(...entered)).toBeGreaterThanOrEqual(0)
  // Four in the first second, twelve more in the next.
  expect(entered.filter((ms) => ms < 1000).length).toBeLessThanOrEqual(4)
  expect(entered.filter((ms) => ms < 2000).length).toBeLessThanOrEqual(16)
})

async function countScripts(): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await store.redis.info('commandstats'))?.[1])
}

// The gate to the model: reservations hold in every budget or in none, repeating a call changes nothing, and the whole fleet
// shares one number of places.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectKernel, type RedisClient } from '#queues/connection.ts'
import { createModelGate, type ModelGate } from '#queues/fleet/model-gate.ts'
import { createUnits } from '#queues/units.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'

let server: PrivateRedis
let redis: RedisClient

beforeAll(async () => {
  server = await startRedis()
  redis = connectKernel(server.url)
  await new Promise((resolve) => redis.once('ready', resolve))
})
beforeEach(async () => {
  await redis.flushall()
})
afterAll(async () => {
  redis.disconnect()
  await server[Symbol.asyncDispose]()
})

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
  const gate = createModelGate(createUnits(redis, { patienceMs: 1000 }), {
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
  await budgets.settle(ada, 'r1', { tokens: 30, micros: 3 })
  await budgets.settle(ada, 'r1', { tokens: 30, micros: 3 })
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
  const keys = (await redis.keys('*')).filter((key) => !key.endsWith(':places'))
  const ttls = await Promise.all(keys.map((key) => redis.ttl(key)))
  expect(keys).toHaveLength(1)
  expect(Math.min(...ttls)).toBeGreaterThan(3 * 86_400 - 60)
})

const within = (ms: number): AbortSignal => AbortSignal.timeout(ms)
const cheap = { tokens: 1, micros: 0 }

test('keeps the place of a call that lasts longer than the holding time, and gives it back when it is settled', async () => {
  const gate = create({ most: 1 })
  await gate.reserve(ada, 'long call', cheap)
  await gate.enter('long call', within(1000))
  await gate.reserve(bob, 'next', cheap)
  await expect(gate.enter('next', within(holdMs * 3))).rejects.toThrow()
  await gate.settle(ada, 'long call', cheap)
  await gate.enter('next', within(1000))
})

test('gives a place back while a retry waits, and lets it in again', async () => {
  const gate = create({ most: 1 })
  await gate.enter('retried', within(1000))
  await gate.leave('retried')
  await gate.enter('other', within(1000))
  await expect(gate.enter('retried', within(200))).rejects.toThrow()
  await gate.leave('other')
  await gate.enter('retried', within(1000))
})

test('frees the place of a reservation that never became a call', async () => {
  const gate = create({ most: 1 })
  await gate.reserve(ada, 'left', cheap)
  await expect(gate.enter('next', within(holdMs * 10))).resolves.toBeUndefined()
})

test('does not take a place that a reservation brought for granted once it is old', async () => {
  const gate = create({ most: 1 })
  await gate.reserve(ada, 'slow', cheap)
  await sleep(holdMs * 1.5)
  await create({ most: 1 }).enter('quick', within(1000))
  await expect(gate.enter('slow', within(200))).rejects.toThrow()
})

test('takes no place along when the budget is used up', async () => {
  const gate = create({ most: 1, person: 10 })
  expect((await gate.reserve(ada, 'dear', { tokens: 11, micros: 0 })).kind).toBe('OVER')
  await gate.enter('next', within(1000))
})

test('gives the place of a dead worker away soon', async () => {
  // A dead worker keeps nothing: only what it wrote is left.
  await redis.zadd('fl:{model}:places', Date.now() + holdMs, 'killed')
  await expect(create({ most: 1 }).enter('next', within(holdMs * 10))).resolves.toBeUndefined()
})

test('holds everyone back while a pause lasts, and does not end a long one for a short one', async () => {
  const gate = create({})
  await gate.pause(60_000)
  await gate.pause(10)
  await gate.reserve(ada, 'eager', cheap)
  await expect(gate.enter('eager', within(200))).rejects.toThrow()
})

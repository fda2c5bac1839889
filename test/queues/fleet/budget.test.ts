// Daily budgets: reservations hold in every budget or in none, and repeating a call changes nothing.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectKernel, type RedisClient } from '#queues/connection.ts'
import { createBudgets } from '#queues/fleet/budget.ts'
import { createUnits } from '#queues/kernel/units.ts'
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

function create(limits: { person?: number; chat?: number; total?: number; micros?: number }) {
  const of = (tokens = 0) => ({ tokens, micros: limits.micros ?? 0 })
  const call = createUnits(redis, { patienceMs: 1000 })
  return createBudgets(call, { person: of(limits.person), chat: of(limits.chat), total: of(limits.total) })
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
  const keys = await redis.keys('*')
  const ttls = await Promise.all(keys.map((key) => redis.ttl(key)))
  expect(keys).toHaveLength(3)
  expect(Math.min(...ttls)).toBeGreaterThan(3 * 86_400 - 60)
})

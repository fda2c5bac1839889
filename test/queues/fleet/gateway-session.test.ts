// What a Discord shard keeps of its session in Redis, however many channels it has seen.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectKernel, type RedisClient } from '#queues/connection.ts'
import { createGatewayStore, type GatewayStore, type Seen } from '#queues/fleet/gateway-session.ts'
import { createUnits } from '#queues/units.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'

let server: PrivateRedis
let redis: RedisClient
let store: GatewayStore
beforeAll(async () => {
  server = await startRedis()
  redis = connectKernel(server.url)
  if (redis.status !== 'ready') await once(redis, 'ready')
  store = createGatewayStore(createUnits(redis, { patienceMs: 10_000 }), 'gateway-discord-1-0')
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})

const session = { sessionId: 's', resumeUrl: 'wss://gateway.example.org', shardCount: 1, sequence: 1 }
const many = (count: number): Seen =>
  new Map(Array.from({ length: count }, (_, i) => [String(1_000_000 + i), '1300000000000000000 guild in 5']))

test('tells a new session of every channel that was ever seen, and forgets any of them', async () => {
  const seen = many(12_345)
  await store.open(session)
  await store.advance('s', 2, seen)
  const stored = await store.load()
  expect(stored.session).toEqual({ ...session, sequence: 2 })
  expect(stored.seen).toEqual(seen)
  await store.forget([...seen.keys()].slice(1))
  expect([...(await store.load()).seen.keys()]).toEqual(['1000000'])
})

test('knows nothing of a shard that never ran', async () => {
  const fresh = createGatewayStore(createUnits(redis, { patienceMs: 10_000 }), 'gateway-discord-1-1')
  expect(await fresh.load()).toEqual({ session: undefined, seen: new Map() })
})

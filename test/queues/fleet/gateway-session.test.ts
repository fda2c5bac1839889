// What a Discord shard keeps of its session in Redis, however many channels it has seen.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGatewayStore, type GatewayStore, type Seen } from '#queues/fleet/gateway-session.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
let sessions: GatewayStore
beforeAll(async () => {
  store = await openStore()
  sessions = createGatewayStore(store.call, 'gateway-discord-1-0')
})
afterAll(() => store.stop())

const session = { sessionId: 's', resumeUrl: 'wss://gateway.example.org', shardCount: 1, sequence: 1 }
const many = (count: number): Seen =>
  new Map(Array.from({ length: count }, (_, i) => [String(1_000_000 + i), '1300000000000000000 guild in 5']))

test('tells a new session of every channel that was ever seen, and forgets any of them', async () => {
  const seen = many(12_345)
  await sessions.open(session)
  await sessions.advance('s', 2, seen)
  const stored = await sessions.load()
  expect(stored.session).toEqual({ ...session, sequence: 2 })
  expect(stored.seen).toEqual(seen)
  await sessions.forget([...seen.keys()].slice(1))
  expect([...(await sessions.load()).seen.keys()]).toEqual(['1000000'])
})

test('knows nothing of a shard that never ran', async () => {
  const fresh = createGatewayStore(store.call, 'gateway-discord-1-1')
  expect(await fresh.load()).toEqual({ session: undefined, seen: new Map() })
})

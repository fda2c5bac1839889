// One message's way on a Redis Cluster of three nodes: every unit stays in one slot, every queue in one of its own.
import { expect, test } from 'vitest'
import { startFleet } from '#test/rig/fleet.ts'
import { startCluster } from '#test/rig/redis-cluster.ts'

test('answers, stops and counts spending on a three-node cluster', async () => {
  await using cluster = await startCluster()
  await using fleet = await startFleet({ redisUrl: cluster.url })
  const rooms = Array.from({ length: 12 }, (_, i) => ({ conversation: `web:c${i}` }))
  const replies = await Promise.all(rooms.map((room) => fleet.ask(`what is ${room.conversation}?`, room)))
  for (const [i, reply] of replies.entries()) expect(reply.text).toContain(`echo: what is web:c${i}?`)
  expect((await fleet.ask('/status', { slash: 'status', conversation: 'web:c0' })).text).toMatch(/Today, you: \d+/)
}, 60_000)

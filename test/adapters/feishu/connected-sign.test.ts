// Facts about the sign that somebody is connected: there while one is, and left by nobody who is not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toConnectedSign } from '#adapters/feishu/ids.ts'
import { isLeaseHeld } from '#queues/fleet/lease.ts'
import { until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

test('whoever is connected leaves a sign, which runs out by itself', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const name = toConnectedSign(rig.feishu.appId)
  await until(async () => ((await isLeaseHeld(server.admin, name)) ? true : undefined))
  const leftMs = await server.admin.pttl(`fl:{${name}}`)
  expect(leftMs).toBeGreaterThan(0)
  expect(leftMs).toBeLessThanOrEqual(60_000)
})

test('who runs and is refused a connection leaves none', async () => {
  await using rig = await openFeishuRig(server)
  rig.feishu.fault({
    when: { route: 'getConnectUrl' },
    fault: { kind: 'error', accepted: false, status: 200, code: 514, message: 'auth failed' },
  })
  const stop = rig.run()
  await rig.feishu.until(() =>
    rig.feishu.ledger.entries.find(({ route, code }) => route === 'getConnectUrl' && code === 514),
  )
  await stop()
  expect(await isLeaseHeld(server.admin, toConnectedSign(rig.feishu.appId))).toBe(false)
})

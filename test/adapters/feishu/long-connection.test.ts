// Facts about the connection by which events come: whoever is refused one hears why at once, and is connected soon after it is given.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

test.each([
  ['the app has as many as it may', 1_000_040_350, /as many of them as it may/],
  ['events are to be pushed', 514, /persistent connection/],
  ['nobody knows why', 9, /gives no long connection \(9\)/],
])('where %s, that is told once, and it is asked for again', async (_, code, words) => {
  await using rig = await openFeishuRig(server)
  rig.feishu.fault({
    when: { route: 'getConnectUrl' },
    times: 3,
    fault: { kind: 'error', accepted: false, status: 200, code, message: 'no' },
  })
  await rig.start()
  expect(rig.said).toEqual([expect.stringMatching(words)])
  const ada = rig.feishu.person('Ada')
  ada.say(ada.dm, 'heard')
  expect(await rig.waitForEvents(rig.direct('Ada'), 1)).toMatchObject([{ text: 'heard' }])
})

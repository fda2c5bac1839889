// Whatever comes over the long connection, or is said of it: it costs no memory and no tight loop, and the next event is taken.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { encodeFrame } from '#test/simulators/feishu/frames.ts'
import { openFeishuRig, type FeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const json = 'application/json'
const toFrame = (headers: Record<string, string>, payload: string | Buffer, method = 1): Buffer =>
  encodeFrame({ seqId: 0, logId: 0, service: 33_554_678, method, headers, payload: Buffer.from(payload) })
const toPart = (id: string, sum: number, payload: Buffer, seq = 0): Buffer =>
  toFrame({ type: 'event', message_id: id, trace_id: id, sum: String(sum), seq: String(seq) }, payload)

async function expectToHear(rig: FeishuRig, text: string): Promise<void> {
  const ada = rig.feishu.person('Ada')
  ada.say(ada.dm, text)
  await until(async () =>
    (await rig.events(rig.direct('Ada'))).some((one) => 'text' in one && one.text === text) ? true : undefined,
  )
}

test.each([
  ['null', 'null'],
  ['a page', '<!doctype html>'],
  ['an address without waits', '{"code":0,"msg":"","data":{"URL":"ws://127.0.0.1:1/"}}'],
  ['a refusal for now', '{"code":1000040343,"msg":"internal"}'],
])(
  'who is given %s in place of an address asks again within seconds',
  async (_, body) => {
    await using rig = await openFeishuRig(server)
    rig.feishu.fault({ when: { route: 'getConnectUrl' }, times: 1, fault: { kind: 'odd', type: json, body } })
    await rig.start()
    await expectToHear(rig, 'hello')
  },
  20_000,
)

test.each([
  '{}',
  '{"PingInterval":0,"ReconnectInterval":0,"ReconnectNonce":0}',
  '{"PingInterval":"x","ReconnectInterval":-1}',
])('an address that leads nowhere, with waits of %s, is not asked for in a tight loop', async (config) => {
  await using rig = await openFeishuRig(server, { channel: { backOff: { firstMs: 1000, maxMs: 60_000 } } })
  const body = `{"code":0,"msg":"","data":{"URL":"ws://127.0.0.1:1/","ClientConfig":${config}}}`
  rig.feishu.fault({ when: { route: 'getConnectUrl' }, fault: { kind: 'odd', type: json, body } })
  rig.run()
  await rig.feishu.ledger.waitFor(({ route }) => route === 'getConnectUrl')
  await sleep(1000)
  expect(rig.feishu.ledger.of('getConnectUrl').length).toBeLessThan(4)
})

test('pongs that say nothing, or no waits, make nobody ping without end', async () => {
  await using rig = await openFeishuRig(server, { simulator: { pingIntervalS: 1 } })
  await rig.start()
  for (const payload of ['{}', 'null', '7', '{"PingInterval":0}', '{"PingIn', '', '{}']) {
    rig.feishu.sendBytes(toFrame({ type: 'pong' }, payload, 0))
    await sleep(300)
  }
  expect(rig.feishu.ledger.connections.filter(({ kind }) => kind === 'ping').length).toBeLessThan(6)
  await expectToHear(rig, 'hello')
})

test('an event in more frames than there is memory for is no event', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const beganMs = performance.now()
  for (const sum of [4_294_967_295, 50_000_000, 101])
    rig.feishu.sendBytes(toPart(`vast ${sum}`, sum, Buffer.from('{}')))
  rig.feishu.sendBytes(toPart('giant', 1, Buffer.alloc(9_000_000, '[')))
  await expectToHear(rig, 'hello')
  expect(performance.now() - beganMs).toBeLessThan(5000)
})

test('events that never end take so much memory and no more', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const sendInTwo = (id: string): void => {
    rig.feishu.sendBytes(toPart(id, 2, Buffer.from('{'), 0))
    rig.feishu.sendBytes(toPart(id, 2, Buffer.from('}'), 1))
  }
  sendInTwo('before')
  await until(async () => (rig.ignored.includes('malformed') ? true : undefined))
  const part = Buffer.alloc(4_000_000, 'x')
  for (let i = 0; i < 17; i++) rig.feishu.sendBytes(toPart(`endless ${i}`, 2, part))
  sendInTwo('after')
  await expectToHear(rig, 'hello')
  expect(rig.ignored).toEqual(['malformed'])
}, 20_000)

test('bytes that are no frame, and frames that are no event, are nothing', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const strange = [
    Buffer.alloc(0),
    Buffer.from('hello'),
    Buffer.alloc(1000, 0xff),
    toFrame({}, ''),
    toFrame({ type: 'event' }, '{}'),
    toPart('a', 1, Buffer.from('null')),
    toPart('b', 1, Buffer.from('[]')),
    toPart('c', 1, Buffer.from('"x"')),
    toPart('d', 1, Buffer.from('{"schema":"2.0","header":null,"event":7}')),
    toPart('e', 1, Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0xff])),
    toPart('f', 1, Buffer.from(`{"schema":"2.0","event":${'['.repeat(400_000)}${']'.repeat(400_000)}}`)),
    toPart('g', 1, Buffer.from('[')),
    toPart('h', -1, Buffer.from('{}')),
    toPart('i', 2, Buffer.from('{}'), 7),
  ]
  for (const bytes of strange) rig.feishu.sendBytes(bytes)
  await expectToHear(rig, 'hello')
})

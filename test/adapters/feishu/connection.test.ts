// Facts about the long connection and the token: begun again when Feishu or the SDK gives up, shared by several processes, stopped in order.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '#test/rig/channel-rig.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFeishuRig, type FeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const textsOf = async (rig: FeishuRig, name = 'Ada'): Promise<string[]> =>
  (await rig.events(rig.direct(name))).flatMap((event) => (event.kind === 'message' ? [event.text] : []))

test.each([
  ['the connection is dropped', (rig: FeishuRig) => rig.feishu.dropConnections()],
  ['Feishu closes it', (rig: FeishuRig) => rig.feishu.closeConnections(1001)],
] as const)('hears again after %s', async (_, end) => {
  await using rig = await openFeishuRig(server, { simulator: { reconnectIntervalS: 1 } })
  await rig.start()
  end(rig)
  const ada = rig.feishu.person('Ada')
  ada.say(ada.dm, 'meanwhile')
  await rig.waitForEvents(rig.direct('Ada'), 1)
  expect(await textsOf(rig)).toEqual(['meanwhile'])
})

test('tries again where Feishu refuses the connection for good, and says it once', async () => {
  await using rig = await openFeishuRig(server)
  const refusal = { kind: 'error', status: 200, code: 1, message: 'system busy' } as const
  rig.feishu.fault({ when: { route: 'getConnectUrl' }, times: 4, fault: refusal })
  await rig.start()
  expect(rig.feishu.ledger.of('getConnectUrl').length).toBeGreaterThan(4)
  expect(rig.said.filter((text) => text.includes('long connection'))).toHaveLength(1)
})

test('two processes share what comes, each event once', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  rig.run(rig.another())
  await until(async () => (rig.feishu.connected().length === 2 ? true : undefined))
  const people = Array.from({ length: 12 }, (_, i) => rig.feishu.person(`Person ${i}`))
  for (const person of people) for (const n of [1, 2, 3]) person.say(person.dm, `message ${n}`)
  for (const { name } of people) await rig.waitForEvents(rig.direct(name), 3)
  const used = new Set(rig.feishu.ledger.deliveries.map(({ connection }) => connection))
  expect(used.size).toBe(2)
  for (const { name } of people)
    expect((await textsOf(rig, name)).toSorted()).toEqual(['message 1', 'message 2', 'message 3'])
})

test('all processes use one token, and get another where Feishu takes it no more', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const others = [rig.another(), rig.another()]
  for (const other of others) rig.run(other)
  await until(async () => (rig.feishu.connected().length === 3 ? true : undefined))
  expect(rig.feishu.ledger.of('getTenantToken')).toHaveLength(1)
  rig.feishu.revokeTokens()
  await rig.queue(rig.direct('Ada'), [toBody('one'), toBody('two')])
  await rig.deliver(rig.direct('Ada'))
  expect(rig.feishu.visible(rig.feishu.person('Ada').dm).map(({ text }) => text)).toEqual(['one', 'two'])
  expect(rig.feishu.ledger.of('getTenantToken')).toHaveLength(2)
})

test('a wrong secret is told with what to do, and no message is lost by it', async () => {
  await using rig = await openFeishuRig(server, { channel: { appSecret: 'another-secret' } })
  rig.run()
  await until(async () => (rig.said.length > 0 ? true : undefined))
  expect(rig.said[0]).toContain('FEISHU_APP_SECRET')
  await rig.queue(rig.direct('Ada'), [toBody('patient')])
  await rig.deliver(rig.direct('Ada'))
  expect(rig.waits.at(-1)).toBeGreaterThan(10_000)
})

test('counts the calls of the month for all processes, and says when they run out', async () => {
  await using rig = await openFeishuRig(server, { channel: { monthlyCalls: 10 } })
  const stop = await rig.start()
  await rig.queue(
    rig.direct('Ada'),
    Array.from({ length: 8 }, (_, i) => toBody(`message ${i}`)),
  )
  await until(async () => {
    await rig.deliver(rig.direct('Ada'))
    return rig.feishu.visible(rig.feishu.person('Ada').dm).length === 8 ? true : undefined
  })
  await stop()
  const [key = ''] = await server.admin.keys('fl:{app-feishu-*')
  const counted = Number(await server.admin.hget(key, 'calls'))
  // Asking for the token and for the connection is free of charge.
  expect(counted).toBeGreaterThanOrEqual(rig.feishu.usedThisMonth())
  expect(rig.said.join('\n')).toMatch(/of 10 calls of Feishu are used this month/)
})

test('what is forwarded comes along as others’ words, and is no order', async () => {
  await using rig = await openFeishuRig(server, { findMode: async () => 'always' })
  await rig.start()
  const [ada, bo] = [rig.feishu.person('Ada'), rig.feishu.person('Bo')]
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  const words = [bo.say(chat, '/stop'), bo.say(chat, 'see you')]
  ada.forward(chat, words)
  const [, , event] = await rig.waitForEvents(`feishu:${chat}`, 3)
  expect(event).toMatchObject({
    text: '',
    addressed: false,
    quoted: [
      { how: 'forward', text: '/stop' },
      { how: 'forward', text: 'see you' },
    ],
  })
  expect(event).not.toHaveProperty('command')
})

test('an edit is one, where Feishu tells of it', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const ada = rig.feishu.person('Ada')
  const id = ada.say(ada.dm, 'helo')
  ada.edit(ada.dm, id, 'hello')
  expect(await rig.waitForEvents(rig.direct('Ada'), 2)).toMatchObject([
    { kind: 'message', text: 'helo' },
    { kind: 'edit', text: 'hello', messageId: id },
  ])
})

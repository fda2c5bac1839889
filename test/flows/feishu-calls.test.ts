// The month's calls of Feishu through the whole fleet: counted as Feishu counts them, and told to owners there, and to nobody else.
import { expect, test } from 'vitest'
import { toAccountName } from '#adapters/feishu/ids.ts'
import { toMonth } from '#queues/fleet/app-account.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { until } from '#test/rig/fleet.ts'

const line = /Calls of Feishu this month: (\d+) of 1000 \((\d+) %\)(.*)/

async function open(calls: string) {
  const feishu = await startFeishu()
  const env = { FEISHU_CALLS: calls, FLOTILLA_ALLOW: '*', FLOTILLA_LANGUAGE: 'en' }
  const fleet = await startChatFleet([feishu], { owner: 'Olga', env })
  return {
    feishu,
    fleet,
    account: `fl:{${toAccountName(feishu.feishu.appId)}}`,
    status: async (who: string) => (await feishu.direct(who).answerTo(who, '/status')).text,
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]()
      await feishu[Symbol.asyncDispose]()
    },
  }
}

test('owners are told the calls of this month, with a warning from four fifths on; others are not', async () => {
  await using house = await open('1000,6')
  const { fleet, account, status } = house
  const [, made] = line.exec(await status('Olga')) ?? []
  expect(Number(made)).toBeLessThan(20)
  expect(await status('Mia')).not.toContain('Feishu')
  await fleet.redis.cli('HSET', account, 'month', toMonth(Date.now()), 'calls', '790')
  expect(line.exec(await status('Olga'))?.[3]).toBe('')
  await fleet.redis.cli('HSET', account, 'calls', '800')
  expect(line.exec(await status('Olga'))?.[3]).toContain('see FEISHU_CALLS')
  expect(await fleet.ask('/status', { slash: 'status' })).not.toHaveProperty('text', expect.stringContaining('Feishu'))
})

test('without a limit nothing is said of it', async () => {
  await using house = await open('0,6')
  expect(await house.status('Olga')).not.toContain('Feishu')
})

test('what is counted is what Feishu counts, but for the token', async () => {
  await using house = await open('1000,6')
  const { feishu, fleet, account, status } = house
  await status('Olga')
  await status('Mia')
  const { entries } = feishu.feishu.ledger
  const own = () => entries.filter(({ route }) => route !== 'getConnectUrl').length
  await until(async () => Number(await fleet.redis.cli('HGET', account, 'calls')) === own())
  expect(feishu.feishu.usedThisMonth()).toBe(entries.filter(({ route }) => !/getConnectUrl|Token/.test(route)).length)
})

test('what one member of a group can spend by commands is bounded, and others are answered as before', async () => {
  await using house = await open('10000,6')
  const { feishu } = house
  const group = feishu.group({ by: 'Olga' })
  await group.answerTo('Olga', '/help')
  const before = feishu.feishu.usedThisMonth()
  for (let n = 0; n < 60; n++) group.ask('Mia', `/help ${n}`)
  const asked = group.ask('Bob', '/status')
  expect((await group.replyTo(asked)).text).not.toBe('')
  await group.hear('That was a lot', 25_000)
  const told = group.said().filter(({ text }) => text.startsWith('That was a lot'))
  expect(told).toHaveLength(1)
  expect(feishu.feishu.usedThisMonth() - before).toBeLessThan(40)
  expect((await group.answerTo('Olga', '/help')).text).toContain('/new')
})

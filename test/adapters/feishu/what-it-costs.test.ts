// Facts about the calls that events cause: a tenant without a plan has ten thousand a month, and the talk of others is most of what a group brings.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAppToken } from '#adapters/feishu/app-token.ts'
import { createLookups } from '#adapters/feishu/lookups.ts'
import { createRestApi } from '#adapters/feishu/rest-api.ts'
import { createAppAccount } from '#queues/fleet/app-account.ts'
import { createNotes } from '#queues/fleet/notes.ts'
import { say, until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFeishuRig, type FeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const calls = ({ feishu }: FeishuRig, ...routes: readonly string[]): number =>
  routes.flatMap((route) => feishu.ledger.of(route)).length

test('the talk of others in a group takes no call, replies to each other included', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const chat = rig.feishu.addGroup({ owner: 'Ada', members: ['Bo'] })
  const [ada, bo] = [rig.feishu.person('Ada'), rig.feishu.person('Bo')]
  for (let i = 0; i < 5; i++) bo.say(chat, `no, ${i}`, { replyTo: ada.say(chat, `yes, ${i}`) })
  const events = await rig.waitForEvents(`feishu:${chat}`, 10)
  expect(events[1]).toMatchObject({ addressed: false, replyTo: { fromBot: false } })
  expect(calls(rig, 'getMessage', 'getUser')).toBe(0)
})

test('where the bot answers everything, it reads what is quoted', async () => {
  await using rig = await openFeishuRig(server, { findMode: async () => 'always' })
  await rig.start()
  const chat = rig.feishu.addGroup({ owner: 'Ada', members: ['Bo'] })
  const [ada, bo] = [rig.feishu.person('Ada'), rig.feishu.person('Bo')]
  bo.say(chat, 'no', { replyTo: ada.say(chat, 'yes') })
  const events = await rig.waitForEvents(`feishu:${chat}`, 2)
  expect(events[1]).toMatchObject({ name: 'Bo', replyTo: { fromBot: false, text: 'yes', author: 'Ada' } })
})

test('another process knows an answer of the bot without asking: a reply is for it, a thumb costs nothing', async () => {
  await using rig = await openFeishuRig(server)
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  const ada = rig.feishu.person('Ada')
  await rig.queue(`feishu:${chat}`, [say('An answer.')])
  await rig.deliver(`feishu:${chat}`)
  const answer = rig.feishu.visible(chat)[0]?.id ?? ''
  rig.run(rig.another())
  await rig.feishu.ledger.waitForConnection(({ kind }) => kind === 'ping')
  const words = ada.say(chat, 'among us')
  ada.react(chat, words, 'THUMBSUP')
  ada.react(chat, answer, 'THUMBSUP')
  await rig.waitForEvents(`feishu:${chat}`, 2)
  expect(calls(rig, 'getMessage')).toBe(0)
  ada.say(chat, 'really?', { replyTo: answer })
  const events = await rig.waitForEvents(`feishu:${chat}`, 3)
  expect(events.slice(1)).toMatchObject([
    { kind: 'reaction', messageId: answer, emoji: ['👍'] },
    { kind: 'message', addressed: true, replyTo: { fromBot: true, text: 'An answer.' } },
  ])
})

/** Lookups with a clock of their own. */
function openLookups(rig: FeishuRig, now: () => number) {
  const { appId, appSecret, apiRoot: domain } = rig.feishu
  const app = { appId, appSecret, domain }
  const token = createAppToken(app, { account: createAppAccount(rig.call, 'app-feishu-test'), count: () => {} })
  const api = createRestApi(app, { token, count: () => {} })
  const notes = createNotes(rig.call, 'feishu')
  return createLookups({ api, notes, now, monthlyCalls: 10_000, say: (text) => void rig.said.push(text) })
}
const hourMs = 3_600_000

test('a name that is not told is asked for once a day', async () => {
  await using rig = await openFeishuRig(server)
  const { openId } = rig.feishu.person('Ada')
  rig.feishu.deny('contact:user.base:readonly')
  let nowMs = 0
  const lookups = openLookups(rig, () => nowMs)
  for (let hour = 0; hour < 48; hour++, nowMs += hourMs) expect(await lookups.names.find(openId)).toBeUndefined()
  expect(calls(rig, 'getUser')).toBe(2)
})

test('who is outside of the range of contacts is asked for once', async () => {
  await using rig = await openFeishuRig(server)
  const { openId } = rig.feishu.person('Ada')
  rig.feishu.setContact('Ada', false)
  let nowMs = 0
  const lookups = openLookups(rig, () => nowMs)
  for (let hour = 0; hour < 72; hour++, nowMs += hourMs) expect(await lookups.names.find(openId)).toBeUndefined()
  expect(calls(rig, 'getUser')).toBe(1)
})

test('the names of many new people at once are asked for one after the other, and known in the end', async () => {
  await using rig = await openFeishuRig(server)
  const people = Array.from({ length: 120 }, (_, i) => rig.feishu.person(`X${i}`).openId)
  const lookups = openLookups(rig, () => performance.now())
  await Promise.all(people.map((id) => lookups.names.find(id)))
  await until(async () => (people.every((id) => lookups.names.peek(id) !== undefined) ? true : undefined))
  expect(rig.feishu.ledger.of('getUser').filter(({ code }) => code !== 0)).toEqual([])
})

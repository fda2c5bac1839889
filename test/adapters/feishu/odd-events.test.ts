// Events of every odd shape: none is taken for what it is not, none takes down the process or parks the conversation, and what can be
// understood of a message is.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unknownKind } from '#shared/chat/quotation.ts'
import { createIntake, type Item } from '#adapters/feishu/intake.ts'
import { until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { encodeFrame } from '#test/simulators/feishu/frames.ts'
import { openFeishuRig, type FeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

let count = 0
/** A message in a group, with these fields of its own. */
function toMessage({ feishu }: FeishuRig, fields: Readonly<Record<string, unknown>> = {}) {
  count += 1
  const sender = { sender_id: { open_id: feishu.person('Ada').openId }, sender_type: 'user', tenant_key: 't' }
  const usual = {
    message_id: `om_${count}`,
    create_time: String(Date.now()),
    chat_id: `oc_${count}`,
    chat_type: 'group',
    message_type: 'text',
    content: `{"text":"hi ${count}"}`,
  }
  return { sender, message: { ...usual, ...fields } }
}

async function say(rig: FeishuRig, fields: Readonly<Record<string, unknown>>) {
  const event = toMessage(rig, fields)
  rig.feishu.inject('im.message.receive_v1', event)
  const [found] = await rig.waitForEvents(`feishu:${event.message.chat_id}`, 1)
  return found
}

async function open(): Promise<FeishuRig> {
  const rig = await openFeishuRig(server, { simulator: { limits: 'off' } })
  await rig.start()
  return rig
}

test.each(['9999999999999999', '8700000000000000', '99999999999999999999', '-5', '', 'now', '1e3'])(
  'a message of the time %s was said when it came',
  async (time) => {
    await using rig = await open()
    const beforeMs = Date.now()
    const found = await say(rig, { create_time: time })
    expect(found?.at).toBeGreaterThanOrEqual(beforeMs)
    expect(found?.at).toBeLessThanOrEqual(Date.now())
  },
)

test('a time that is a number is one', async () => {
  await using rig = await open()
  expect(await say(rig, { create_time: 1_700_000_000_000 })).toMatchObject({ at: 1_700_000_000_000 })
})

test('one mention that cannot be read, or too many, take the bot’s along with them no more', async () => {
  await using rig = await open()
  const bot = { key: '@_user_1', id: { open_id: rig.feishu.bot.openId }, name: 'Flotilla' }
  const others: unknown[] = [
    { key: '@_user_2', id: { open_id: 'ou_2' }, name: null },
    { key: 'x', id: 7, name: 'X' },
    null,
    'x',
    ...Array.from({ length: 900 }, (_, i) => ({ key: `@_user_${i + 3}`, id: { open_id: `ou_${i}` }, name: `N${i}` })),
  ]
  const content = '{"text":"@_user_1 @_user_3 hello"}'
  expect(await say(rig, { content, mentions: [bot, ...others] })).toMatchObject({ addressed: true, text: '@N0 hello' })
})

test('a name is not read into a longer one that begins like it', async () => {
  await using rig = await open()
  const bot = { key: '@_user_1', id: { open_id: rig.feishu.bot.openId }, name: 'Flotilla' }
  const others = [2, 10, 11, 100].map((n) => ({ key: `@_user_${n}`, id: { open_id: `ou_${n}` }, name: `N${n}` }))
  const content = '{"text":"@_user_10 and @_user_100, @_user_11 @_user_1 hello @_user_2"}'
  for (const mentions of [
    [bot, ...others],
    [...others, bot],
  ])
    expect(await say(rig, { content, mentions })).toMatchObject({
      addressed: true,
      text: expect.stringMatching(/^@N10 and @N100, @N11 {1,2}hello @N2$/),
    })
})

const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
test.each([
  ['no JSON', 'text', '{"te', { text: '' }],
  ['no text', 'text', '{"text":null}', { text: '' }],
  ['half a sign', 'text', '{"text":"\\ud800x\\udc00"}', { text: '\ufffdx\ufffd' }],
  ['lists in lists', 'post', `{"content":${deep(100_000)}}`, { text: '' }],
  ['a megabyte of blanks', 'text', `{"text":"${' '.repeat(1_000_000)}x"}`, { text: 'x' }],
  ['a megabyte of words', 'text', `{"text":"${'a'.repeat(1_000_000)}"}`, { truncated: true }],
  ['a megabyte of names', 'text', `{"text":"${'@_user_1 '.repeat(110_000)}"}`, { truncated: true }],
])('%s in a message of type %s', async (_, type, content, becomes) => {
  await using rig = await open()
  expect(await say(rig, { message_type: type, content })).toMatchObject(becomes)
})

test('of a hundred thousand pictures the first are kept', async () => {
  await using rig = await open()
  const cells = Array.from({ length: 100_000 }, () => [{ tag: 'img' }])
  const found = await say(rig, { message_type: 'post', content: JSON.stringify({ title: 't', content: cells }) })
  expect(found).toMatchObject({ text: 't', media: expect.objectContaining({ length: 50 }) })
})

test('kinds and ids that are none are left out', async () => {
  await using rig = await open()
  const odd = [
    { message_type: 'system' },
    { message_type: 'x'.repeat(1000) },
    { chat_id: 'oc:room' },
    { chat_id: '' },
    { message_id: 'om_1/2' },
    { message_id: 7 },
    { content: { text: 'x' } },
  ]
  for (const fields of odd) rig.feishu.inject('im.message.receive_v1', toMessage(rig, fields))
  await until(async () => (rig.ignored.length === odd.length ? true : undefined))
  expect(new Set(rig.ignored)).toEqual(new Set(['service', 'malformed']))
  expect(await say(rig, {})).toMatchObject({ kind: 'message' })
})

test.each(['__proto__', 'constructor', 'hologram'])('a kind called %s is content of an unknown kind', async (kind) => {
  await using rig = await open()
  expect(await say(rig, { message_type: kind })).toMatchObject({ text: '', media: [{ kind: unknownKind }] })
})

test('a press that carries lists in lists is a press of nothing', async () => {
  await using rig = await open()
  const value = `${'{"a":'.repeat(50_000)}7${'}'.repeat(50_000)}`
  const header = `{"event_id":"deep","event_type":"card.action.trigger","app_id":"${rig.feishu.appId}"}`
  const context = '{"open_message_id":"om_1","open_chat_id":"oc_1"}'
  const event = `{"operator":{"open_id":"ou_1"},"action":{"tag":"button","value":${value}},"context":${context}}`
  const payload = Buffer.from(`{"schema":"2.0","header":${header},"event":${event}}`)
  const headers = { type: 'event', message_id: 'deep', trace_id: 'deep', sum: '1', seq: '0' }
  rig.feishu.sendBytes(encodeFrame({ seqId: 0, logId: 0, service: 33_554_678, method: 1, headers, payload }))
  await rig.feishu.ledger.waitFor(({ route }) => route === 'getUser')
  expect(await say(rig, {})).toMatchObject({ kind: 'message' })
})

test('whoever floods one conversation keeps nobody else out', async () => {
  const counted: string[] = []
  const intake = createIntake({ say: () => {}, count: (reason) => void counted.push(reason) })
  const never = Promise.withResolvers<void>()
  const toItem = (cause: string, n: number, bytes = 100): Item => ({
    key: `${cause} ${n}`,
    lane: `${cause} ${n}`,
    cause,
    bytes,
    take: () => never.promise,
  })
  const push = async (item: Item): Promise<boolean> => {
    const before = counted.length
    intake.push(item).catch(() => {})
    return await Promise.resolve(counted.length === before)
  }
  const taken = await Promise.all(Array.from({ length: 800 }, (_, n) => push(toItem('flood', n))))
  expect(taken.filter(Boolean)).toHaveLength(500)
  const large = await Promise.all(Array.from({ length: 100 }, (_, n) => push(toItem('large', n, 300_000))))
  expect(large.filter(Boolean)).toHaveLength(27)
  expect(await push(toItem('other', 0))).toBe(true)
  never.resolve()
  await until(async () => ((await push(toItem('flood', 900))) ? true : undefined))
  await intake.end()
})

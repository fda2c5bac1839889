// Facts about the limits of the simulated Feishu and about what goes wrong on demand between the bot and its server API.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { card, startRig, type Rig } from './feishu-bot.ts'

const text = { text: 'x' }

/** A call without the SDK, of which the test sees every byte. */
async function post(rig: Rig, content: string, signal?: AbortSignal): Promise<Response> {
  const { appId, appSecret, apiRoot } = rig.feishu
  const json = { 'content-type': 'application/json' }
  const asked = await fetch(`${apiRoot}/open-apis/auth/v3/tenant_access_token/internal`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ app_id: appId, app_secret: appSecret }),
  })
  const { tenant_access_token: token } = z.looseObject({ tenant_access_token: z.string() }).parse(await asked.json())
  return await fetch(`${apiRoot}/open-apis/im/v1/messages?receive_id_type=chat_id`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify({ receive_id: rig.group, msg_type: 'text', content: JSON.stringify({ text: content }) }),
    ...(signal === undefined ? {} : { signal }),
  })
}

test('takes five messages a second in a chat, then 230020', async () => {
  await using rig = await startRig()
  for (let n = 0; n < 5; n++) await rig.send('text', text)
  expect(await rig.refusal(rig.send('text', text))).toMatchObject({ status: 400, code: 230_020 })
  await rig.send('text', text, rig.feishu.addGroup())
  rig.feishu.advance(1000)
  await rig.send('text', text)
  expect(rig.feishu.visible(rig.group)).toHaveLength(6)
})

test('counts what is said in a topic with its chat', async () => {
  await using rig = await startRig()
  const { message_id: root } = await rig.send('text', text)
  const said = { msg_type: 'text', content: JSON.stringify(text), reply_in_thread: true }
  const reply = () => rig.call('POST', `/im/v1/messages/${root}/reply`, said)
  for (let n = 0; n < 4; n++) await reply()
  expect(await rig.refusal(rig.send('text', text))).toMatchObject({ code: 230_020 })
  expect(await rig.refusal(reply())).toMatchObject({ code: 230_020 })
})

test('takes five changes of a message a second', async () => {
  await using rig = await startRig()
  const { message_id: id } = await rig.send('interactive', card('0'))
  const change = () => rig.call('PATCH', `/im/v1/messages/${id}`, { content: JSON.stringify(card('1')) })
  for (let n = 0; n < 5; n++) await change()
  expect(await rig.refusal(change())).toMatchObject({ code: 230_020 })
})

test('takes a method fifty times a second and a thousand times a minute, then 99991400 with the seconds to wait', async () => {
  await using rig = await startRig({ limits: { callsPerMethodPerSecond: 3, callsPerMethodPerMinute: 4 } })
  const get = () => rig.call('GET', `/im/v1/chats/${rig.group}`)
  for (let n = 0; n < 3; n++) await get()
  const refused = await rig.refusal(get())
  expect(refused).toMatchObject({ status: 429, code: 99_991_400, headers: { 'x-ogw-ratelimit-reset': '1' } })
  rig.feishu.advance(1000)
  await get()
  rig.feishu.advance(1000)
  expect(await rig.refusal(get())).toMatchObject({ code: 99_991_400, headers: { 'x-ogw-ratelimit-reset': '58' } })
})

test.each([
  [429, true],
  [400, true],
  [429, false],
] as const)(
  'asks on demand to wait with HTTP %i (header: %s), and counts what comes all the same',
  async (status, hasHeader) => {
    await using rig = await startRig()
    rig.feishu.fault({ times: 1, fault: { kind: 'rate-limit', resetS: 5, status, hasHeader } })
    const refused = await rig.refusal(rig.send('text', text))
    expect(refused).toMatchObject({ status, code: 99_991_400 })
    const headers = z.looseObject({ 'x-ogw-ratelimit-reset': z.string().optional() }).parse(refused.headers)
    expect(headers['x-ogw-ratelimit-reset']).toBe(hasHeader ? '5' : undefined)
    expect(rig.feishu.ledger.duringWait()).toEqual([])
    expect(await rig.refusal(rig.send('text', text))).toMatchObject({ status: 429 })
    expect(rig.feishu.ledger.duringWait()).toHaveLength(1)
    rig.feishu.advance(5001)
    await rig.send('text', text)
  },
)

test('refuses on demand with any code, in HTTP 400 or 200', async () => {
  await using rig = await startRig()
  rig.feishu.fault({ times: 1, fault: { kind: 'error', code: 230_028, message: 'no' } })
  expect(await rig.refusal(rig.send('text', text))).toMatchObject({ status: 400, code: 230_028 })
  rig.feishu.fault({ times: 1, fault: { kind: 'error', status: 200, code: 230_049, message: 'no', accepted: true } })
  expect(await rig.refusal(rig.send('text', text))).toMatchObject({ status: 200, code: 230_049 })
  rig.feishu.fault({ times: 1, when: { chat: rig.group }, fault: { kind: 'chat-limit' } })
  expect(await rig.refusal(rig.send('text', text))).toMatchObject({ code: 230_020 })
  expect(rig.feishu.visible(rig.group)).toHaveLength(1)
  rig.feishu.changeApp({ errorsIn200: true })
  expect(await rig.refusal(rig.send('text', text, 'oc_0'))).toMatchObject({ status: 200, code: 230_001 })
})

test.each([
  [false, 0],
  [true, 1],
])('answers 500, 502 and nonsense with the message accepted: %s', async (accepted, messages) => {
  await using rig = await startRig({ limits: 'off' })
  const { feishu } = rig
  feishu.fault({ times: 1, fault: { kind: 'error', status: 500, code: 1500, message: 'no', accepted } })
  expect((await post(rig, 'a')).status).toBe(500)
  feishu.fault({ times: 1, fault: { kind: 'bad-gateway', accepted } })
  expect((await post(rig, 'b')).status).toBe(502)
  for (const body of ['<html></html>', 'null', '{}', '[]', '"ok"']) {
    feishu.fault({ times: 1, fault: { kind: 'odd', body, accepted } })
    expect(await (await post(rig, 'c')).text()).toBe(body)
  }
  expect(feishu.visible(rig.group)).toHaveLength(7 * messages)
  expect(feishu.ledger.of('createMessage').map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: 7 }, () => (accepted ? 'lost' : 'refused')),
  )
})

test('answers half of the JSON of a message that is sent', async () => {
  await using rig = await startRig()
  rig.feishu.fault({ times: 1, fault: { kind: 'half' } })
  const answer = await post(rig, 'x')
  expect(answer.status).toBe(200)
  await expect(answer.json()).rejects.toThrow('JSON')
  expect(rig.feishu.visible(rig.group)).toHaveLength(1)
})

test.each([
  [false, 'dropped', 0],
  [true, 'lost', 1],
] as const)('resets the connection with the message accepted: %s', async (accepted, outcome, messages) => {
  await using rig = await startRig()
  rig.feishu.fault({ times: 1, fault: { kind: 'reset', accepted } })
  await expect(post(rig, 'x')).rejects.toThrow()
  expect(rig.feishu.visible(rig.group)).toHaveLength(messages)
  expect(rig.feishu.ledger.of('createMessage')).toMatchObject([{ outcome, accepted }])
})

test('accepts a message and never answers', async () => {
  await using rig = await startRig()
  rig.feishu.fault({ when: { route: ['createMessage'] }, times: 1, fault: { kind: 'no-answer', accepted: true } })
  const client = new AbortController()
  const call = post(rig, 'x', client.signal)
  await rig.feishu.ledger.waitFor((entry) => entry.outcome === 'lost')
  client.abort()
  await expect(call).rejects.toThrow()
  expect(rig.feishu.visible(rig.group)).toHaveLength(1)
})

test.each([
  ['before', 0],
  ['after', 1],
] as const)('holds a call at a gate %s it takes effect', async (at, messages) => {
  await using rig = await startRig()
  rig.feishu.fault({ when: { route: 'createMessage', text: 'held' }, delayMs: 1, gate: { name: 'g', at } })
  const call = post(rig, 'held')
  await rig.feishu.ledger.waitFor((entry) => entry.route === 'createMessage' && entry.accepted === (at === 'after'))
  expect(rig.feishu.visible(rig.group)).toHaveLength(messages)
  rig.feishu.open('g')
  expect((await call).status).toBe(200)
})

test('forgets a call whose client leaves before the gate opens', async () => {
  await using rig = await startRig()
  rig.feishu.fault({ times: 1, gate: { name: 'g', at: 'before' } })
  const client = new AbortController()
  const call = post(rig, 'x', client.signal)
  await rig.feishu.ledger.waitFor((entry) => entry.route === 'createMessage')
  client.abort()
  await expect(call).rejects.toThrow()
  const entry = await rig.feishu.ledger.waitFor((one) => one.outcome === 'aborted')
  rig.feishu.open('g')
  expect(entry.accepted).toBe(false)
  expect(rig.feishu.visible(rig.group)).toEqual([])
})

test('keeps every call in the ledger, also unknown ones, with the chat and the message that it was about', async () => {
  await using rig = await startRig()
  const { message_id: message } = await rig.send('text', text)
  await rig.send('text', text, rig.ann.openId)
  await expect(rig.call('GET', '/nowhere')).rejects.toThrow('404')
  expect(rig.feishu.ledger.entries.filter(({ route }) => route !== 'getTenantToken')).toMatchObject([
    { route: 'createMessage', outcome: 'ok', accepted: true, chat: rig.group, message, code: 0 },
    { route: 'createMessage', chat: rig.ann.dm },
    { route: 'unknown', call: 'GET /nowhere', outcome: 'refused', status: 404 },
  ])
})

// Facts about what goes wrong on demand between the bot and the Telegram simulator.
import { HttpError } from 'grammy'
import { expect, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { documentedLimits } from './telegram/faults.ts'
import { refusalOf, startRig } from './telegram-bot.ts'

test('answers 429 with retry_after until the time is over, for this chat only', async () => {
  await using rig = await startRig()
  rig.telegram.sendText({ from: 8, text: 'hi' })
  rig.telegram.fault({ times: 1, when: { chat: 7 }, fault: { kind: 'rate-limit', retryAfterS: 5 } })
  for (const text of ['a', 'b']) {
    const refusal = await refusalOf(rig.api.sendMessage(7, text))
    expect(refusal).toMatchObject({ error_code: 429, parameters: { retry_after: 5 } })
  }
  expect(await rig.api.sendMessage(8, 'fine')).toMatchObject({ text: 'fine' })
})

test('answers 429 everywhere when the limit is global', async () => {
  await using rig = await startRig()
  rig.telegram.sendText({ from: 8, text: 'hi' })
  rig.telegram.fault({ times: 1, fault: { kind: 'rate-limit', retryAfterS: 5, scope: 'global' } })
  await refusalOf(rig.api.sendMessage(7, 'a'))
  expect((await refusalOf(rig.api.sendMessage(8, 'b'))).error_code).toBe(429)
})

test("keeps Telegram's standing limits when they are set", async () => {
  await using rig = await startRig({ limits: { perGroupPerMinute: 2 } })
  rig.telegram.addBotToGroup({ chat: -100, by: 7 })
  const { message_id } = await rig.api.sendMessage(-100, 'a')
  await rig.api.editMessageText(-100, message_id, 'b')
  const refusal = await refusalOf(rig.api.sendMessage(-100, 'c'))
  expect(refusal.parameters.retry_after).toBeGreaterThan(50)
  await rig.api.sendMessage(7, 'private is free')
})

test('counts in a group that the bot types, drafts, edits and all topics together', async () => {
  await using rig = await startRig({ limits: documentedLimits })
  rig.telegram.addBotToGroup({ chat: -100, by: 7, isForum: true })
  const [one, two] = ['One', 'Two'].map((name) => rig.telegram.createTopic({ chat: -100, by: 7, name }))
  for (let n = 0; n < 20; n++)
    await rig.api.sendChatAction(-100, 'typing', { message_thread_id: (n % 2 ? one : two) ?? 0 })
  expect((await refusalOf(rig.api.sendMessage(-100, 'no room'))).parameters.retry_after).toBeGreaterThan(50)
  // Alone, that it types has a bucket that is used up too.
  rig.telegram.setLimits({ typingPer5S: 20, typingPer30S: 40 })
  for (let n = 0; n < 20; n++) await rig.api.sendChatAction(7, 'typing')
  expect((await refusalOf(rig.api.sendChatAction(7, 'typing'))).parameters.retry_after).toBeGreaterThan(1)
  await rig.api.sendMessage(7, 'a message is none of that')
})

test('counts a draft in its chat, and lets a message pass beside what shows that the bot types', async () => {
  await using rig = await startRig({ limits: { perChatPerSecond: 1, perChatPerMinute: 4 } })
  await rig.api.sendChatAction(7, 'typing')
  await rig.api.sendMessage(7, 'a')
  expect((await refusalOf(rig.api.sendMessage(7, 'b'))).parameters.retry_after).toBe(1)
  for (const text of ['c', 'cd']) await rig.api.sendMessageDraft(7, 1, text)
  expect((await refusalOf(rig.api.sendChatAction(7, 'typing'))).parameters.retry_after).toBeGreaterThan(50)
})

test('who calls while it has to wait, waits anew', async () => {
  await using rig = await startRig()
  rig.telegram.fault({ times: 1, when: { chat: 7 }, fault: { kind: 'rate-limit', retryAfterS: 2 } })
  await refusalOf(rig.api.sendMessage(7, 'a'))
  await sleep(1200)
  expect(await refusalOf(rig.api.sendChatAction(7, 'typing'))).toMatchObject({ parameters: { retry_after: 2 } })
  await sleep(1000)
  expect((await refusalOf(rig.api.sendMessage(7, 'b'))).error_code).toBe(429)
  expect(rig.telegram.ledger.entries.map(({ isDuringWait }) => isDuringWait)).toEqual([false, true, true])
})

test.each([
  [false, ['hi']],
  [true, ['hi', 'x']],
])('answers 500 with the message accepted: %s', async (accepted, texts) => {
  await using rig = await startRig()
  const fault = { kind: 'error', status: 500, description: 'Internal Server Error', accepted } as const
  rig.telegram.fault({ times: 1, fault })
  expect((await refusalOf(rig.api.sendMessage(7, 'x'))).error_code).toBe(500)
  expect(rig.telegram.visible(7).map((one) => one.text)).toEqual(texts)
})

test('answers 502 with a page that is not JSON', async () => {
  await using rig = await startRig()
  rig.telegram.fault({ times: 1, fault: { kind: 'bad-gateway' } })
  await expect(rig.api.sendMessage(7, 'x')).rejects.toBeInstanceOf(HttpError)
})

test.each([
  [false, 'dropped', 1],
  [true, 'lost', 2],
] as const)('resets the connection with the message accepted: %s', async (accepted, outcome, messages) => {
  await using rig = await startRig()
  rig.telegram.fault({ times: 1, fault: { kind: 'reset', accepted } })
  await expect(rig.api.sendMessage(7, 'x')).rejects.toBeInstanceOf(HttpError)
  expect(rig.telegram.visible(7)).toHaveLength(messages)
  expect(rig.telegram.ledger.of('sendMessage')[0]).toMatchObject({ outcome, accepted })
})

test('accepts a message and never answers', async () => {
  await using rig = await startRig()
  rig.telegram.fault({ times: 1, fault: { kind: 'no-answer', accepted: true } })
  const client = new AbortController()
  const call = rig.post('x', client.signal)
  await rig.telegram.ledger.waitFor((entry) => entry.outcome === 'lost')
  client.abort()
  await expect(call).rejects.toThrow()
  expect(rig.telegram.visible(7)).toHaveLength(2)
})

test('takes a delayed message although the client has left', async () => {
  await using rig = await startRig()
  rig.telegram.fault({ times: 1, delayMs: 50 })
  const client = new AbortController()
  const call = rig.post('x', client.signal)
  await rig.telegram.ledger.waitFor((entry) => entry.method === 'sendMessage')
  client.abort()
  await expect(call).rejects.toThrow()
  await rig.telegram.until(() => rig.telegram.visible(7)[1])
  expect(rig.telegram.ledger.of('sendMessage')[0]).toMatchObject({ outcome: 'aborted', accepted: true })
})

test.each([
  ['before', 1],
  ['after', 2],
] as const)('holds a call at a gate %s it takes effect', async (at, messages) => {
  await using rig = await startRig()
  rig.telegram.fault({ when: { method: 'sendMessage', text: 'held' }, gate: { name: 'g', at } })
  const call = rig.api.sendMessage(7, 'held')
  await rig.telegram.ledger.waitFor((entry) => entry.method === 'sendMessage' && entry.accepted === (at === 'after'))
  expect(rig.telegram.visible(7)).toHaveLength(messages)
  rig.telegram.open('g')
  expect(await call).toMatchObject({ text: 'held' })
})

test('forgets a call whose client leaves before the gate opens', async () => {
  await using rig = await startRig()
  rig.telegram.fault({ times: 1, gate: { name: 'g', at: 'before' } })
  const client = new AbortController()
  const call = rig.post('x', client.signal)
  await rig.telegram.ledger.waitFor((entry) => entry.method === 'sendMessage')
  client.abort()
  await expect(call).rejects.toThrow()
  const entry = await rig.telegram.ledger.waitFor((one) => one.outcome === 'aborted')
  rig.telegram.open('g')
  expect(entry.accepted).toBe(false)
  expect(rig.telegram.visible(7)).toHaveLength(1)
})

test('keeps every call with its parameters and outcome in the ledger', async () => {
  await using rig = await startRig()
  await rig.api.sendMessage(7, 'x')
  await refusalOf(rig.api.sendMessage(9, 'y'))
  expect(rig.telegram.ledger.of('sendMessage')).toMatchObject([
    { n: 1, params: { chat_id: 7, text: 'x' }, outcome: 'ok', accepted: true, status: 200, message: 2 },
    { n: 2, params: { chat_id: 9 }, outcome: 'refused', accepted: false, status: 400 },
  ])
})

test('refuses a method it does not know', async () => {
  await using rig = await startRig()
  expect(await refusalOf(rig.api.logOut())).toMatchObject({ error_code: 404 })
})

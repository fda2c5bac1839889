// Facts about replies in progress: a streamed draft and one real message in private chats, typing in groups, never an extra message.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { say, toAddress, toDelivery } from '#test/rig/channel-rig.ts'
import { openTelegramRig } from './telegram-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

test('a private chat sees the text grow and then one message', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.sendText({ from: 7, text: 'hi' })
  await rig.kernel.saveDraft('telegram:7', { turn: 't1', text: '' })
  const delivering = rig.deliver('telegram:7')
  await rig.telegram.ledger.waitFor((entry) => entry.method === 'sendChatAction' && entry.outcome === 'ok')
  await rig.kernel.saveDraft('telegram:7', { turn: 't1', text: 'Hello **wor' })
  await rig.telegram.until(() => (rig.telegram.drafts(7).length > 0 ? true : undefined))
  expect(rig.telegram.drafts(7)).toEqual(['Hello **wor'])
  await rig.queue('telegram:7', [say('Hello **world**')])
  await server.admin.del(...(await server.admin.keys('*:draft:*')))
  await delivering
  expect(rig.telegram.drafts(7)).toEqual([])
  expect(rig.telegram.visible(7).map((one) => one.text)).toEqual(['hi', 'Hello world'])
  expect(rig.telegram.visible(7).at(-1)?.edits).toBe(0)
})

const long = (about: string): string => `${about}: ${'word by word the answer grows and grows. '.repeat(5)}`

test('a group sees one message grow, in the right topic, and end as the answer', { timeout: 20_000 }, async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -200, by: 7, isForum: true })
  const topic = rig.telegram.createTopic({ chat: -200, by: 7, name: 'Plans' })
  const conversation = `telegram:-200:${topic}`
  const asked = rig.telegram.sendText({ chat: -200, from: 7, text: 'Tell us', topic })
  const draft = { turn: 't1', language: 'en', principal: 'telegram:7', replyTo: String(asked.message) } as const
  await rig.kernel.saveDraft(conversation, { ...draft, text: 'Too short to be a message' })
  const delivering = rig.deliver(conversation)
  await rig.telegram.until(() => rig.telegram.action(-200))
  expect(rig.telegram.visible(-200).filter((one) => one.from === 'bot')).toEqual([])
  await rig.kernel.saveDraft(conversation, { ...draft, text: long('One') })
  const mine = () => rig.telegram.visible(-200).filter((one) => one.from === 'bot')
  await rig.telegram.until(() => (mine().length === 1 ? true : undefined))
  expect(mine()[0]).toMatchObject({ text: `${long('One').trim()} …`, topic })
  await rig.kernel.saveDraft(conversation, { ...draft, text: long('Two') })
  await rig.telegram.until(() => (mine()[0]?.text.startsWith('Two') ? true : undefined))
  await rig.queue(conversation, [say('The whole answer', { replaces: 't1-first' })])
  await server.admin.del(...(await server.admin.keys('*:draft:*')))
  await delivering
  expect(mine().map((one) => one.text)).toEqual(['The whole answer'])
  expect(rig.telegram.ledger.of('sendMessage')).toHaveLength(1)
  expect(rig.telegram.ledger.of('sendMessageDraft')).toEqual([])
})

test('an edit that may arrive late is followed by the answer once more', { timeout: 20_000 }, async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -200, by: 7 })
  await rig.kernel.saveDraft('telegram:-200', { turn: 't1', principal: 'telegram:7', text: long('One') })
  const delivering = rig.deliver('telegram:-200')
  const mine = () => rig.telegram.visible(-200).filter((one) => one.from === 'bot')
  await rig.telegram.until(() => (mine().length === 1 ? true : undefined))
  rig.telegram.fault({ when: { method: 'editMessageText', text: 'Two' }, times: 1, fault: { kind: 'reset' } })
  await rig.kernel.saveDraft('telegram:-200', { turn: 't1', principal: 'telegram:7', text: long('Two') })
  await rig.telegram.ledger.waitFor((entry) => entry.method === 'editMessageText')
  await rig.queue('telegram:-200', [say('The whole answer', { replaces: 't1-first' })])
  await server.admin.del(...(await server.admin.keys('*:draft:*')))
  await delivering
  expect(mine().map((one) => one.text)).toEqual(['The whole answer'])
  expect(
    rig.telegram.ledger.of('editMessageText').filter(({ outcome }) => outcome !== 'dropped').length,
  ).toBeGreaterThan(1)
})

test('a group sees typing in the right topic, and one message', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -200, by: 7, isForum: true })
  const topic = rig.telegram.createTopic({ chat: -200, by: 7, name: 'Plans' })
  const conversation = `telegram:-200:${topic}`
  await rig.kernel.saveDraft(conversation, { turn: 't1', text: 'Hello' })
  const delivering = rig.deliver(conversation)
  await rig.telegram.until(() => rig.telegram.action(-200))
  expect(rig.telegram.action(-200)).toMatchObject({ action: 'typing', topic })
  await rig.queue(conversation, [say('Hello world')])
  await server.admin.del(...(await server.admin.keys('*:draft:*')))
  await delivering
  expect(rig.telegram.visible(-200).filter((one) => one.from === 'bot')).toHaveLength(1)
  expect(rig.telegram.ledger.of('sendMessageDraft')).toEqual([])
})

test('two topics of a group in which answers are written show it once, as their chat is one', async () => {
  let asked = 0
  await using rig = await openTelegramRig(server, {
    wrapUnits: (call) => async (unit, key, args) => {
      const answer = await call(unit, key, args)
      if (unit === 'send' && args[0] === 'cosmetic') asked += 1
      return answer
    },
  })
  rig.telegram.addBotToGroup({ chat: -200, by: 7, isForum: true })
  const topics = ['Plans', 'Notes'].map((name) => rig.telegram.createTopic({ chat: -200, by: 7, name }))
  const conversations = topics.map((topic) => `telegram:-200:${topic}`)
  for (const conversation of conversations) await rig.kernel.saveDraft(conversation, { turn: 't1', text: 'Hello' })
  const delivering = conversations.map((conversation) => rig.deliver(conversation))
  await rig.telegram.until(() => (asked >= 2 ? true : undefined))
  await rig.telegram.until(() => rig.telegram.action(-200))
  expect(rig.telegram.ledger.of('sendChatAction')).toHaveLength(1)
  for (const conversation of conversations) await rig.queue(conversation, [say('Hello world')])
  await server.admin.del(...(await server.admin.keys('*:draft:*')))
  await Promise.all(delivering)
  expect(rig.telegram.visible(-200).filter((one) => one.from === 'bot')).toHaveLength(2)
})

test('a refused draft is not insisted on, and the answer comes all the same', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.sendText({ from: 7, text: 'hi' })
  rig.telegram.fault({ when: { method: 'sendMessageDraft' }, fault: { kind: 'error', status: 400, description: 'no' } })
  await rig.kernel.saveDraft('telegram:7', { turn: 't1', text: 'Hel' })
  const delivering = rig.deliver('telegram:7')
  await rig.telegram.ledger.waitFor((entry) => entry.method === 'sendMessageDraft' && entry.outcome === 'refused')
  await rig.kernel.saveDraft('telegram:7', { turn: 't1', text: 'Hello' })
  await rig.queue('telegram:7', [say('Hello')])
  await server.admin.del(...(await server.admin.keys('*:draft:*')))
  await delivering
  expect(rig.telegram.visible(7).at(-1)?.text).toBe('Hello')
  expect(rig.telegram.ledger.of('sendMessageDraft')).toHaveLength(1)
})

test('a draft longer than a message shows its end', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.sendText({ from: 7, text: 'hi' })
  const text = `${'x'.repeat(6000)} the end`
  await toDelivery(rig.channel).showDraft(toAddress('telegram:7'), { turn: 't1', text }, new AbortController().signal)
  expect(rig.telegram.drafts(7)[0]).toMatch(/the end$/)
})

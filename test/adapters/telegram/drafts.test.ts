// Facts about replies in progress: a streamed draft and one real message in private chats, typing in groups, never an extra message.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openTelegramRig, say } from './telegram-rig.ts'

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
  await rig.channel.adapter.showDraft?.('telegram:7', { turn: 't1', text }, new AbortController().signal)
  expect(rig.telegram.drafts(7)[0]).toMatch(/the end$/)
})

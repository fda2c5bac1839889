// Facts about chats that move, close and open again, and about topics: where rows go, what they cost, and under which id all is kept.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { ask, say, until } from '#test/rig/channel-rig.ts'
import { openTelegramRig, type TelegramRig } from './telegram-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const botSays = (rig: TelegramRig, chat: number): { text: string; replyTo: number | undefined }[] =>
  rig.telegram.visible(chat).flatMap(({ from, text, replyTo }) => (from === 'bot' ? [{ text, replyTo }] : []))
const sends = (rig: TelegramRig): number => rig.telegram.ledger.of('sendMessage').length
const rowOf = async (row: string): Promise<Record<string, string>> => {
  const [key = ''] = await server.admin.keys(`*:${row}`)
  return server.admin.hgetall(key)
}
const closedAs = async (rig: TelegramRig, chat: string): Promise<string | undefined> =>
  (await rig.chats.find(chat)).closed
const settled = async (rig: TelegramRig): Promise<void> =>
  void (await rig.telegram.until(() => (rig.telegram.pendingUpdates() === 0 ? true : undefined)))

test('a group that became a supergroup goes on under its first id, and its second row costs no refusal', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -100, by: 7, type: 'group' })
  const old = rig.telegram.sendText({ from: 7, chat: -100, text: 'before' }).message
  rig.telegram.upgradeGroup({ chat: -100, to: -1000, by: 7 })
  await rig.queue('telegram:-100', [say('one', { replyTo: String(old) }), say('two')])
  await rig.deliver('telegram:-100')
  expect(botSays(rig, -1000)).toEqual([
    { text: 'one', replyTo: undefined },
    { text: 'two', replyTo: undefined },
  ])
  expect(rig.telegram.ledger.of('sendMessage').map(({ status }) => status)).toEqual([400, 200, 200])
})

test('its new messages come into the conversation it had, and are replied to there', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -100, by: 7, type: 'group' })
  rig.telegram.sendText({ from: 7, chat: -100, text: 'before' })
  rig.telegram.upgradeGroup({ chat: -100, to: -1000, by: 7 })
  const { message } = rig.telegram.sendText({ from: 7, chat: -1000, text: 'after' })
  rig.run()
  const events = await rig.waitForEvents('telegram:-100', 3)
  const [, before, after] = events.map((event) => ('messageId' in event ? event.messageId : undefined))
  expect(after).toBe(`s${message}`)
  expect(before).not.toBe(after)
  expect(await rig.events('telegram:-1000')).toEqual([])
  expect(rig.ignored.filter((reason) => reason === 'moved')).toHaveLength(2)
  await rig.queue('telegram:-100', [
    say('to the new one', { replyTo: after }),
    say('to the old one', { replyTo: before }),
  ])
  await rig.deliver('telegram:-100')
  expect(botSays(rig, -1000)).toEqual([
    { text: 'to the new one', replyTo: message },
    { text: 'to the old one', replyTo: undefined },
  ])
  expect(sends(rig)).toBe(2)
})

test('a reply to a message of before the move names that one, and none of the same number after it', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -100, by: 7, type: 'group' })
  const old = rig.telegram.sendText({ from: 7, chat: -100, text: 'before' }).message
  rig.telegram.upgradeGroup({ chat: -100, to: -1000, by: 7 })
  const fresh = rig.telegram.sendText({ from: 7, chat: -1000, text: 'after' }).message
  const from = { id: 4200, is_bot: true, first_name: 'Flotilla' }
  const before = { message_id: old, date: 1, chat: { id: -100, type: 'group' }, from, text: 'before' }
  const elsewhere = { ...before, chat: { id: -555, type: 'supergroup' } }
  rig.telegram.sendText({ from: 7, chat: -1000, text: 'to the old one', extra: { reply_to_message: before } })
  rig.telegram.sendText({ from: 7, chat: -1000, text: 'to the new one', replyTo: fresh })
  rig.telegram.sendText({ from: 7, chat: -1000, text: 'to another', extra: { reply_to_message: elsewhere } })
  const origin = { type: 'user', sender_user: from }
  rig.telegram.sendText({
    from: 7,
    chat: -1000,
    text: 'to the old one as to another chat',
    extra: { external_reply: { origin, chat: before.chat, message_id: old }, quote: { text: 'before' } },
  })
  rig.run()
  const replies = (await rig.waitForEvents('telegram:-100', 7)).slice(3)
  expect(replies).toMatchObject([
    { addressed: true, replyTo: { messageId: String(old), fromBot: true } },
    { addressed: false, replyTo: { messageId: `s${fresh}` } },
    { addressed: true, replyTo: { messageId: `-555/${old}` } },
    { quoted: [{ how: 'reply', text: 'before' }] },
  ])
})

test('an edit goes to the message that was sent after the move, and to none of before', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -100, by: 7, type: 'group' })
  await rig.queue('telegram:-100', [say('old')])
  await rig.deliver('telegram:-100')
  rig.telegram.upgradeGroup({ chat: -100, to: -1000, by: 7 })
  for (let i = 0; i < 4; i++) rig.telegram.sendText({ from: 7, chat: -1000, text: 'x' })
  await rig.queue('telegram:-100', [say('anew', { replaces: 'row-1-0' })])
  await rig.deliver('telegram:-100')
  await rig.queue('telegram:-100', [say('edited', { replaces: 'row-2-0' })])
  await rig.deliver('telegram:-100')
  expect(botSays(rig, -1000).map(({ text }) => text)).toEqual(['edited'])
})

test('a press in a chat that moved reaches the question of before', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -100, by: 7, type: 'group' })
  rig.telegram.upgradeGroup({ chat: -100, to: -1000, by: 7 })
  const question = ask('telegram:-100')
  await rig.queue(
    'telegram:-100',
    [say('well?', { buttons: [[{ id: `${question.id}.redo`, label: 'Redo' }]] })],
    [question],
  )
  await rig.deliver('telegram:-100')
  rig.run()
  const card = rig.telegram.visible(-1000).at(-1)
  const { id } = rig.telegram.press({ from: 7, chat: -1000, message: card?.id ?? 0, data: `${question.id}.redo` })
  expect((await rig.telegram.until(() => rig.telegram.pressAnswer(id))).text).toBe('Got it.')
  const events = await rig.waitForEvents('telegram:-100', 2)
  expect(events.at(-1)).toMatchObject({ kind: 'answer', conversation: 'telegram:-100' })
})

test.each([
  ['blocked the bot', 7, (rig: TelegramRig) => rig.telegram.block(7), 'blocked'],
  ['deleted the chat', 7, (rig: TelegramRig) => rig.telegram.deleteChat(7), 'chat not found'],
  ['thrown the bot out', -100, (rig: TelegramRig) => rig.telegram.removeBotFromGroup({ chat: -100, by: 7 }), 'kicked'],
  ['muted the bot', -100, (rig: TelegramRig) => rig.telegram.mute(-100), 'not enough rights'],
] as const)('after somebody has %s one request fails, and no further row makes one', async (_, chat, leave, why) => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -100, by: 7 })
  rig.telegram.sendText({ from: 7, text: 'hi' })
  leave(rig)
  await rig.queue(`telegram:${chat}`, [say('one'), say('two'), say('three')])
  await rig.deliver(`telegram:${chat}`)
  expect(sends(rig)).toBe(1)
  for (const row of ['row-1-0', 'row-1-1', 'row-1-2']) {
    expect(await rowOf(row)).toMatchObject({ s: 'failed', why: expect.stringContaining(why) })
  }
  for (const key of await server.admin.keys('*:notice-*')) await server.admin.hset(key, 'nb', '0')
  await rig.deliver(`telegram:${chat}`)
  expect(sends(rig)).toBe(1)
})

test('a block that Telegram tells of costs no request at all, and writing again opens the chat', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.sendText({ from: 7, text: 'hi' })
  rig.telegram.block(7)
  rig.run()
  await until(() => closedAs(rig, 'telegram:7'))
  await rig.queue('telegram:7', [say('unheard')])
  await rig.deliver('telegram:7')
  expect(sends(rig)).toBe(0)
  rig.telegram.sendText({ from: 7, text: 'again' })
  await rig.waitForEvents('telegram:7', 2)
  await settled(rig)
  await rig.queue('telegram:7', [say('heard')])
  await rig.deliver('telegram:7')
  expect(botSays(rig, 7).map(({ text }) => text)).toContain('heard')
})

test('unblocking opens the chat, and so does adding the bot again', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.sendText({ from: 7, text: 'hi' })
  rig.telegram.addBotToGroup({ chat: -100, by: 7 })
  rig.telegram.block(7)
  rig.telegram.removeBotFromGroup({ chat: -100, by: 7 })
  rig.run()
  await until(() => closedAs(rig, 'telegram:7'))
  await until(() => closedAs(rig, 'telegram:-100'))
  rig.telegram.unblock(7)
  rig.telegram.addBotToGroup({ chat: -100, by: 7 })
  await settled(rig)
  for (const chat of ['telegram:7', 'telegram:-100']) {
    const open = await until(async () => ((await closedAs(rig, chat)) === undefined ? 'open' : undefined))
    expect(open).toBe('open')
  }
})

test('nothing is shown as being written in a chat that is closed', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.sendText({ from: 7, text: 'hi' })
  await rig.chats.close('telegram:7', 'blocked')
  await rig.kernel.saveDraft('telegram:7', { turn: 't1', text: 'half' })
  await rig.deliver('telegram:7', { signal: AbortSignal.timeout(200) })
  expect(rig.telegram.ledger.of('sendMessageDraft')).toEqual([])
  await rig.chats.open('telegram:7')
  await rig.deliver('telegram:7', { signal: AbortSignal.timeout(200) })
  expect(rig.telegram.ledger.of('sendMessageDraft')).toHaveLength(1)
})

test('a book that cannot be read keeps nothing from being sent', async () => {
  await using rig = await openTelegramRig(server, {
    wrapUnits: (call) => async (name, key, args) => {
      if (name === 'chats') throw new Error('away')
      return await call(name, key, args)
    },
  })
  rig.telegram.sendText({ from: 7, text: 'hi' })
  await rig.queue('telegram:7', [say('all the same')])
  await rig.deliver('telegram:7')
  expect(botSays(rig, 7)).toHaveLength(1)
})

test('each topic is a conversation of its own, the general one the group’s', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -200, by: 7, isForum: true })
  const [plans, news] = ['Plans', 'News'].map((name) => rig.telegram.createTopic({ chat: -200, by: 7, name }))
  rig.telegram.sendText({ from: 7, chat: -200, text: 'in plans', topic: plans })
  rig.telegram.sendText({ from: 7, chat: -200, text: 'in news', topic: news })
  rig.telegram.sendText({ from: 7, chat: -200, text: 'in general' })
  rig.run()
  for (const [conversation, text, topic] of [
    [`telegram:-200:${plans}`, 'in plans', plans],
    [`telegram:-200:${news}`, 'in news', news],
    ['telegram:-200', 'in general', undefined],
  ] as const) {
    const events = await until(async () => {
      const found = await rig.events(conversation)
      return found.some((event) => event.kind === 'message') ? found : undefined
    })
    expect(events.flatMap((event) => (event.kind === 'message' ? [event.text] : []))).toEqual([text])
    await rig.queue(conversation, [say(`re: ${text}`)])
    await rig.deliver(conversation)
    expect(rig.telegram.visible(-200).at(-1)).toMatchObject({ text: `re: ${text}`, topic })
  }
})

test('a reaction is stored, and one of a bot is not', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -100, by: 7, isBotAdmin: true })
  const { message } = rig.telegram.sendText({ from: 7, chat: -100, text: 'hi' })
  rig.telegram.addUser({ id: 99, is_bot: true, first_name: 'Other' })
  rig.run()
  await rig.waitForEvents('telegram:-100', 2)
  rig.telegram.react({ from: 99, chat: -100, message, emoji: '👎' })
  rig.telegram.react({ from: 7, chat: -100, message, emoji: '👍' })
  const events = await rig.waitForEvents('telegram:-100', 3)
  expect(events.at(-1)).toMatchObject({ kind: 'reaction', principal: 'telegram:7', emoji: ['👍'] })
  expect(rig.ignored).toContain('bot')
})

test('nobody is looked up while the group asks to be left alone, also after it moved', async () => {
  const mode = { name: 'mode', help: { zh: '模式', en: 'mode' }, admins: 'with-args' } as const
  await using rig = await openTelegramRig(server, { commands: [mode] })
  rig.telegram.addBotToGroup({ chat: -100, by: 7, type: 'group' })
  rig.telegram.upgradeGroup({ chat: -100, to: -1000, by: 7 })
  rig.run()
  await rig.waitForEvents('telegram:-100', 1)
  const lookUps = (): number => rig.telegram.ledger.of('getChatAdministrators').length
  const command = '/mode@flotilla_test_bot always'
  rig.telegram.fault({ when: { method: 'sendMessage' }, times: 1, fault: { kind: 'rate-limit', retryAfterS: 30 } })
  await rig.queue('telegram:-100', [say('patient')])
  await rig.deliver('telegram:-100')
  rig.telegram.clearFaults()
  rig.telegram.sendText({ from: 7, chat: -1000, text: command })
  const events = await rig.waitForEvents('telegram:-100', 2)
  expect(events.at(-1)).toMatchObject({ kind: 'message', command: { name: 'mode', args: 'always' } })
  expect(events.at(-1)).not.toHaveProperty('senderIsAdmin')
  expect(lookUps()).toBe(0)
  rig.telegram.addBotToGroup({ chat: -300, by: 7 })
  rig.telegram.sendText({ from: 7, chat: -300, text: command })
  expect((await rig.waitForEvents('telegram:-300', 2)).at(-1)).toMatchObject({ senderIsAdmin: true })
})

// Facts about how updates reach the bot: long polling, webhook, duplicates, order, groups and privacy.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { Bot, InlineKeyboard } from 'grammy'
import type { Update } from 'grammy/types'
import { expect, test } from 'vitest'
import { refusalOf, startRig } from './telegram-bot.ts'

const textsOf = (updates: readonly Update[]) => updates.map((one) => one.message?.text)

test('gives an update again until the offset moves past it', async () => {
  await using rig = await startRig()
  const [first] = await rig.api.getUpdates()
  expect(await rig.api.getUpdates()).toEqual([first])
  expect(await rig.api.getUpdates({ offset: (first?.update_id ?? 0) + 1 })).toEqual([])
  expect(await rig.api.getUpdates()).toEqual([])
})

test('holds a poll until something comes', async () => {
  await using rig = await startRig()
  const [first] = await rig.api.getUpdates()
  const poll = rig.api.getUpdates({ offset: (first?.update_id ?? 0) + 1, timeout: 30 })
  await rig.telegram.ledger.waitFor((entry) => entry.n === 2)
  rig.telegram.sendText({ from: 7, text: 'now' })
  expect(textsOf(await poll)).toEqual(['now'])
})

test('ends the older of two polls with 409', async () => {
  await using rig = await startRig()
  const older = rig.api.getUpdates({ offset: 200_000, timeout: 30 })
  await rig.telegram.ledger.waitFor((entry) => entry.n === 1)
  const newer = rig.api.getUpdates({ offset: 200_000, timeout: 1 })
  expect(await refusalOf(older)).toMatchObject({ error_code: 409 })
  expect(await newer).toEqual([])
})

test('refuses polls while a webhook is set, and ends a held one', async () => {
  await using rig = await startRig()
  const held = refusalOf(rig.api.getUpdates({ offset: 200_000, timeout: 30 }))
  await rig.telegram.ledger.waitFor((entry) => entry.n === 1)
  await rig.api.setWebhook('http://127.0.0.1:9/none')
  expect(await held).toMatchObject({ error_code: 409 })
  expect((await refusalOf(rig.api.getUpdates())).description).toContain('webhook is active')
  rig.telegram.sendText({ from: 7, text: 'kept' })
  await rig.api.deleteWebhook()
  expect(textsOf(await rig.api.getUpdates())).toEqual(['kept'])
})

test('refuses a wrong token', async () => {
  await using rig = await startRig()
  const bot = new Bot('1:wrong', { client: { apiRoot: rig.telegram.apiRoot } })
  expect(await refusalOf(bot.api.getMe())).toMatchObject({ error_code: 401, description: 'Unauthorized' })
})

test('leaves out kinds that the bot did not ask for', async () => {
  await using rig = await startRig()
  await rig.api.getUpdates({ offset: 200_000, allowed_updates: ['callback_query'] })
  rig.telegram.sendText({ from: 7, text: 'unseen' })
  expect(await rig.api.getUpdates()).toEqual([])
})

test('hands out a replayed update once more although it was confirmed', async () => {
  await using rig = await startRig()
  const [first] = await rig.api.getUpdates()
  const offset = (first?.update_id ?? 0) + 1
  await rig.api.getUpdates({ offset })
  rig.telegram.replay(first?.update_id ?? 0)
  expect(await rig.api.getUpdates({ offset })).toEqual([first])
  expect(await rig.api.getUpdates({ offset })).toEqual([])
})

test('releases held updates in reverse order', async () => {
  await using rig = await startRig()
  rig.telegram.hold()
  for (const text of ['a', 'b', 'c']) rig.telegram.sendText({ from: 7, text })
  expect(textsOf(await rig.api.getUpdates())).toEqual(['hi'])
  rig.telegram.release('reversed')
  expect(textsOf(await rig.api.getUpdates())).toEqual(['hi', 'c', 'b', 'a'])
})

test('passes on an update of a kind nobody knows', async () => {
  await using rig = await startRig()
  rig.telegram.inject({ update_id: 500_000, brand_new_kind: { x: 1 } })
  const updates: unknown = (await rig.api.getUpdates()).at(-1)
  expect(updates).toEqual({ update_id: 500_000, brand_new_kind: { x: 1 } })
})

test('lets the real bot poll, answer a press and edit', async () => {
  await using rig = await startRig()
  const bot = new Bot(rig.telegram.token, { client: { apiRoot: rig.telegram.apiRoot } })
  bot.command('ask', (context) => context.reply('Sure?', { reply_markup: new InlineKeyboard().text('Yes', 'yes') }))
  bot.callbackQuery('yes', async (context) => {
    await context.answerCallbackQuery('Done')
    await context.editMessageText('Sure.')
  })
  const running = bot.start({ drop_pending_updates: true })
  await rig.telegram.ledger.waitFor((entry) => entry.method === 'getUpdates')
  rig.telegram.sendText({ from: 7, text: '/ask' })
  const asked = await rig.telegram.until(() => rig.telegram.visible(7).find((one) => one.text === 'Sure?'))
  const { id } = rig.telegram.press({ from: 7, message: asked.id, data: 'yes' })
  await rig.telegram.until(() => rig.telegram.visible(7).find((one) => one.text === 'Sure.'))
  expect(rig.telegram.pressAnswer(id)).toMatchObject({ text: 'Done', alert: false })
  await bot.stop()
  await running
})

test('refuses the second, the unknown and the late answer to a press', async () => {
  await using rig = await startRig({ callbackTimeoutMs: 30 })
  const { message_id } = await rig.api.sendMessage(7, 'x', { reply_markup: new InlineKeyboard().text('b', 'd') })
  const { id } = rig.telegram.press({ from: 7, message: message_id, data: 'd' })
  await rig.api.answerCallbackQuery(id)
  expect((await refusalOf(rig.api.answerCallbackQuery(id))).description).toContain('query is too old')
  expect((await refusalOf(rig.api.answerCallbackQuery('1'))).error_code).toBe(400)
  const late = rig.telegram.press({ from: 7, message: message_id, data: 'd' })
  rig.telegram.fault({ times: 1, delayMs: 60 })
  expect((await refusalOf(rig.api.answerCallbackQuery(late.id))).error_code).toBe(400)
})

test('presses only buttons that are shown, unless forged', async () => {
  await using rig = await startRig()
  const { message_id } = await rig.api.sendMessage(7, 'x')
  const forged = { from: 7, message: message_id, data: 'forged' }
  expect(() => rig.telegram.press(forged)).toThrow(/no button/)
  expect(rig.telegram.press({ ...forged, isForged: true }).update).toBeDefined()
})

test('tells of edits, and not of deletions', async () => {
  await using rig = await startRig()
  rig.telegram.edit({ from: 7, message: 1, text: 'hello' })
  rig.telegram.remove({ chat: 7, message: 1 })
  const updates = await rig.api.getUpdates()
  expect(updates).toHaveLength(2)
  expect(updates[1]?.edited_message).toMatchObject({ message_id: 1, text: 'hello' })
  expect(updates[1]?.edited_message?.edit_date).toBeDefined()
})

test('tells of a Stop press on a draft when asked for it', async () => {
  await using rig = await startRig()
  await rig.api.getUpdates({ offset: 200_000, allowed_updates: ['message', 'stopped_message_generation'] })
  await rig.api.sendMessageDraft(7, 5, 'so far', { can_stop: true })
  rig.telegram.stopGeneration({ from: 7, draft: 5 })
  expect((await rig.api.getUpdates())[0]?.stopped_message_generation).toMatchObject({ draft_id: 5 })
})

test('with privacy mode on, shows commands, mentions and replies only', async () => {
  await using rig = await startRig({ canReadAllGroupMessages: false })
  rig.telegram.addBotToGroup({ chat: -100, by: 7 })
  const { message_id } = await rig.api.sendMessage(-100, 'hello all')
  const say = (text: string, replyTo?: number) => rig.telegram.sendText({ chat: -100, from: 8, text, replyTo }).update
  expect([say('just talk'), say('/stop@other_bot')]).toEqual([undefined, undefined])
  expect([say('/stop'), say('hey @flotilla_test_bot'), say('yes', message_id)]).not.toContain(undefined)
})

test('counts privacy mode as it was when the bot was added', async () => {
  await using rig = await startRig({ canReadAllGroupMessages: false })
  const { telegram, api } = rig
  telegram.addBotToGroup({ chat: -100, by: 7 })
  telegram.setPrivacyMode(false)
  expect((await api.getMe()).can_read_all_group_messages).toBe(true)
  expect(telegram.sendText({ chat: -100, from: 8, text: 'just talk' }).update).toBeUndefined()
  telegram.removeBotFromGroup({ chat: -100, by: 7 })
  telegram.addBotToGroup({ chat: -100, by: 7 })
  expect(telegram.sendText({ chat: -100, from: 8, text: 'just talk' }).update).toBeDefined()
})

test('tells a bot that may not write in a group why, and lets nobody add one that takes no groups', async () => {
  await using rig = await startRig()
  const { telegram, api } = rig
  telegram.addBotToGroup({ chat: -100, by: 7 })
  const me = telegram.bot.id
  telegram.setMembersWrite(-100, false)
  expect(await api.getChat(-100)).toMatchObject({ permissions: { can_send_messages: false } })
  expect(await api.getChatMember(-100, me)).toMatchObject({ status: 'member' })
  expect((await refusalOf(api.sendMessage(-100, 'hi'))).description).toContain('not enough rights')
  telegram.setMembersWrite(-100, true)
  telegram.mute(-100)
  expect(await api.getChatMember(-100, me)).toMatchObject({ status: 'restricted', can_send_messages: false })
  telegram.removeBotFromGroup({ chat: -100, by: 7 })
  expect(await refusalOf(api.getChatMember(-100, me))).toMatchObject({ error_code: 403 })
  telegram.setJoinGroups(false)
  expect(() => telegram.addBotToGroup({ chat: -200, by: 7 })).toThrow('/setjoingroups')
})

test('gives topics of a forum their own thread', async () => {
  await using rig = await startRig()
  rig.telegram.addBotToGroup({ chat: -100, by: 7, isForum: true })
  const topic = rig.telegram.createTopic({ chat: -100, by: 7, name: 'News' })
  rig.telegram.sendText({ chat: -100, from: 7, text: 'in topic', topic })
  const last = (await rig.api.getUpdates()).at(-1)
  expect(last?.message).toMatchObject({ message_thread_id: topic, is_topic_message: true, chat: { is_forum: true } })
  await rig.api.sendMessage(-100, 'there', { message_thread_id: topic })
  expect(rig.telegram.visible(-100).at(-1)?.topic).toBe(topic)
})

test('names the new chat after an upgrade to a supergroup', async () => {
  await using rig = await startRig()
  rig.telegram.addBotToGroup({ chat: -5, by: 7, type: 'group' })
  rig.telegram.upgradeGroup({ chat: -5, to: -1005, by: 7 })
  expect(await refusalOf(rig.api.sendMessage(-5, 'x'))).toMatchObject({ parameters: { migrate_to_chat_id: -1005 } })
  await rig.api.sendMessage(-1005, 'moved')
})

test('refuses with 403 once blocked or thrown out', async () => {
  await using rig = await startRig()
  rig.telegram.addBotToGroup({ chat: -100, by: 7 })
  rig.telegram.removeBotFromGroup({ chat: -100, by: 7 })
  rig.telegram.block(7)
  const refusals = await Promise.all([7, -100].map((chat) => refusalOf(rig.api.sendMessage(chat, 'x'))))
  expect(refusals.map((one) => one.description)).toEqual([
    'Forbidden: bot was blocked by the user',
    'Forbidden: bot was kicked from the supergroup chat',
  ])
})

test('pushes to the webhook with the secret, and again with the same id until a 2xx', async () => {
  await using rig = await startRig({ webhookRetryMs: 5 })
  const seen: { id: unknown; secret: unknown }[] = []
  const server = createServer((req, res) => {
    void readUpdateId(req).then((id) => {
      seen.push({ id, secret: req.headers['x-telegram-bot-api-secret-token'] })
      res.writeHead(seen.length < 3 ? 500 : 200).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  await rig.api.setWebhook(`http://127.0.0.1:${port}/hook`, { secret_token: 's-1' })
  await rig.telegram.until(() => rig.telegram.ledger.pushes.find((push) => push.status === 200))
  expect(seen).toEqual(Array.from({ length: 3 }, () => ({ id: seen[0]?.id, secret: 's-1' })))
  expect(rig.telegram.pendingUpdates()).toBe(0)
  server.close()
})

test.each([
  ['http://example.com/hook', 's'],
  ['https://example.com/hook', 'not allowed!'],
])('refuses the webhook %s with the secret %j', async (url, secret) => {
  await using rig = await startRig()
  expect((await refusalOf(rig.api.setWebhook(url, { secret_token: secret }))).error_code).toBe(400)
})

async function readUpdateId(req: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const part of req) text += String(part)
  const update: unknown = JSON.parse(text)
  return typeof update === 'object' && update !== null && 'update_id' in update ? update.update_id : undefined
}

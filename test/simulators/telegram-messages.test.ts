// Facts about sending, editing and deleting in the Telegram simulator, seen through the real grammY client.
import { InlineKeyboard, InputFile } from 'grammy'
import { expect, test } from 'vitest'
import { refusalOf, startRig } from './telegram-bot.ts'

test('shows what the bot sends, with its reply target and buttons', async () => {
  await using rig = await startRig()
  const keyboard = new InlineKeyboard().text('Yes', 'a:1').url('Site', 'https://example.com')
  const sent = await rig.api.sendMessage(7, 'answer', { reply_parameters: { message_id: 1 }, reply_markup: keyboard })
  expect(sent).toMatchObject({ message_id: 2, chat: { id: 7, type: 'private' }, reply_to_message: { message_id: 1 } })
  expect(rig.telegram.visible(7)[1]).toMatchObject({
    id: 2,
    from: 'bot',
    text: 'answer',
    replyTo: 1,
    buttons: [
      [
        { text: 'Yes', data: 'a:1' },
        { text: 'Site', url: 'https://example.com' },
      ],
    ],
  })
})

test.each(['', '  \n '])('refuses the empty text %j', async (text) => {
  await using rig = await startRig()
  expect((await refusalOf(rig.api.sendMessage(7, text))).description).toMatch(/^Bad Request: .*empty/)
})

test('counts 4096 UTF-16 units after entity parsing', async () => {
  await using rig = await startRig()
  await rig.api.sendMessage(7, `<b>${'x'.repeat(4096)}</b>`, { parse_mode: 'HTML' })
  expect((await refusalOf(rig.api.sendMessage(7, 'x'.repeat(4097)))).description).toBe(
    'Bad Request: message is too long',
  )
  expect((await refusalOf(rig.api.sendMessage(7, '😀'.repeat(2049)))).description).toContain('too long')
})

test('refuses a lone surrogate', async () => {
  await using rig = await startRig()
  expect((await refusalOf(rig.api.sendMessage(7, 'broken \ud800'))).description).toContain('UTF-8')
})

test('takes 64 bytes of callback data and refuses 65', async () => {
  await using rig = await startRig()
  const withData = (data: string) =>
    rig.api.sendMessage(7, 'x', { reply_markup: { inline_keyboard: [[{ text: 'b', callback_data: data }]] } })
  await withData('é'.repeat(32))
  expect((await refusalOf(withData(`${'é'.repeat(32)}x`))).description).toBe('Bad Request: BUTTON_DATA_INVALID')
})

test('refuses an unknown chat, an unknown reply target and an unknown topic', async () => {
  await using rig = await startRig()
  const refusals = [
    refusalOf(rig.api.sendMessage(8, 'x')),
    refusalOf(rig.api.sendMessage(7, 'x', { reply_parameters: { message_id: 99 } })),
    refusalOf(rig.api.sendMessage(7, 'x', { message_thread_id: 5 })),
  ]
  expect((await Promise.all(refusals)).map((one) => one.description)).toEqual([
    'Bad Request: chat not found',
    'Bad Request: message to be replied not found',
    'Bad Request: message thread not found',
  ])
})

test('sends without the reply when that is allowed', async () => {
  await using rig = await startRig()
  const lost = { message_id: 99, allow_sending_without_reply: true }
  expect(await rig.api.sendMessage(7, 'x', { reply_parameters: lost })).not.toHaveProperty('reply_to_message')
})

test('keeps every text of an edited message', async () => {
  await using rig = await startRig()
  const { message_id } = await rig.api.sendMessage(7, 'first')
  await rig.api.editMessageText(7, message_id, 'second')
  expect(rig.telegram.visible(7)[1]).toMatchObject({ text: 'second', edits: 1, texts: ['first', 'second'] })
})

test('refuses an edit that changes nothing', async () => {
  await using rig = await startRig()
  const { message_id } = await rig.api.sendMessage(7, 'same')
  const refusal = await refusalOf(rig.api.editMessageText(7, message_id, 'same'))
  expect(refusal).toMatchObject({ error_code: 400 })
  expect(refusal.description).toContain('message is not modified')
})

test('takes the keyboard away with an edit that names none', async () => {
  await using rig = await startRig()
  const { message_id } = await rig.api.sendMessage(7, 'x', { reply_markup: new InlineKeyboard().text('b', 'd') })
  await rig.api.editMessageText(7, message_id, 'y')
  expect(rig.telegram.visible(7)[1]?.buttons).toEqual([])
})

test('edits the keyboard alone', async () => {
  await using rig = await startRig()
  const { message_id } = await rig.api.sendMessage(7, 'x', { reply_markup: new InlineKeyboard().text('b', 'd') })
  await rig.api.editMessageReplyMarkup(7, message_id)
  expect(rig.telegram.visible(7)[1]).toMatchObject({ text: 'x', buttons: [], edits: 0 })
  expect((await refusalOf(rig.api.editMessageReplyMarkup(7, message_id))).description).toContain('not modified')
})

test("refuses to edit unknown and other people's messages", async () => {
  await using rig = await startRig()
  const unknown = await refusalOf(rig.api.editMessageText(7, 99, 'x'))
  expect(unknown.description).toBe('Bad Request: message to edit not found')
  expect((await refusalOf(rig.api.editMessageText(7, 1, 'x'))).description).toContain("can't be edited")
})

test('deletes a message once', async () => {
  await using rig = await startRig()
  const { message_id } = await rig.api.sendMessage(7, 'gone')
  await rig.api.deleteMessage(7, message_id)
  expect(rig.telegram.visible(7).map((one) => one.text)).toEqual(['hi'])
  expect((await refusalOf(rig.api.deleteMessage(7, message_id))).description).toContain('to delete not found')
})

test('shows drafts in private chats until the real message comes', async () => {
  await using rig = await startRig()
  await rig.api.sendMessageDraft(7, 1, 'so f')
  await rig.api.sendMessageDraft(7, 1, 'so far')
  expect(rig.telegram.drafts(7)).toEqual(['so far'])
  await rig.api.sendMessage(7, 'so far so good')
  expect(rig.telegram.drafts(7)).toEqual([])
  expect(rig.telegram.visible(7)).toHaveLength(2)
})

test('refuses drafts in groups and the draft id 0', async () => {
  await using rig = await startRig()
  rig.telegram.addBotToGroup({ chat: -100, by: 7 })
  expect((await refusalOf(rig.api.sendMessageDraft(-100, 1, 'x'))).description).toContain('PEER_INVALID')
  expect((await refusalOf(rig.api.sendMessageDraft(7, 0, 'x'))).error_code).toBe(400)
})

test('takes a rich message in exactly one form, up to 32768 characters', async () => {
  await using rig = await startRig()
  await rig.api.sendRichMessage(7, { markdown: '# Head' })
  expect(rig.telegram.visible(7)[1]).toMatchObject({ text: '# Head', isRich: true })
  expect((await refusalOf(rig.api.sendRichMessage(7, { markdown: 'a', html: 'a' }))).error_code).toBe(400)
  expect((await refusalOf(rig.api.sendRichMessage(7, { markdown: 'x'.repeat(32_769) }))).error_code).toBe(400)
})

test('counts the URLs of a message as fetched unless its preview is off', async () => {
  await using rig = await startRig()
  await rig.api.sendMessage(7, 'see https://example.com/a and <a href="https://example.com/b">b</a>', {
    parse_mode: 'HTML',
  })
  await rig.api.sendMessage(7, 'see https://example.com/c', { link_preview_options: { is_disabled: true } })
  const urls = rig.telegram.unfurled().map((one) => one.url)
  expect(urls).toEqual(['https://example.com/a', 'https://example.com/b'])
  expect(rig.telegram.visible(7).map((one) => one.hasLinkPreview)).toEqual([true, true, false])
})

test('counts images of a rich message as fetched', async () => {
  await using rig = await startRig()
  await rig.api.sendRichMessage(7, { markdown: '![](https://example.com/pixel.png)' })
  expect(rig.telegram.unfurled().map((one) => one.url)).toEqual(['https://example.com/pixel.png'])
})

test('takes a document and serves it back', async () => {
  await using rig = await startRig()
  const sent = await rig.api.sendDocument(7, new InputFile(Buffer.from('content'), 'notes.txt'), { caption: 'here' })
  expect(rig.telegram.visible(7)[1]).toMatchObject({ text: 'here', document: 'notes.txt' })
  const file = await rig.api.getFile(sent.document.file_id)
  const reply = await fetch(`${rig.telegram.apiRoot}/file/bot${rig.telegram.token}/${file.file_path}`)
  expect(await reply.text()).toBe('content')
})

test('refuses a caption beyond 1024 and a download beyond 20 MB', async () => {
  await using rig = await startRig()
  const long = rig.api.sendDocument(7, new InputFile(Buffer.from('c'), 'n'), { caption: 'x'.repeat(1025) })
  expect((await refusalOf(long)).description).toContain('caption is too long')
  rig.telegram.sendMedia({ from: 7, kind: 'document', bytes: 21 * 1024 * 1024 })
  const [, update] = await rig.api.getUpdates()
  const id = update?.message?.document?.file_id ?? ''
  expect((await refusalOf(rig.api.getFile(id))).description).toBe('Bad Request: file is too big')
})

test('sets one reaction that bots may set', async () => {
  await using rig = await startRig()
  await rig.api.setMessageReaction(7, 1, [{ type: 'emoji', emoji: '👍' }])
  expect(rig.telegram.visible(7)[0]?.reaction).toBe('👍')
  const two = [
    { type: 'emoji', emoji: '👍' },
    { type: 'emoji', emoji: '🔥' },
  ] as const
  expect((await refusalOf(rig.api.setMessageReaction(7, 1, [...two]))).description).toContain('TOO_MANY')
})

test('shows the chat action until the next message', async () => {
  await using rig = await startRig()
  await rig.api.sendChatAction(7, 'typing')
  expect(rig.telegram.action(7)?.action).toBe('typing')
  await rig.api.sendMessage(7, 'x')
  expect(rig.telegram.action(7)).toBeUndefined()
})

test('keeps the commands and refuses a wrong name', async () => {
  await using rig = await startRig()
  const commands = [{ command: 'help', description: 'What I can do' }]
  await rig.api.setMyCommands(commands)
  expect(await rig.api.getMyCommands()).toEqual(commands)
  expect(rig.telegram.commands()).toEqual(commands)
  const wrong = rig.api.setMyCommands([{ command: 'Help!', description: 'x' }])
  expect((await refusalOf(wrong)).description).toContain('BOT_COMMAND_INVALID')
})

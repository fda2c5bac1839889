// The Feishu simulator driven by the real SDK: its client sends, answers, changes and reads; its long connection brings events and presses.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { card, startRig } from './feishu-bot.ts'

test('tells the bot who it is, beside the code', async () => {
  await using rig = await startRig()
  const answer: unknown = await rig.client.request({ method: 'GET', url: '/open-apis/bot/v3/info' })
  expect(answer).toMatchObject({ code: 0, bot: { app_name: 'Flotilla', open_id: rig.feishu.bot.openId } })
  expect(rig.feishu.ledger.of('getTenantToken')).toHaveLength(1)
})

test('brings a message of a group, with who is named in it, and takes a reply with a button', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect()
  const question = rig.ann.say(rig.group, '@Flotilla hello')
  const event = await bot.next('im.message.receive_v1')
  expect(event).toMatchObject({
    sender: { sender_id: { open_id: rig.ann.openId }, sender_type: 'user' },
    message: {
      message_id: question,
      chat_id: rig.group,
      chat_type: 'group',
      message_type: 'text',
      content: '{"text":"@_user_1 hello"}',
      mentions: [{ key: '@_user_1', id: { open_id: rig.feishu.bot.openId }, name: 'Flotilla' }],
    },
  })
  const reply = await rig.client.im.v1.message.reply({
    path: { message_id: question },
    data: { msg_type: 'interactive', content: JSON.stringify(card('you said *hello*', 'Go')) },
  })
  expect(reply).toMatchObject({ code: 0, data: { parent_id: question, root_id: question } })
  expect(rig.feishu.visible(rig.group)).toMatchObject([
    { text: '@Flotilla hello', name: 'Ann' },
    { text: 'you said *hello*', from: 'bot', replyTo: question, buttons: [[{ label: 'Go', value: { go: 'Go' } }]] },
  ])
  await rig.feishu.ledger.waitForDelivery(({ type, outcome }) => type === 'im.message.receive_v1' && outcome === 'ok')
})

test('brings a press, shows its toast and its card, and lets it be changed later', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect({
    handle: (type) =>
      type === 'card.action.trigger'
        ? { toast: { type: 'success', content: 'done' }, card: { type: 'raw', data: card('pressed') } }
        : undefined,
  })
  const { message_id: id } = await rig.send('interactive', card('ask', 'Go', 'Stop'))
  const press = rig.ann.press(rig.group, id, 'Go')
  const event = await bot.next('card.action.trigger')
  expect(event).toMatchObject({
    operator: { open_id: rig.ann.openId },
    token: press,
    action: { tag: 'button', value: { go: 'Go' } },
    context: { open_message_id: id, open_chat_id: rig.group },
  })
  const shown = await rig.feishu.until(() => [rig.feishu.pressed(press)].find(({ state }) => state !== 'waiting'))
  expect(shown).toMatchObject({ state: 'answered', toast: 'done', error: undefined })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: 'pressed', buttons: [] }])
  await rig.client.im.v1.message.patch({
    path: { message_id: id },
    data: { content: JSON.stringify(card('later')) },
  })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ texts: ['ask', 'pressed', 'later'] }])
})

test('reacts, reads and takes back', async () => {
  await using rig = await startRig()
  const question = rig.ann.say(rig.group, 'hello')
  await rig.client.im.v1.messageReaction.create({
    path: { message_id: question },
    data: { reaction_type: { emoji_type: 'OnIt' } },
  })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ reactions: { OnIt: ['Flotilla'] } }])
  const { message_id: id } = await rig.send('text', { text: 'hi' })
  const read = await rig.client.im.v1.message.get({ path: { message_id: id } })
  expect(read).toMatchObject({
    data: { items: [{ msg_type: 'text', deleted: false, sender: { sender_type: 'app' } }] },
  })
  await rig.client.im.v1.message.delete({ path: { message_id: id } })
  expect(rig.feishu.visible(rig.group)).toHaveLength(1)
})

test('sends one message for one uuid', async () => {
  await using rig = await startRig()
  const first = await rig.send('text', { text: 'once' }, rig.group, 'key')
  const second = await rig.send('text', { text: 'once' }, rig.group, 'key')
  expect(second.message_id).toBe(first.message_id)
  expect(rig.feishu.visible(rig.group)).toHaveLength(1)
  rig.feishu.advance(3_600_001)
  await rig.send('text', { text: 'once' }, rig.group, 'key')
  expect(rig.feishu.visible(rig.group)).toHaveLength(2)
})

test('uploads a file and sends it', async () => {
  await using rig = await startRig()
  const made: unknown = await rig.client.im.v1.file.create({
    data: { file_type: 'stream', file_name: 'notes.md', file: Buffer.from('# Notes') },
  })
  const { file_key: key } = z.object({ file_key: z.string() }).parse(made)
  await rig.send('file', { file_key: key })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ files: [{ name: 'notes.md', text: '# Notes' }] }])
})

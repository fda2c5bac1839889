// Facts about what comes in over the long connection: groups, topics, direct chats, mentions, quotes, forwards, what is taken back;
// each stored once, however Feishu brings it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '#test/rig/channel-rig.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

test('a message in a group is stored with who wrote it, and not taken as meant for the bot', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  const ada = rig.feishu.person('Ada')
  const id = ada.say(chat, 'hello all')
  expect(await rig.waitForEvents(`feishu:${chat}`, 1)).toMatchObject([
    {
      id: `fs:${id}`,
      kind: 'message',
      principal: `feishu:${ada.openId}`,
      text: 'hello all',
      messageId: id,
      addressed: false,
      group: true,
    },
  ])
  expect(rig.hinted).toContain(`feishu:${chat}`)
})

test('a mention of the bot is taken off and makes it addressed; others are named', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const chat = rig.feishu.addGroup({ owner: 'Ada', members: ['Bo'] })
  const ada = rig.feishu.person('Ada')
  ada.say(chat, '@Flotilla ask @Bo please')
  ada.say(chat, 'good @Flotilla , really')
  ada.say(chat, '@all look')
  expect(await rig.waitForEvents(`feishu:${chat}`, 3)).toMatchObject([
    { text: 'ask @Bo please', addressed: true },
    { text: 'good , really', addressed: true },
    { text: '@all look', addressed: false },
  ])
})

test('a command behind the bot’s name is one, and mentions in it are ids', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const chat = rig.feishu.addGroup({ owner: 'Ada', members: ['Bo'] })
  const [ada, bo] = [rig.feishu.person('Ada'), rig.feishu.person('Bo')]
  ada.say(chat, '@Flotilla /allow @Bo')
  expect(await rig.waitForEvents(`feishu:${chat}`, 1)).toMatchObject([
    { command: { name: 'allow', args: `feishu:${bo.openId}` }, addressed: true },
  ])
})

test('a direct message is always for the bot, in a conversation that goes by its person', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const ada = rig.feishu.person('Ada')
  ada.say(ada.dm, 'psst')
  expect(await rig.waitForEvents(rig.direct('Ada'), 1)).toMatchObject([{ text: 'psst', addressed: true, group: false }])
})

test('an entry of the bot’s menu is a command in the direct chat', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  rig.feishu.person('Ada').menu('help')
  expect(await rig.waitForEvents(rig.direct('Ada'), 1)).toMatchObject([
    { text: '/help', command: { name: 'help', args: '' }, name: 'Ada' },
  ])
})

test('a topic is a conversation of its own in its chat, in which nothing is quoted: Feishu names its opening alone', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const chat = rig.feishu.addGroup({ owner: 'Ada', isTopics: true })
  const ada = rig.feishu.person('Ada')
  const opening = ada.say(chat, 'Plans')
  const [first] = await rig.waitForEvents(`feishu:${chat}:${opening}`, 1)
  expect(first).toMatchObject({ text: 'Plans', messageId: opening })
  const thread = rig.feishu.visible(chat)[0]?.thread
  const second = ada.say(chat, 'more', { thread })
  ada.say(chat, 'to that', { thread, replyTo: second })
  const events = await rig.waitForEvents(`feishu:${chat}:${opening}`, 3)
  for (const event of events) expect(event).not.toHaveProperty('replyTo')
})

test('a reply to the bot is for it, with the words of its card', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  const ada = rig.feishu.person('Ada')
  ada.say(chat, 'go')
  await rig.waitForEvents(`feishu:${chat}`, 1)
  await rig.queue(`feishu:${chat}`, [toBody('A **bold** answer.')])
  await rig.deliver(`feishu:${chat}`)
  const [answer] = rig.feishu.visible(chat).filter(({ from }) => from === 'bot')
  ada.say(chat, 'really?', { replyTo: answer?.id })
  const events = await rig.waitForEvents(`feishu:${chat}`, 2)
  expect(events[1]).toMatchObject({ addressed: true, replyTo: { fromBot: true, text: 'A **bold** answer.' } })
})

test('words of a rich text are read, with its pictures and addresses', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const ada = rig.feishu.person('Ada')
  ada.sayPost(
    ada.dm,
    [
      [
        { tag: 'text', text: 'see ' },
        { tag: 'a', href: 'https://a.example/x', text: 'here' },
      ],
      [{ tag: 'img', image_key: 'img_v3_1' }],
    ],
    { title: 'News' },
  )
  ada.send(ada.dm, 'file', { name: 'a.pdf' })
  expect(await rig.waitForEvents(rig.direct('Ada'), 2)).toMatchObject([
    { text: 'News\nsee here (https://a.example/x)', media: [{ kind: 'photo' }] },
    { text: '', media: [{ kind: 'document', name: 'a.pdf' }] },
  ])
})

test('what is taken back, and a thumb under an answer, belong to where they happened', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const ada = rig.feishu.person('Ada')
  const said = ada.say(ada.dm, 'oops')
  await rig.waitForEvents(rig.direct('Ada'), 1)
  await rig.queue(rig.direct('Ada'), [toBody('An answer.')])
  await rig.deliver(rig.direct('Ada'))
  const answer = rig.feishu.visible(ada.dm).find(({ from }) => from === 'bot')?.id ?? ''
  ada.react(ada.dm, answer, 'THUMBSUP')
  await rig.waitForEvents(rig.direct('Ada'), 2)
  ada.unreact(ada.dm, answer, 'THUMBSUP')
  await rig.waitForEvents(rig.direct('Ada'), 3)
  ada.react(ada.dm, said, 'THUMBSUP')
  ada.recall(ada.dm, said)
  expect((await rig.waitForEvents(rig.direct('Ada'), 4)).slice(1)).toMatchObject([
    { kind: 'reaction', messageId: answer, emoji: ['👍'] },
    { kind: 'reaction', messageId: answer, emoji: [] },
    { kind: 'delete', messageId: said },
  ])
})

test('the bot’s coming and going open and close the chat', async () => {
  await using rig = await openFeishuRig(server, { leaveOut: undefined })
  await rig.start()
  const chat = rig.feishu.addGroup({ owner: 'Ada', name: 'Room' })
  const ada = rig.feishu.person('Ada')
  expect(await rig.waitForEvents(`feishu:${chat}`, 1)).toMatchObject([
    { kind: 'join', principal: `feishu:${ada.openId}`, title: 'Room' },
  ])
  rig.feishu.removeBot(chat, 'Ada')
  await rig.waitForEvents(`feishu:${chat}`, 2)
  expect(await rig.chats.find(`feishu:${chat}`)).toMatchObject({ closed: 'the bot was removed from the chat' })
})

test('brought again, under another event’s id or another message’s, it is the same one', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const ada = rig.feishu.person('Ada')
  ada.say(ada.dm, 'once')
  await rig.waitForEvents(rig.direct('Ada'), 1)
  rig.feishu.repeat('im.message.receive_v1')
  rig.feishu.repeatAnew('im.message.receive_v1')
  rig.feishu.repeatAnew('im.message.receive_v1', { isNewMessage: true })
  ada.menu('status')
  rig.feishu.repeat('application.bot.menu_v6')
  rig.feishu.repeatAnew('application.bot.menu_v6')
  ada.say(ada.dm, 'after')
  const events = await rig.waitForEvents(rig.direct('Ada'), 3)
  expect(events).toMatchObject([{ text: 'once' }, { text: '/status' }, { text: 'after' }])
  await until(async () => (rig.feishu.pending() === 0 ? true : undefined))
  expect(await rig.events(rig.direct('Ada'))).toHaveLength(3)
})

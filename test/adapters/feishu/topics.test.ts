// Facts about topics and about what people pass on: a topic that the bot belongs to needs no mention, and bundles, cards, tasks and calendar entries
// are others' words.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { say } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

test('a topic below the bot’s answer is for the bot, and begins with that answer', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const chat = rig.feishu.addGroup({ owner: 'Ada', members: ['Bo'] })
  await rig.queue(`feishu:${chat}`, [say('An answer.')])
  await rig.deliver(`feishu:${chat}`)
  const answer = rig.feishu.visible(chat)[0]?.id ?? ''
  const [ada, bo] = [rig.feishu.person('Ada'), rig.feishu.person('Bo')]
  const thread = ada.openThread(chat, 'why?', { below: answer })
  bo.say(chat, 'and how?', { thread })
  bo.say(chat, '@Ada do you know?', { thread })
  const events = await rig.waitForEvents(`feishu:${chat}:${answer}`, 3)
  expect(events).toMatchObject([
    { text: 'why?', addressed: true, replyTo: { messageId: answer, fromBot: true, text: 'An answer.' } },
    { text: 'and how?', addressed: true, hidesReply: true },
    { text: '@Ada do you know?', addressed: false },
  ])
  expect(events[1]).not.toHaveProperty('replyTo')
})

test('a topic in which somebody mentioned the bot is for the bot from then on, in every process', async () => {
  await using rig = await openFeishuRig(server)
  const stop = await rig.start()
  const chat = rig.feishu.addGroup({ owner: 'Ada', members: ['Bo'] })
  const [ada, bo] = [rig.feishu.person('Ada'), rig.feishu.person('Bo')]
  const root = ada.say(chat, 'Plans')
  const thread = bo.openThread(chat, 'which?', { below: root })
  ada.say(chat, '@Flotilla what do you think?', { thread })
  const here = `feishu:${chat}:${root}`
  expect(await rig.waitForEvents(here, 2)).toMatchObject([
    { text: 'which?', addressed: false },
    { addressed: true, replyTo: { messageId: root, fromBot: false, text: 'Plans' } },
  ])
  await stop()
  rig.run(rig.another())
  bo.say(chat, 'and then?', { thread })
  expect((await rig.waitForEvents(here, 3))[2]).toMatchObject({ text: 'and then?', addressed: true })
})

test('a reply to a bundle brings along what the bundle holds', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const chat = rig.feishu.addGroup({ owner: 'Ada', members: ['Bo'] })
  const [ada, bo] = [rig.feishu.person('Ada'), rig.feishu.person('Bo')]
  const bundle = ada.forward(chat, [ada.say(chat, 'the server burns'), bo.say(chat, 'I have a bucket')])
  ada.say(chat, '@Flotilla summarise this', { replyTo: bundle })
  expect((await rig.waitForEvents(`feishu:${chat}`, 4))[3]).toMatchObject({
    text: 'summarise this',
    replyTo: { messageId: bundle, fromBot: false },
    quoted: [
      { how: 'forward', text: 'the server burns' },
      { how: 'forward', text: 'I have a bucket' },
    ],
  })
})

test('a card that somebody passes on is others’ words, and tasks and calendar entries are named', async () => {
  await using rig = await openFeishuRig(server)
  await rig.start()
  const ada = rig.feishu.person('Ada')
  const words = [[{ tag: 'text', text: 'Disk full at 97%' }]]
  ada.sayAny(ada.dm, 'interactive', { title: 'Alert: db-1', elements: words })
  ada.sayAny(ada.dm, 'interactive', { type: 'template' })
  ada.sayAny(ada.dm, 'todo', { task_id: 't', summary: { title: '', content: [[{ tag: 'text', text: 'Buy milk' }]] } })
  ada.sayAny(ada.dm, 'share_calendar_event', { summary: 'Review', start_time: '1', end_time: '2' })
  ada.sayAny(ada.dm, 'general_calendar', {})
  ada.sayAny(ada.dm, 'system', { template: 'x' })
  ada.say(ada.dm, 'after')
  expect(await rig.waitForEvents(rig.direct('Ada'), 6)).toMatchObject([
    { text: '', quoted: [{ how: 'forward', text: 'Alert: db-1\nDisk full at 97%' }] },
    { text: '', media: [{ kind: 'card' }] },
    { text: '', media: [{ kind: 'task', name: 'Buy milk' }] },
    { text: '', media: [{ kind: 'event', name: 'Review' }] },
    { text: '', media: [{ kind: 'event' }] },
    { text: 'after' },
  ])
})

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

// People in a chat, in the words of every platform's driver, over the simulated Feishu, with a small bot of the real SDK on the other side.
import { Client, DefaultCache, EventDispatcher, WSClient } from '@larksuiteoapi/node-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startFeishu, type FeishuPlatform } from '#test/rig/chats/feishu-chat.ts'
import { labels } from '#test/rig/chats/chat.ts'
import { card, quiet } from './feishu-bot.ts'

const said = z.looseObject({ message: z.looseObject({ message_id: z.string(), content: z.string() }) })
const pressed = z.looseObject({ action: z.looseObject({ value: z.unknown() }) })

/** Answers every message with a card that repeats it and has a button, and every press with a toast. */
async function startBot({ feishu, connected }: FeishuPlatform): Promise<AsyncDisposable> {
  const { appId, appSecret, apiRoot: domain } = feishu
  const client = new Client({ appId, appSecret, domain, cache: new DefaultCache(), logger: quiet })
  const line = new WSClient({ appId, appSecret, domain, logger: quiet })
  const eventDispatcher = new EventDispatcher({ logger: quiet }).register({
    'im.message.receive_v1': async (event) => {
      const { message_id: id, content } = said.parse(event).message
      const { text = '' } = z.looseObject({ text: z.string().optional() }).parse(JSON.parse(content))
      await client.im.v1.message.reply({
        path: { message_id: id },
        data: { msg_type: 'interactive', content: JSON.stringify(card(`You said: ${text}`, 'Go')) },
      })
    },
    'card.action.trigger': (event: unknown) => ({
      toast: { type: 'info', content: JSON.stringify(pressed.parse(event).action.value) },
    }),
  })
  await line.start({ eventDispatcher })
  await connected()
  return { [Symbol.asyncDispose]: async () => line.close({ force: true }) }
}

test('asks, is answered, presses and is told', async () => {
  await using platform = await startFeishu()
  await using _ = await startBot(platform)
  const chat = platform.direct('Ann')
  const answer = await chat.answerTo('Ann', 'hello')
  expect(answer).toMatchObject({
    by: 'Flotilla',
    text: 'You said: hello',
    buttons: [[{ label: 'Go', data: '{"go":"Go"}' }]],
  })
  expect(labels(answer)).toEqual(['Go'])
  const press = chat.press('Ann', answer.id, 'Go')
  expect(await press.notice()).toBe('{"go":"Go"}')
  expect(press.acknowledged()).toBe(1)
  expect(await chat.forge('Ann', answer.id, 'made up').notice()).toBe('"made up"')
  expect(chat.conversation).toBe(platform.principal('Ann'))
})

test('is answered in a group where it names the bot, and in topics', async () => {
  await using platform = await startFeishu()
  await using _ = await startBot(platform)
  const group = platform.group({ by: 'Olga', title: 'Team', admins: ['Adam'] })
  const answer = await group.answerTo('Ann', 'hello')
  expect(answer.text).toBe('You said: @_user_1 hello')
  const topic = group.openThread('Ann', 'a topic')
  const inside = await topic.answerTo('Bob', 'inside')
  expect(inside.text).toContain('inside')
  expect(topic.seen().map(({ by }) => by)).toContain('Bob')
  expect(group.conversation.split(':')).toHaveLength(2)
  expect(topic.conversation.split(':')).toHaveLength(3)
  expect(group.said()).toHaveLength(1)
})

test('shows pictures, reactions, edits, and loses an answer on demand', async () => {
  await using platform = await startFeishu()
  const chat = platform.group({ by: 'Olga' })
  const id = chat.say('Ann', 'look', { pictures: ['cat.png'] })
  expect(chat.find(id)).toMatchObject({ text: 'look\n[img]', files: [{ name: 'cat.png' }] })
  const other = chat.say('Ann', 'helo')
  chat.edit('Ann', other, 'hello')
  chat.react('Bob', other, '👍')
  expect(chat.find(other)).toMatchObject({ text: 'hello', texts: ['helo', 'hello'], reaction: undefined })
  expect(platform.feishu.visible(platform.chatIdOf(chat))[1]?.reactions).toEqual({ THUMBSUP: ['Bob'] })
  await using bot = await startBot(platform)
  chat.loseAnswer()
  const question = chat.ask('Ann', 'lost')
  await chat.replyTo(question)
  await platform.feishu.ledger.waitFor(({ outcome, route }) => route === 'replyMessage' && outcome === 'lost')
  chat.repeat()
  await chat.until(() => (chat.said().length >= 2 ? true : undefined))
  chat.askToWait(3)
  expect(chat.requests().every(({ waitMs }) => waitMs === undefined)).toBe(true)
  expect(bot).toBeDefined()
})

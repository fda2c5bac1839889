// Facts about pressed buttons: the toast tells the truth, one press wins, nobody presses what is not theirs.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Question } from '#shared/run/question.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { ask, say } from '#test/rig/channel-rig.ts'
import { openTelegramRig, type TelegramRig } from './telegram-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

type Card = { readonly question: Question; readonly message: number }

/** A question's card in a chat, delivered. */
async function sendCard(rig: TelegramRig, chat: number, owner?: Question['owner']): Promise<Card> {
  const conversation = `telegram:${chat}`
  const question = ask(conversation, owner)
  const buttons = [
    [
      { id: `${question.id}.redo`, label: 'Redo' },
      { id: `${question.id}.leave`, label: 'Leave it' },
    ],
  ]
  await rig.queue(conversation, [say('Shall I?', { buttons })], [question])
  await rig.deliver(conversation)
  const message = rig.telegram.visible(chat).at(-1)?.id ?? 0
  return { question, message }
}

/** Presses and waits for the toast. */
async function press(
  rig: TelegramRig,
  { from, chat, card, choice = 'redo' }: { from: number; chat: number; card: Card; choice?: string },
): Promise<string | undefined> {
  const data = `${card.question.id}.${choice}`
  const { id } = rig.telegram.press({ from, chat, message: card.message, data, isForged: true })
  return (await rig.telegram.until(() => rig.telegram.pressAnswer(id))).text
}

async function openGroup(): Promise<TelegramRig> {
  const rig = await openTelegramRig(server)
  rig.telegram.addUser({ id: 8, is_bot: false, first_name: 'Bo', language_code: 'zh-hans' })
  rig.telegram.addBotToGroup({ chat: -100, by: 7 })
  rig.run()
  await rig.waitForEvents('telegram:-100', 1)
  return rig
}

test('a press that wins is told so and becomes an answer with what the question kept', async () => {
  await using rig = await openGroup()
  const card = await sendCard(rig, -100)
  expect(await press(rig, { from: 7, chat: -100, card })).toBe('Got it.')
  const events = await rig.waitForEvents('telegram:-100', 2)
  expect(events[1]).toMatchObject({
    kind: 'answer',
    principal: 'telegram:7',
    question: card.question.id,
    choice: 'redo',
    payload: 'the corrected text',
  })
  expect(rig.hinted.at(-1)).toBe('telegram:-100')
})

test('an answered question shows no buttons any more', async () => {
  await using rig = await openGroup()
  const card = await sendCard(rig, -100)
  await press(rig, { from: 7, chat: -100, card })
  const edit = await rig.telegram.ledger.waitFor(
    ({ method, outcome }) => method === 'editMessageReplyMarkup' && outcome === 'ok',
  )
  expect(edit.message).toBe(card.message)
  expect(rig.telegram.visible(-100).at(-1)?.buttons).toEqual([])
})

test('a second press is told who answered what, in the language of the one who presses', async () => {
  await using rig = await openGroup()
  const card = await sendCard(rig, -100)
  await press(rig, { from: 7, chat: -100, card, choice: 'leave' })
  expect(await press(rig, { from: 8, chat: -100, card })).toMatch(/^已经有人回答(：Leave it)?（7）$/)
  expect(await rig.events('telegram:-100')).toHaveLength(2)
})

test('the winner pressing again is told the same again, and nothing happens twice', async () => {
  await using rig = await openGroup()
  const card = await sendCard(rig, -100)
  await press(rig, { from: 7, chat: -100, card })
  expect(await press(rig, { from: 7, chat: -100, card })).toBe('Got it.')
  expect(await press(rig, { from: 7, chat: -100, card, choice: 'leave' })).toMatch(/^You already chose(: Redo)?$/)
  expect(await rig.events('telegram:-100')).toHaveLength(2)
})

test("somebody else's button is refused", async () => {
  await using rig = await openGroup()
  const card = await sendCard(rig, -100, 'telegram:8')
  expect(await press(rig, { from: 7, chat: -100, card })).toBe('This button is not for you.')
  expect(await press(rig, { from: 8, chat: -100, card })).toBe('收到。')
})

test.each([
  ['an unknown question', 'p00-aaaaaaaaaaaaaaaaaaaaaa.redo'],
  ['an option it does not have', 'OPTION'],
  ['nonsense', 'delete everything'],
  ['a partition that does not exist', 'p99-aaaaaaaaaaaaaaaaaaaaaa.redo'],
])('forged data with %s is no longer valid', async (_, data) => {
  await using rig = await openGroup()
  const card = await sendCard(rig, -100)
  const forged = data === 'OPTION' ? `${card.question.id}.delete` : data
  const { id } = rig.telegram.press({ from: 7, chat: -100, message: card.message, data: forged, isForged: true })
  expect((await rig.telegram.until(() => rig.telegram.pressAnswer(id))).text).toBe(
    'This message is out of date: its buttons no longer work.',
  )
  expect(await rig.events('telegram:-100')).toHaveLength(1)
})

test('a button pressed in another chat is refused', async () => {
  await using rig = await openGroup()
  const card = await sendCard(rig, -100)
  const { message } = rig.telegram.sendText({ from: 7, text: 'hi' })
  expect(await press(rig, { from: 7, chat: 7, card: { ...card, message } })).toBe('This button is not for you.')
})

test('a press in a topic answers the question of that topic', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -200, by: 7, isForum: true })
  const topic = rig.telegram.createTopic({ chat: -200, by: 7, name: 'Plans' })
  rig.run()
  const conversation = `telegram:-200:${topic}`
  const question = ask(conversation)
  const buttons = [[{ id: `${question.id}.redo`, label: 'Redo' }]]
  await rig.queue(conversation, [say('Shall I?', { buttons })], [question])
  await rig.deliver(conversation)
  const card = rig.telegram.visible(-200).at(-1)
  expect(card?.topic).toBe(topic)
  expect(await press(rig, { from: 7, chat: -200, card: { question, message: card?.id ?? 0 } })).toBe('Got it.')
  expect(await rig.waitForEvents(conversation, 1)).toMatchObject([{ kind: 'answer', conversation }])
})

test('a press is answered although its late toast is refused', async () => {
  await using rig = await openGroup()
  const card = await sendCard(rig, -100)
  rig.telegram.fault({
    when: { method: 'answerCallbackQuery' },
    fault: { kind: 'error', status: 400, description: 'Bad Request: query is too old' },
  })
  rig.telegram.press({ from: 7, chat: -100, message: card.message, data: `${card.question.id}.redo` })
  expect(await rig.waitForEvents('telegram:-100', 2)).toHaveLength(2)
  rig.telegram.sendText({ from: 7, chat: -100, text: 'next' })
  expect(await rig.waitForEvents('telegram:-100', 3)).toHaveLength(3)
})

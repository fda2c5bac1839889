// Who stops what in a Telegram group, and what becomes of a growing answer when Telegram does not take its last edit at once.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { labels, type Seen, type SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram, type TelegramPlatform } from '#test/rig/chats/telegram-chat.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'

const long = `${'This is a sentence of the answer. '.repeat(20)}THE END`
const invalid = 'This message is out of date: its buttons no longer work.'

let fleet: Fleet
let platform: TelegramPlatform
let telegram: TelegramPlatform['telegram']
/** A group of its own for each test. */
let group: SimulatedChat
let chat: number
beforeAll(async () => {
  platform = await startTelegram({ patienceMs: 20_000 })
  telegram = platform.telegram
  fleet = await startChatFleet([platform], { owner: 'Olga' })
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
  await platform[Symbol.asyncDispose]()
})
beforeEach(async () => {
  fleet.model.clearScript()
  group = platform.group({ by: 'Olga', admins: ['Bob'] })
  chat = platform.chatIdOf(group)
  await group.until(() => group.said()[0])
})

const running = (count: number): Promise<unknown> => until(() => fleet.model.ledger.counters.open === count)

/** A long answer that is being shown, with its Stop button. */
async function startGrowing(): Promise<Seen> {
  fleet.model.script({ when: { text: 'first' }, answer: { kind: 'text', text: long }, chunkDelayMs: 150 })
  group.ask('Ann', 'explain first')
  return await group.until(() => group.said().find((one) => labels(one).includes('Stop')))
}

/** A question of Ann's that the model does not answer until it is stopped. */
async function stall(): Promise<string> {
  fleet.model.script({ when: { text: 'stall' }, fault: { kind: 'stall', afterChunks: 1 } })
  const asked = group.ask('Ann', 'stall please')
  await running(1)
  return asked
}

test('the Stop of an answer that has ended leaves its owner’s next question alone', async () => {
  fleet.model.script({
    when: { text: 'second' },
    answer: { kind: 'text', text: 'the second answer' },
    gate: { name: 'two' },
  })
  const card = await startGrowing()
  // The edit that brings the answer, and takes Stop away, has to wait.
  const when = { method: 'editMessageText', chat, text: 'THE END' }
  telegram.fault({ when, times: 1, fault: { kind: 'rate-limit', retryAfterS: 8 } })
  await telegram.ledger.waitFor((call) => call.status === 429, 20_000)
  const second = group.ask('Ann', 'and now second?')
  await running(1)
  expect(labels(group.find(card.id))).toEqual(['Stop'])
  expect(await group.press('Ann', card.id, 'Stop').notice()).toBe(invalid)
  fleet.model.open('two')
  expect((await group.replyTo(second)).text).toBe('the second answer')
  expect(group.find(card.id).text).toContain('THE END')
}, 60_000)

test('the last edit of a growing answer is made again when nobody knows whether it was made', async () => {
  const card = await startGrowing()
  const when = { method: 'editMessageText', chat, text: 'THE END' }
  for (const accepted of [false, true])
    telegram.fault({ when, times: 1, fault: { kind: 'error', status: 502, description: 'Bad Gateway', accepted } })
  await group.when(card.id, ({ text }) => text.includes('THE END'))
  await group.when(card.id, (one) => !labels(one).includes('Stop'))
  await group.answerTo('Ann', 'thanks?')
  expect(group.said().filter(({ text }) => text.includes('may not have arrived'))).toEqual([])
  expect(group.said().filter(({ text }) => text.includes('THE END'))).toHaveLength(1)
}, 60_000)

test('"stop" said to somebody else is no order', async () => {
  const asked = await stall()
  const theirs = group.say('Bob', 'look at this, it never ends')
  group.say('Ann', 'stop', { replyTo: theirs })
  // Behind it in the same mailbox.
  await group.replyTo(group.say('Ann', `/status${group.mention}`))
  expect(fleet.model.ledger.counters.open).toBe(1)
  group.say('Ann', 'stop')
  expect((await group.replyTo(asked)).text).toMatch(/^echo: .*stall please\n\n\(Stopped\.\)$/)
})

test('an administrator’s /stop ends the reply to somebody else', async () => {
  const asked = await stall()
  group.say('Bob', `/stop${group.mention}`)
  expect((await group.replyTo(asked)).text).toMatch(/^echo: .*stall please\n\n\(Stopped\.\)$/)
})

test('presses ask nothing of a chat that Telegram asked to leave alone', async () => {
  const card = await group.replyTo(group.say('Olga', `/depth${group.mention}`))
  const data = card.buttons[0]?.[0]?.data ?? ''
  const [question = ''] = data.split('.')
  // Forgotten, as after two weeks.
  await fleet.redis.admin.del(...(await fleet.redis.admin.keys(`*${question}*`)))
  telegram.fault({ when: { method: 'sendMessage', chat }, times: 1, fault: { kind: 'rate-limit', retryAfterS: 4 } })
  const waiting = group.say('Ann', `/status${group.mention}`)
  await telegram.ledger.waitFor((call) => call.status === 429 && call.params['chat_id'] === chat)
  telegram.ledger.clear()
  const presses = Array.from({ length: 20 }, (_, i) => group.forge(`Member ${i}`, card.id, data))
  for (const pressed of presses) expect(await pressed.notice()).toBe(invalid)
  expect(telegram.ledger.entries.filter((call) => call.params['chat_id'] === chat)).toEqual([])
  await group.replyTo(waiting)
  // With room again, a press takes the buttons away; in the minute after the refusal there may be none.
  const pressAgain = async (): Promise<readonly string[]> => {
    await group.forge('Member 0', card.id, data).notice()
    return labels(group.find(card.id))
  }
  await expect.poll(pressAgain, { interval: 1000, timeout: 70_000 }).toEqual([])
}, 100_000)

// Buttons in a Telegram group, from the message to the press and back, with the whole fleet between: what people see and are told.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { labels, type Seen, type SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram, type TelegramPlatform } from '#test/rig/chats/telegram-chat.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'

const shortAnswer = 'An answer that is short, but not too short. '.repeat(3).trim()
const long = 'This is a sentence of the answer. '.repeat(15).trim()
const invalid = 'This message is out of date: its buttons no longer work.'
const notYours = 'This button is not for you.'

let fleet: Fleet
let platform: TelegramPlatform
/** A group of its own for each test. */
let chat: SimulatedChat

beforeAll(async () => {
  platform = await startTelegram()
  fleet = await startChatFleet([platform], { owner: 'Olga', env: { FLOTILLA_ALLOW: '*' } })
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
  await platform[Symbol.asyncDispose]()
})
beforeEach(async () => {
  fleet.model.clearScript()
  platform.telegram.ledger.clear()
  chat = platform.group({ by: 'Olga', admins: ['Ann'] })
  await chat.until(() => chat.said()[0])
})

/** Ann writes, and the bot says something after it. */
async function ask(text: string): Promise<Seen> {
  const before = chat.said().length
  chat.say('Ann', text)
  return await chat.until(() => chat.said()[before])
}
/** In a group answers have no Shorter and Longer unless somebody wants them. */
async function wantButtons(): Promise<void> {
  const before = chat.said().length
  chat.say('Olga', '/config@flotilla_test_bot # CONFIG\n## Preferences\nanswerButtons: on')
  await chat.until(() => chat.said()[before])
}
const press = (card: Seen, label: string, who = 'Ann'): Promise<string> => chat.press(who, card.id, label).notice()
const forge = (card: Seen, data: string, who = 'Ann'): Promise<string> => chat.forge(who, card.id, data).notice()
const dataOf = (card: Seen): string[] => card.buttons.flat().map(({ data }) => data)
const bare = (one: Seen): boolean => labels(one).length === 0

test('/config is walked through in one message, by the asker and by an owner, and by nobody else', async () => {
  const card = await ask('/config@flotilla_test_bot')
  expect(labels(card)).toEqual([
    'Language',
    'Default depth',
    'Style',
    'Technical depth',
    'Pace',
    'When I answer here',
    'Task checkpoints',
    'Steps per checkpoint',
    'Buttons under answers',
    'Done',
  ])
  expect(await press(card, 'Done', 'Bob')).toBe(notYours)
  expect(await press(card, 'Default depth')).toBe('Got it.')
  await chat.when(card.id, (one) => labels(one).includes('deep'))
  expect(await press(card, 'deep', 'Olga')).toBe('Got it.')
  const back = await chat.when(card.id, (one) => labels(one).includes('Done'))
  expect(back.text).toContain('Default depth: deep')
  expect(await press(card, 'Default depth')).toBe('Got it.')
  await chat.when(card.id, (one) => labels(one).includes('✓ deep'))
  await press(card, 'light')
  const set = await chat.when(card.id, ({ text }) => text.includes('set by Ann'))
  expect(set.text).toContain('Default depth: light')
  await press(card, 'Done')
  const done = await chat.when(card.id, bare)
  expect(done.text).not.toContain('set by')
  expect(chat.said()).toHaveLength(2)
})

test('twenty people at once: one wins, everybody is told, and the message shows what holds', async () => {
  const card = await ask('/depth')
  const data = dataOf(card)
  const toasts = await Promise.all(
    Array.from({ length: 20 }, (_, i) => forge(card, data[i % 4] ?? '', i % 2 === 0 ? 'Ann' : 'Olga')),
  )
  const told = await chat.when(card.id, ({ text }) => text.includes('set by'))
  expect(told.buttons).toEqual([])
  expect(toasts.filter((toast) => toast !== '')).toHaveLength(20)
  const asked = (await ask('/depth')).text
  expect(told.text).toContain(asked)
  expect(chat.find(card.id).texts).toHaveLength(2)
})

test('forged data is told so, changes nothing, and takes no buttons away', async () => {
  const other = await ask('/depth')
  const card = await ask('/depth')
  const [own = '', others = ''] = [...dataOf(card).slice(0, 1), ...dataOf(other)]
  const [question = '', option = ''] = own.split('.')
  const forged = [
    '\u0000\u0001\ufffd\u{1f4a3}\u202e',
    'x'.repeat(64),
    `${question}.shorter`,
    `${question}.`,
    question,
    `.${option}`,
    `${question.startsWith('p63') ? 'p62' : 'p63'}-${question.slice(4)}.${option}`,
    `p64-${question.slice(4)}.${option}`,
    `p00-${'a'.repeat(22)}.${option}`,
    `${question}.${'y'.repeat(100_000)}`,
    `${own}.${own}.${own}`.replace(own, `${question}.nothing`),
    '__proto__',
    '{"v":1}',
    '*',
  ]
  for (const data of forged) expect(await forge(card, data)).toBe(invalid)
  expect(await forge(card, `${others.split('.')[0]}.set-nonsense`)).toBe(invalid)
  expect(labels(chat.find(card.id))).toEqual(['light', 'standard', 'deep', '✓ automatic'])
  expect(chat.find(card.id).texts).toHaveLength(1)
  expect((await ask('/depth')).text).toBe('Default depth: automatic')
})

test('a button pressed under another chat’s message is refused', async () => {
  const card = await ask('/depth')
  const direct = platform.direct('Ann')
  const [data = ''] = dataOf(card)
  expect(await direct.forge('Ann', direct.say('Ann', 'hi'), data).notice()).toBe(notYours)
  expect(labels(chat.find(card.id))).toHaveLength(4)
})

test('a menu works for a week from when it was sent; then its buttons go', async () => {
  const { redis } = fleet.runtime
  const card = await ask('/depth')
  const [data = ''] = dataOf(card)
  const name = `q.${data.split('.')[0]}`
  const due = `${partitionPrefix(toPartition(chat.conversation))}timers`
  const timer = `${chat.conversation} ${name}`
  const leftMs = await until(async () => {
    const left = Number(await redis.zscore(due, timer)) - Date.now()
    return left <= 7 * 86_400_000 && left
  })
  expect(leftMs).toBeGreaterThan(6.9 * 86_400_000)
  await redis.zadd(due, 1, timer)
  expect((await chat.when(card.id, bare)).text).toBe('Default depth: automatic')
  expect(await forge(card, data)).toBe(invalid)
})

test('a card is edited in place although its row was forgotten meanwhile', async () => {
  const { redis } = fleet.runtime
  const card = await ask('/depth')
  for (const key of await redis.keys(`*o:${chat.conversation}:*`)) await redis.del(key)
  await press(card, 'light')
  await chat.when(card.id, ({ text }) => text.includes('light, set by Ann'))
  expect(chat.said()).toHaveLength(2)
})

test('shorter and longer change the answer in place; the next reply takes the buttons away by one request', async () => {
  fleet.model.script({ when: { text: 'tell me all' }, answer: { kind: 'text', text: long } })
  fleet.model.script({
    when: { text: 'shorter' },
    answer: { kind: 'text', text: shortAnswer },
  })
  await wantButtons()
  const answer = await ask('@flotilla_test_bot tell me all')
  expect(labels(answer)).toEqual(['Shorter', 'Longer'])
  expect(await press(answer, 'Longer', 'Bob')).toBe(notYours)
  await press(answer, 'Shorter')
  const shorter = await chat.when(answer.id, ({ texts }) => texts.length === 2)
  expect(shorter.text).toBe(shortAnswer)
  expect(labels(shorter)).toEqual(['Longer'])
  const [stale = ''] = dataOf(shorter)
  await ask('/status@flotilla_test_bot')
  await chat.when(answer.id, bare)
  const edits = platform.telegram.ledger.entries.filter(
    ({ method, message }) => method === 'editMessageReplyMarkup' && message === Number(answer.id),
  )
  expect(edits).toHaveLength(1)
  expect(await forge(answer, stale)).toBe(invalid)
})

test('an answer in several messages loses the buttons of its last part', async () => {
  const parted = 'This is a sentence of a very long answer indeed. '.repeat(120).trim()
  fleet.model.script({ when: { text: 'tell me all' }, answer: { kind: 'text', text: parted } })
  fleet.model.script({
    when: { text: 'shorter' },
    answer: { kind: 'text', text: 'A new message, since the last were two.' },
  })
  await wantButtons()
  const first = await ask('@flotilla_test_bot tell me all')
  const last = await chat.until(() => chat.said().find(({ buttons }) => buttons.length > 0))
  expect(chat.said().map(({ id }) => id)).toEqual([expect.any(String), expect.any(String), first.id, last.id])
  await press(last, 'Shorter')
  await chat.hear('A new message')
  await chat.when(last.id, bare)
  expect(chat.find(first.id).texts).toHaveLength(1)
})

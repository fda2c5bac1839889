// Buttons in a Telegram group, from the message to the press and back, with the whole fleet between: what people see and are told.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startFleet, type Fleet } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { startTelegramSimulator, type TelegramSimulator } from '#test/simulators/telegram/simulator.ts'
import type { VisibleMessage } from '#test/simulators/telegram/visible.ts'

const shortAnswer = 'An answer that is short, but not too short. '.repeat(3).trim()

let fleet: Fleet
let telegram: TelegramSimulator
let stop: () => Promise<void>
let chat = -1000
const long = 'This is a sentence of the answer. '.repeat(15).trim()
const invalid = 'This button is no longer valid.'
const notYours = 'This button is not for you.'

beforeAll(async () => {
  telegram = await startTelegramSimulator()
  fleet = await startFleet({
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      TELEGRAM_RATES: '1000,1000,1000',
      FLOTILLA_ALLOW: '*',
      FLOTILLA_OWNERS: 'telegram:1',
    },
  })
  telegram.addUser({ id: 7, is_bot: false, first_name: 'Ann' })
  stop = await startPlatform(fleet.runtime, 'telegram')
})
afterAll(async () => {
  await stop()
  await fleet[Symbol.asyncDispose]()
  await telegram.close()
})
beforeEach(async () => {
  fleet.model.clearScript()
  telegram.ledger.clear()
  chat -= 1
  telegram.addBotToGroup({ chat, by: 1, admins: [7] })
  await telegram.until(() => spoken()[0])
})

const spoken = (): VisibleMessage[] => telegram.visible(chat).filter(({ from }) => from === 'bot')
const seen = (id: number): VisibleMessage | undefined => telegram.visible(chat).find((message) => message.id === id)
const labels = (message: VisibleMessage | undefined): string[] => message?.buttons.flat().map(({ text }) => text) ?? []

/** Writes and waits for the bot's next message. */
async function ask(text: string, from = 7): Promise<VisibleMessage> {
  const { message } = telegram.sendText({ from, chat, text })
  return await telegram.until(() => spoken().find(({ id }) => id > message))
}

/** Presses what the message shows, and waits for the toast. */
async function press(message: number, label: string, from = 7): Promise<string | undefined> {
  const data = seen(message)
    ?.buttons.flat()
    .find(({ text }) => text.replace('✓ ', '') === label)?.data
  if (data === undefined) throw new Error(`Message ${message} shows no button ${label}.`)
  return await forge(message, data, from)
}
async function forge(message: number, data: string, from = 7): Promise<string | undefined> {
  const { id } = telegram.press({ from, chat, message, data, isForged: true })
  return (await telegram.until(() => telegram.pressAnswer(id))).text
}

test('/config is walked through in one message, by the asker and by an owner, and by nobody else', async () => {
  const card = await ask('/config@flotilla_test_bot')
  expect(labels(card)).toEqual(['Language', 'Default depth', 'When I answer here', 'Buttons under answers', 'Done'])
  expect(await press(card.id, 'Done', 8)).toBe(notYours)
  expect(await press(card.id, 'Default depth')).toBe('Got it.')
  await telegram.until(() => labels(seen(card.id)).includes('deep') || undefined)
  expect(await press(card.id, 'deep', 1)).toBe('Got it.')
  const back = await telegram.until(() => (labels(seen(card.id)).includes('Done') ? seen(card.id) : undefined))
  expect(back.text).toContain('Default depth: deep')
  expect(await press(card.id, 'Default depth')).toBe('Got it.')
  await telegram.until(() => labels(seen(card.id)).includes('✓ deep') || undefined)
  await press(card.id, 'light')
  const set = await telegram.until(() => (seen(card.id)?.text.includes('set by Ann') ? seen(card.id) : undefined))
  expect(set.text).toContain('Default depth: light')
  await press(card.id, 'Done')
  const done = await telegram.until(() => (labels(seen(card.id)).length === 0 ? seen(card.id) : undefined))
  expect(done.text).not.toContain('set by')
  expect(spoken()).toHaveLength(2)
})

test('twenty people at once: one wins, everybody is told, and the message shows what holds', async () => {
  const card = await ask('/depth')
  const data =
    seen(card.id)
      ?.buttons.flat()
      .map((button) => button.data ?? '') ?? []
  const toasts = await Promise.all(
    Array.from({ length: 20 }, (_, i) => forge(card.id, data[i % 4] ?? '', i % 2 === 0 ? 7 : 1)),
  )
  const told = await telegram.until(() => (seen(card.id)?.text.includes('set by') ? seen(card.id) : undefined))
  expect(told.buttons).toEqual([])
  expect(toasts.filter((toast) => toast !== undefined && toast !== '')).toHaveLength(20)
  const asked = (await ask('/depth')).text
  expect(told.text).toContain(asked)
  expect(seen(card.id)?.edits).toBe(1)
})

test('forged data is told so, changes nothing, and takes no buttons away', async () => {
  const card = await ask('/depth')
  const other = await ask('/depth')
  const [own = '', others = ''] = [card, other].map((one) => one.buttons.flat()[0]?.data ?? '')
  const [question = '', option = ''] = own.split('.')
  const forged = [
    '\u0000\u0001\ufffd\u{1f4a3}\u202e',
    'x'.repeat(64),
    `${question}.shorter`,
    `${question}.`,
    question,
    `.${option}`,
    `p63-${question.slice(4)}.${option}`,
    `p64-${question.slice(4)}.${option}`,
    `p00-${'a'.repeat(22)}.${option}`,
    `${question}.${'y'.repeat(100_000)}`,
    `${own}.${own}.${own}`.replace(own, `${question}.nothing`),
    '__proto__',
    '{"v":1}',
    '*',
  ]
  for (const data of forged) expect(await forge(card.id, data)).toBe(invalid)
  expect(await forge(card.id, `${others.split('.')[0]}.set-nonsense`)).toBe(invalid)
  expect(labels(seen(card.id))).toEqual(['light', 'standard', 'deep', '✓ automatic'])
  expect(seen(card.id)?.edits).toBe(0)
  expect((await ask('/depth')).text).toBe('Default depth: automatic')
})

test('a button pressed under another chat’s message is refused', async () => {
  const card = await ask('/depth')
  const data = card.buttons.flat()[0]?.data ?? ''
  const { message } = telegram.sendText({ from: 7, text: 'hi' })
  const { id } = telegram.press({ from: 7, message, data, isForged: true })
  expect((await telegram.until(() => telegram.pressAnswer(id))).text).toBe(notYours)
  expect(labels(seen(card.id))).toHaveLength(4)
})

test('a menu works after a week, and not after two: then its buttons go with the notice', async () => {
  const { redis } = fleet.runtime
  const card = await ask('/depth')
  const data = card.buttons.flat()[0]?.data ?? ''
  const [key = ''] = await redis.keys(`*q:${data.split('.')[0]}`)
  expect(await redis.pttl(key)).toBeGreaterThan(13.9 * 86_400_000)
  expect(await redis.pttl(key)).toBeLessThanOrEqual(14 * 86_400_000)
  await redis.del(key)
  expect(await press(card.id, 'light')).toBe(invalid)
  await telegram.until(() => (labels(seen(card.id)).length === 0 ? true : undefined))
  expect(seen(card.id)?.text).toBe('Default depth: automatic')
})

test('a card is edited in place although its row was forgotten meanwhile', async () => {
  const { redis } = fleet.runtime
  const card = await ask('/depth')
  for (const key of await redis.keys(`*o:telegram:${chat}:*`)) await redis.del(key)
  await press(card.id, 'light')
  await telegram.until(() => seen(card.id)?.text.includes('light, set by Ann') || undefined)
  expect(spoken()).toHaveLength(2)
})

test('shorter and longer change the answer in place; the next reply takes the buttons away by one request', async () => {
  fleet.model.script({ when: { text: 'tell me all' }, answer: { kind: 'text', text: long } })
  fleet.model.script({
    when: { text: 'shorter' },
    answer: { kind: 'text', text: shortAnswer },
  })
  const answer = await ask('@flotilla_test_bot tell me all')
  expect(labels(answer)).toEqual(['Shorter', 'Longer'])
  expect(await press(answer.id, 'Longer', 8)).toBe(notYours)
  await press(answer.id, 'Shorter')
  const shorter = await telegram.until(() => (seen(answer.id)?.edits === 1 ? seen(answer.id) : undefined))
  expect(shorter.text).toBe(shortAnswer)
  expect(labels(shorter)).toEqual(['Longer'])
  const stale = shorter.buttons.flat()[0]?.data ?? ''
  await ask('/status@flotilla_test_bot')
  await telegram.until(() => (labels(seen(answer.id)).length === 0 ? true : undefined))
  const edits = telegram.ledger.entries.filter(
    ({ method, message }) => method === 'editMessageReplyMarkup' && message === answer.id,
  )
  expect(edits).toHaveLength(1)
  expect(await forge(answer.id, stale)).toBe(invalid)
})

test('an answer in several messages loses the buttons of its last part', async () => {
  const parted = 'This is a sentence of a very long answer indeed. '.repeat(120).trim()
  fleet.model.script({ when: { text: 'tell me all' }, answer: { kind: 'text', text: parted } })
  fleet.model.script({
    when: { text: 'shorter' },
    answer: { kind: 'text', text: 'A new message, since the last were two.' },
  })
  const first = await ask('@flotilla_test_bot tell me all')
  const last = await telegram.until(() => telegram.visible(chat).find(({ buttons }) => buttons.length > 0))
  expect(last.id).toBe(first.id + 1)
  await press(last.id, 'Shorter')
  await telegram.until(() => telegram.visible(chat).find(({ text }) => text.startsWith('A new message')))
  await telegram.until(() => (labels(seen(last.id)).length === 0 ? true : undefined))
  expect(seen(first.id)?.edits).toBe(0)
})

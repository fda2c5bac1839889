// Keeps the Telegram simulator honest: an SDK other than the project's logs in, receives by polling, sends, takes a press, edits and
// meets a 429.
import { Telegraf, TelegramError, Markup } from 'telegraf'
import { message } from 'telegraf/filters'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTelegramSimulator, type TelegramSimulator } from '#test/simulators/telegram/simulator.ts'

let telegram: TelegramSimulator
let bot: Telegraf
let running: Promise<void>

beforeEach(async () => {
  telegram = await startTelegramSimulator()
  bot = new Telegraf(telegram.token, { telegram: { apiRoot: telegram.apiRoot } })
  bot.on(message('text'), (context) =>
    context.reply(`you said ${context.message.text}`, Markup.inlineKeyboard([Markup.button.callback('Go', 'go')])),
  )
  bot.action('go', async (context) => {
    await context.answerCbQuery('gone')
    await context.editMessageText('pressed')
  })
  running = bot.launch()
  await telegram.ledger.waitFor((entry) => entry.method === 'getUpdates')
})

afterEach(async () => {
  bot.stop()
  await running
  await telegram.close()
})

test('logs in, receives, replies with a button, takes the press and edits', async () => {
  expect(bot.botInfo?.username).toBe('flotilla_test_bot')
  telegram.sendText({ from: 7, text: 'hello' })
  const answer = await telegram.until(() => telegram.visible(7)[1])
  expect(answer).toMatchObject({ from: 'bot', text: 'you said hello', buttons: [[{ text: 'Go', data: 'go' }]] })
  const press = telegram.press({ from: 7, message: answer.id, data: 'go' })
  await telegram.until(() => telegram.visible(7).find((one) => one.text === 'pressed'))
  expect(telegram.pressAnswer(press.id)).toMatchObject({ text: 'gone' })
  expect(telegram.visible(7)[1]).toMatchObject({ edits: 1, buttons: [] })
})

test('meets a 429 with the time to wait', async () => {
  telegram.sendText({ from: 7, text: 'hello' })
  await telegram.until(() => telegram.visible(7)[1])
  telegram.fault({ times: 1, when: { method: 'sendMessage' }, fault: { kind: 'rate-limit', retryAfterS: 7 } })
  const refusal: unknown = await bot.telegram.sendMessage(7, 'x').catch((error: unknown) => error)
  if (!(refusal instanceof TelegramError)) throw new Error(`The call was not refused but gave ${String(refusal)}`)
  expect([refusal.code, refusal.parameters?.retry_after]).toEqual([429, 7])
})

// Who stops what in a Telegram group, and what becomes of a growing answer when Telegram does not take its last edit at once.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { owner, startTelegramFleet, type TelegramFleet } from '#test/rig/telegram-fleet.ts'
import { until } from '#test/rig/fleet.ts'
import type { VisibleMessage } from '#test/simulators/telegram/visible.ts'

const [ann, bob] = [11, 12]
const at = '@flotilla_test_bot'
const long = `${'This is a sentence of the answer. '.repeat(20)}THE END`

let rig: TelegramFleet
let chat = -300
beforeAll(async () => {
  rig = await startTelegramFleet()
  rig.telegram.addUser({ id: ann, is_bot: false, first_name: 'Ann' })
  rig.telegram.addUser({ id: bob, is_bot: false, first_name: 'Bob' })
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(async () => {
  chat -= 1
  rig.fleet.model.clearScript()
  rig.telegram.addBotToGroup({ chat, by: owner, admins: [bob] })
  await rig.waitFor(chat, 1)
})

const say = (from: number, text: string, replyTo?: number): number =>
  rig.telegram.sendText({ from, chat, text, ...(replyTo === undefined ? {} : { replyTo }) }).message
const labels = (one: VisibleMessage | undefined): string[] => one?.buttons.flat().map(({ text }) => text) ?? []
const seen = (id: number): VisibleMessage | undefined => rig.bot(chat).find((one) => one.id === id)
const running = (count: number): Promise<unknown> => until(() => rig.fleet.model.ledger.counters.open === count)

/** A long answer that is being shown, with its Stop button. */
async function startGrowing(): Promise<VisibleMessage> {
  rig.fleet.model.script({ when: { text: 'first' }, answer: { kind: 'text', text: long }, chunkDelayMs: 150 })
  say(ann, `${at} explain first`)
  return await rig.telegram.until(() => rig.bot(chat).find((one) => labels(one).includes('Stop')))
}

/** A question of Ann's that the model does not answer until it is stopped. */
async function stall(): Promise<number> {
  rig.fleet.model.script({ when: { text: 'stall' }, fault: { kind: 'stall', afterChunks: 1 } })
  const asked = say(ann, `${at} stall please`)
  await running(1)
  return asked
}

test('the Stop of an answer that has ended leaves its owner’s next question alone', async () => {
  rig.fleet.model.script({
    when: { text: 'second' },
    answer: { kind: 'text', text: 'the second answer' },
    gate: { name: 'two' },
  })
  const card = await startGrowing()
  // The edit that brings the answer, and takes Stop away, has to wait.
  const when = { method: 'editMessageText', chat, text: 'THE END' }
  rig.telegram.fault({ when, times: 1, fault: { kind: 'rate-limit', retryAfterS: 8 } })
  await rig.telegram.ledger.waitFor((call) => call.status === 429, 20_000)
  const second = say(ann, `${at} and now second?`)
  await running(1)
  const data = seen(card.id)?.buttons.flat()[0]?.data ?? ''
  expect(labels(seen(card.id))).toEqual(['Stop'])
  const { id } = rig.telegram.press({ from: ann, chat, message: card.id, data })
  expect((await rig.telegram.until(() => rig.telegram.pressAnswer(id))).text).toBe('This button is no longer valid.')
  rig.fleet.model.open('two')
  expect((await rig.replyTo(chat, second)).text).toBe('the second answer')
  expect(seen(card.id)?.text).toContain('THE END')
}, 60_000)

test('the last edit of a growing answer is made again when nobody knows whether it was made', async () => {
  const card = await startGrowing()
  const when = { method: 'editMessageText', chat, text: 'THE END' }
  for (const accepted of [false, true])
    rig.telegram.fault({ when, times: 1, fault: { kind: 'error', status: 502, description: 'Bad Gateway', accepted } })
  await rig.telegram.until(() => (seen(card.id)?.text.includes('THE END') ? true : undefined))
  await rig.telegram.until(() => (labels(seen(card.id)).includes('Stop') ? undefined : true))
  const after = say(ann, `${at} thanks?`)
  await rig.replyTo(chat, after)
  expect(
    rig
      .bot(chat)
      .map((one) => one.text)
      .filter((text) => text.includes('may not have arrived')),
  ).toEqual([])
  expect(rig.bot(chat).filter((one) => one.text.includes('THE END'))).toHaveLength(1)
}, 60_000)

test('"stop" said to somebody else is no order', async () => {
  const asked = await stall()
  const theirs = say(bob, 'look at this, it never ends')
  say(ann, 'stop', theirs)
  // Behind it in the same mailbox.
  const mine = say(ann, `/status${at}`)
  await rig.replyTo(chat, mine)
  expect(rig.fleet.model.ledger.counters.open).toBe(1)
  say(ann, 'stop')
  expect((await rig.replyTo(chat, asked)).text).toMatch(/^echo: .*stall please\n\n\(Stopped\.\)$/)
})

test('an administrator’s /stop ends the reply to somebody else', async () => {
  const asked = await stall()
  say(bob, `/stop${at}`)
  expect((await rig.replyTo(chat, asked)).text).toMatch(/^echo: .*stall please\n\n\(Stopped\.\)$/)
})

test('presses ask nothing of a chat that Telegram asked to leave alone', async () => {
  const card = await rig.replyTo(chat, say(owner, `/depth${at}`))
  const data = card.buttons.flat()[0]?.data ?? ''
  const [question = ''] = data.split('.')
  // Forgotten, as after two weeks.
  await rig.fleet.redis.admin.del(...(await rig.fleet.redis.admin.keys(`*${question}*`)))
  rig.telegram.fault({ when: { method: 'sendMessage', chat }, times: 1, fault: { kind: 'rate-limit', retryAfterS: 4 } })
  const waiting = say(ann, `/status${at}`)
  await rig.telegram.ledger.waitFor((call) => call.status === 429 && call.params['chat_id'] === chat)
  rig.telegram.ledger.clear()
  const presses = Array.from({ length: 20 }, (_, i) =>
    rig.telegram.press({ from: 500 + i, chat, message: card.id, data, isForged: true }),
  )
  for (const { id } of presses)
    expect((await rig.telegram.until(() => rig.telegram.pressAnswer(id))).text).toBe('This button is no longer valid.')
  expect(rig.telegram.ledger.entries.filter((call) => call.params['chat_id'] === chat)).toEqual([])
  await rig.replyTo(chat, waiting)
  // With room again, the next press takes the buttons away.
  rig.telegram.press({ from: 500, chat, message: card.id, data, isForged: true })
  await rig.telegram.until(() => (labels(seen(card.id)).length === 0 ? true : undefined))
}, 30_000)

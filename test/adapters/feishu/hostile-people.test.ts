// What one person does again and again costs the others nothing: neither their answers, nor the calls of the month.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAllowance } from '#adapters/feishu/allowance.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { ask, say, toAddress, toDelivery, until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFeishuRig, type FeishuRig, type RigOptions } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const signal = AbortSignal.timeout(60_000)

/** A group in which much was said before the bot was there, and the bot answered. */
async function openRoom(options: RigOptions = {}) {
  const rig = await openFeishuRig(server, { simulator: { limits: 'off' }, ...options })
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  rig.feishu.subscribe([])
  const said = Array.from({ length: 120 }, (_, i) => rig.feishu.person('Mal').say(chat, `old ${i}`))
  rig.feishu.subscribe(['im.message.receive_v1', 'im.message.reaction.created_v1', 'card.action.trigger'])
  await rig.queue(`feishu:${chat}`, [say('An answer.')])
  await rig.deliver(`feishu:${chat}`)
  const answer = rig.feishu.visible(chat).at(-1)?.id ?? ''
  await rig.start()
  return { rig, chat, here: `feishu:${chat}`, said, answer }
}
const reads = ({ feishu }: FeishuRig): number => feishu.ledger.of('getMessage').length
const quiet = async (rig: FeishuRig): Promise<void> =>
  void (await until(async () => (rig.feishu.pending() === 0 ? true : undefined)))

test('who reacts to a hundred messages keeps nobody’s reply from being for the bot', async () => {
  const { rig, chat, here, said, answer } = await openRoom()
  await using _ = rig
  for (const id of said) rig.feishu.person('Mal').react(chat, id, 'THUMBSUP')
  await quiet(rig)
  expect(reads(rig)).toBe(0)
  rig.feishu.person('Bo').react(chat, answer, 'THUMBSUP')
  rig.feishu.person('Ada').say(chat, 'really?', { replyTo: answer })
  const events = await rig.waitForEvents(here, 2)
  expect(events).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'reaction', messageId: answer }),
      expect.objectContaining({ addressed: true, replyTo: expect.objectContaining({ text: 'An answer.' }) }),
    ]),
  )
})

test('who replies a hundred times is answered, and leaves others the words that they reply to', async () => {
  const { rig, chat, here, said, answer } = await openRoom()
  await using _ = rig
  for (const id of said.slice(0, 60)) rig.feishu.person('Mal').say(chat, `@Flotilla so ${id}?`, { replyTo: id })
  rig.feishu.person('Mal').say(chat, 'and this?', { replyTo: answer })
  rig.feishu.person('Ada').say(chat, 'really?', { replyTo: answer })
  const events = await rig.waitForEvents(here, 62)
  expect(reads(rig)).toBe(21)
  expect(events.at(-2)).toMatchObject({ addressed: true, replyTo: { fromBot: true } })
  expect(events.at(-1)).toMatchObject({ addressed: true, replyTo: { fromBot: true, text: 'An answer.' } })
})

test.each([
  ['im:message', 'getMessage', 1],
  // Whoever speaks and whoever is quoted are looked up at the same time.
  ['contact:', 'getUser', 2],
] as const)('without the permission %s, %s is asked once for all', async (scope, route, most) => {
  const { rig, chat, here, said } = await openRoom()
  await using _ = rig
  rig.feishu.fault({ when: { route }, fault: { kind: 'error', code: 99_991_672, message: `Access denied: ${scope}` } })
  rig.feishu.ledger.clear()
  for (const [i, id] of said.slice(0, 10).entries()) {
    rig.feishu.person(`Guest ${i}`).say(chat, `@Flotilla hi ${i}`, { replyTo: id })
    await rig.waitForEvents(here, i + 1)
  }
  const asked = rig.feishu.ledger.of(route).length
  expect(asked).toBeGreaterThan(0)
  expect(asked).toBeLessThanOrEqual(most)
})

test('a button that has had its day costs two calls and a few more, however often it is pressed', async () => {
  const { rig, chat, here } = await openRoom()
  await using _ = rig
  const question = ask(here)
  const buttons = [[{ id: `${question.id}.redo`, label: 'Redo' }]]
  await rig.queue(here, [say('Shall I?', { buttons })])
  await rig.deliver(here)
  const card = rig.feishu.visible(chat).at(-1)
  const value = card?.buttons[0]?.[0]?.value
  const mal = rig.feishu.person('Mal')
  rig.feishu.ledger.clear()
  for (let i = 0; i < 30; i++) mal.press(chat, card?.id ?? '', value, { isForged: true })
  await until(async () => (rig.feishu.ledger.of('patchMessage').length > 0 ? true : undefined))
  for (let i = 0; i < 30; i++) mal.press(chat, card?.id ?? '', value, { isForged: true })
  await quiet(rig)
  await sleep(1500)
  const [chatOf, user, found, first, ...more] = rig.feishu.ledger.entries.map(({ route }) => route)
  expect([chatOf, user, found, first]).toEqual(['getChat', 'getUser', 'getMessage', 'patchMessage'])
  // Pressed while it is changed, it would be shown as before.
  expect(more.length).toBeLessThanOrEqual(2)
  expect(new Set([...more, 'patchMessage'])).toEqual(new Set(['patchMessage']))
})

test('buttons are not taken off for ever, though each answer says that one more is gone', async () => {
  const { rig } = await openRoom()
  await using _ = rig
  const delivery = toDelivery(rig.channel)
  // Only there an answer grows as a card that streams, whose buttons go one row at a time.
  const at = toAddress(rig.direct('Ada'))
  const body = say('How it begins …', { partial: true, buttons: [[{ id: 'p00-a.b', label: 'Yes' }]] })
  const begun = await delivery.deliver(at, { id: 'first', attempts: 1, cameAtMs: 0, body }, signal)
  if (begun.kind !== 'sent') throw new Error(`It was ${begun.kind}.`)
  rig.feishu.fault({ when: { route: 'deleteCardElement' }, fault: { kind: 'odd', body: '{"code":0,"msg":"success"}' } })
  const unbutton: OutBody = { v: 1, language: 'en', answers: [], kind: 'unbutton', replaces: 'first' }
  const row = { id: 'second', attempts: 1, cameAtMs: 0, body: unbutton, replacesReceipt: begun.receipt }
  expect(await delivery.deliver(at, row, signal)).toMatchObject({ kind: 'sent' })
  expect(rig.feishu.ledger.of('deleteCardElement')).toHaveLength(30)
})

test('a card that was passed on costs nothing, however often it is pressed', async () => {
  const { rig, chat, here } = await openRoom()
  await using _ = rig
  const question = ask(here)
  await rig.queue(here, [say('Shall I?', { buttons: [[{ id: `${question.id}.redo`, label: 'Redo' }]] })], [question])
  await rig.deliver(here)
  const value = rig.feishu.visible(chat).at(-1)?.buttons[0]?.[0]?.value
  const mal = rig.feishu.person('Mal')
  const elsewhere = rig.feishu.addGroup({ owner: 'Mal' })
  await rig.queue(`feishu:${elsewhere}`, [say('The same card.', { buttons: [[{ id: 'x', label: 'Redo' }]] })])
  await rig.deliver(`feishu:${elsewhere}`)
  const copy = rig.feishu.visible(elsewhere).at(-1)?.id ?? ''
  rig.feishu.ledger.clear()
  for (let i = 0; i < 30; i++) mal.press(elsewhere, copy, value, { isForged: true })
  await quiet(rig)
  await sleep(1500)
  expect(rig.feishu.ledger.entries.filter(({ route }) => /Message|Card/.test(route))).toEqual([])
})

test('so many a minute and a day, a person and all together', () => {
  let nowMs = 0
  const may = createAllowance(
    [
      { perMs: 60_000, person: 2, all: 3 },
      { perMs: 86_400_000, person: 3, all: 5 },
    ],
    () => nowMs,
  )
  expect(['a', 'a', 'a', 'b', 'c'].map(may)).toEqual([true, true, false, true, false])
  nowMs = 60_000
  expect(['a', 'a', 'b', 'c', undefined].map(may)).toEqual([true, false, true, false, false])
  nowMs = 86_400_000
  expect([undefined, undefined, undefined, 'a'].map(may)).toEqual([true, true, true, false])
})

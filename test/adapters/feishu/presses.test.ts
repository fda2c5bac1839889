// Facts about buttons: one press wins, everybody is told the truth in time, and buttons go when they have had their day.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unbutton } from '#shared/run/out-row.ts'
import type { Question } from '#shared/run/question.ts'
import { BotError } from '#shared/errors.ts'
import type { CallUnit } from '#queues/units.ts'
import { ask, say, until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFeishuRig, type FeishuRig, type RigOptions } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

type Card = { readonly question: Question; readonly message: string; readonly chat: string }

async function sendCard(rig: FeishuRig, owner?: Question['owner'], language: 'zh' | 'en' = 'en'): Promise<Card> {
  const chat = rig.feishu.addGroup({ owner: 'Ada', admins: ['Bo'] })
  const conversation = `feishu:${chat}`
  const question = ask(conversation, owner)
  const buttons = [
    [
      { id: `${question.id}.redo`, label: 'Redo' },
      { id: `${question.id}.leave`, label: 'Leave it' },
    ],
  ]
  await rig.queue(conversation, [say('Shall I?', { buttons, language })], [question])
  await rig.deliver(conversation)
  return { question, message: rig.feishu.visible(chat).at(-1)?.id ?? '', chat }
}

/** What the presser is told. */
async function press(
  rig: FeishuRig,
  card: Card,
  by: string,
  label: unknown = 'Redo',
  isForged = false,
): Promise<string | undefined> {
  const token = rig.feishu.person(by).press(card.chat, card.message, label, { isForged })
  const done = await rig.feishu.until(() => [rig.feishu.pressed(token)].find(({ state }) => state !== 'waiting'))
  expect(done.error).toBeUndefined()
  expect(done.answeredAfterMs).toBeLessThan(3000)
  return done.toast
}

async function openRig(options?: RigOptions): Promise<FeishuRig> {
  const rig = await openFeishuRig(server, options)
  await rig.start()
  return rig
}

test.each(['event', 'card'] as const)(
  'a press that wins becomes an answer, in frames of type %s',
  async (pressFrames) => {
    await using rig = await openRig({ simulator: { pressFrames } })
    const card = await sendCard(rig)
    expect(await press(rig, card, 'Ada')).toBe('Got it.')
    const [event] = await rig.waitForEvents(`feishu:${card.chat}`, 1)
    expect(event).toMatchObject({
      kind: 'answer',
      choice: 'redo',
      principal: `feishu:${rig.feishu.person('Ada').openId}`,
      name: 'Ada',
      messageId: card.message,
    })
    await until(async () => (rig.feishu.visible(card.chat).at(-1)?.buttons.length === 0 ? true : undefined))
  },
)

test('the next one is told who answered, and how', async () => {
  await using rig = await openRig()
  const card = await sendCard(rig)
  await press(rig, card, 'Ada')
  expect(await press(rig, card, 'Bo', 'Leave it')).toBe('Already answered by Ada: Redo')
  expect(await rig.events(`feishu:${card.chat}`)).toHaveLength(1)
})

test('a card in Chinese is answered in Chinese', async () => {
  await using rig = await openRig()
  const card = await sendCard(rig, undefined, 'zh')
  expect(await press(rig, card, 'Ada')).toBe('收到。')
})

test('a card for one person is for nobody else, an administrator of the group is known', async () => {
  await using rig = await openRig()
  const card = await sendCard(rig, `feishu:${rig.feishu.person('Ada').openId}`)
  expect(await press(rig, card, 'Cy')).toBe('This button is not for you.')
  expect(await press(rig, card, 'Ada')).toBe('Got it.')
  const open = await sendCard(rig)
  await press(rig, open, 'Bo')
  expect(await rig.waitForEvents(`feishu:${open.chat}`, 1)).toMatchObject([{ senderIsAdmin: true }])
})

test('forged data, and a card passed on into another chat, change nothing', async () => {
  await using rig = await openRig()
  const card = await sendCard(rig)
  const other = await sendCard(rig)
  const button = `${card.question.id}.redo`
  const forged: unknown[] = [
    'x',
    7,
    null,
    { button },
    { button, to: 'feishu:' },
    { button, to: `feishu:${other.chat}` },
    [button],
  ]
  for (const value of forged) expect(await press(rig, card, 'Ada', value, true)).toMatch(/out of date|过时/)
  const there = { button, to: `feishu:${card.chat}`, language: 'en', labels: {} }
  expect(await press(rig, other, 'Ada', there, true)).toMatch(/out of date/)
  expect(await rig.events(`feishu:${card.chat}`)).toEqual([])
  expect(await press(rig, card, 'Ada')).toBe('Got it.')
})

test('while the store is away the presser is told to press again, and then it counts once', async () => {
  let isAway = false
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (isAway && name === 'resolve') throw new BotError('store-unavailable', 'away', { retry: { afterMs: 50 } })
      return await call(name, key, args)
    }
  await using rig = await openRig({ wrapUnits })
  const card = await sendCard(rig)
  isAway = true
  expect(await press(rig, card, 'Ada')).toMatch(/press again|再按一次/)
  isAway = false
  expect(await press(rig, card, 'Ada')).toBe('Got it.')
  expect(await rig.waitForEvents(`feishu:${card.chat}`, 1)).toHaveLength(1)
})

test('what changed a card while it was pressed, and was undone by the answer, is made again', async () => {
  const stored = Promise.withResolvers<void>()
  await using rig = await openRig({ synced: () => stored.promise })
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  const conversation = `feishu:${chat}`
  const question = ask(conversation)
  const buttons = [[{ id: `${question.id}.redo`, label: 'Redo' }]]
  const more = [[{ id: `${question.id}.more`, label: 'More' }]]
  const [row = ''] = await rig.queue(conversation, [say('Shall I?', { buttons })], [question])
  await rig.deliver(conversation)
  const token = rig.feishu.person('Ada').press(chat, rig.feishu.visible(chat).at(-1)?.id ?? '', 'Redo')
  await rig.waitForEvents(conversation, 1)
  await rig.queue(conversation, [say('It is done.', { replaces: row, buttons: more })])
  await rig.deliver(conversation)
  stored.resolve()
  await rig.feishu.until(() => [rig.feishu.pressed(token)].find(({ state }) => state === 'answered'))
  // Feishu shows the first card again by now.
  await rig.queue(conversation, [unbutton(row)])
  await rig.deliver(conversation)
  const shown = () => rig.feishu.visible(chat).filter(({ from }) => from === 'bot')
  await until(async () => (shown().at(-1)?.text === 'It is done.' ? true : undefined))
  // Its buttons are off, and it is not made again and again.
  expect(shown()).toMatchObject([{ texts: ['Shall I?', 'It is done.', 'Shall I?', 'It is done.'], buttons: [] }])
})

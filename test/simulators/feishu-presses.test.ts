// Facts about presses in the simulated Feishu: three seconds for the answer, what the person is shown, and what may change the card later.
import { expect, test } from 'vitest'
import { card, startRig, type Rig } from './feishu-bot.ts'

async function pressed(rig: Rig, token: string) {
  return await rig.feishu.until(() => [rig.feishu.pressed(token)].find(({ state }) => state !== 'waiting'))
}

async function ask(rig: Rig, chat = rig.group): Promise<string> {
  return (await rig.send('interactive', card('ask', 'Go'), chat)).message_id
}

const update = (rig: Rig, token: string, text: string) =>
  rig.call('POST', '/interactive/v1/card/update', { token, card: card(text) })

test.each([
  ['nobody is connected', 200_340, undefined],
  ['the handler fails', 200_671, () => Promise.reject(new Error('no'))],
  ['the answer comes late', 200_341, () => new Promise((resolve) => setTimeout(resolve, 300))],
  ['the answer is no object', 200_672, () => 'fine'],
  ['the answer has something else in it', 200_672, () => ({ text: 'fine' })],
  ['the toast is of an unknown kind', 200_672, () => ({ toast: { type: 'loud', content: 'x' } })],
  ['the card in it is bad', 200_673, () => ({ card: { type: 'raw', data: { schema: '2.0', elements: [] } } })],
])('shows the person an error when %s', async (_, error, handle) => {
  await using rig = await startRig({ answerTimeoutMs: 150 })
  const bot =
    handle === undefined
      ? undefined
      : await rig.connect({ handle: (type) => (type === 'card.action.trigger' ? handle() : undefined) })
  const id = await ask(rig)
  expect(await pressed(rig, rig.ann.press(rig.group, id, 'Go'))).toMatchObject({ state: 'failed', error })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: 'ask' }])
  await bot?.[Symbol.asyncDispose]()
})

test('sends a press once, and never again', async () => {
  await using rig = await startRig({ answerTimeoutMs: 50, redeliverMs: [1, 1, 1, 1] })
  await using bot = await rig.connect({ types: ['card.action.trigger'], handle: () => Promise.reject(new Error('no')) })
  await pressed(rig, rig.ann.press(rig.group, await ask(rig), 'Go'))
  rig.feishu.advance(86_400_000)
  expect(bot.events).toHaveLength(1)
})

test('is not answered by the SDK when it comes in a frame of type card', async () => {
  await using rig = await startRig({ answerTimeoutMs: 100, pressFrames: 'card' })
  await using bot = await rig.connect()
  expect(await pressed(rig, rig.ann.press(rig.group, await ask(rig), 'Go'))).toMatchObject({ error: 200_341 })
  expect(bot.events.filter(({ event_type: type }) => type === 'card.action.trigger')).toEqual([])
})

test('changes the card by the credential of a press, twice within thirty minutes', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect({ types: ['card.action.trigger'] })
  const id = await ask(rig)
  const token = rig.ann.press(rig.group, id, 'Go')
  await pressed(rig, token)
  await update(rig, token, 'one')
  await update(rig, token, 'two')
  expect(await rig.refusal(update(rig, token, 'three'))).toMatchObject({ status: 200, code: 300_040 })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ texts: ['ask', 'one', 'two'] }])
  const { message_id: other } = await rig.send('interactive', card('ask', 'Go'))
  const late = rig.ann.press(rig.group, other, 'Go')
  await pressed(rig, late)
  rig.feishu.advance(1_800_001)
  expect(await rig.refusal(update(rig, late, 'x'))).toMatchObject({ code: 300_030 })
  expect(await rig.refusal(update(rig, 'c-0', 'x'))).toMatchObject({ code: 300_020 })
  expect(bot.events).toHaveLength(2)
})

test('undoes what changed the card before its press was answered', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect({
    types: ['card.action.trigger'],
    handle: async (_, { token }) => {
      await update(rig, String(token), 'too early')
      expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: 'too early' }])
      return {}
    },
  })
  const token = rig.ann.press(rig.group, await ask(rig), 'Go')
  expect(await pressed(rig, token)).toMatchObject({ state: 'answered' })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ texts: ['ask', 'too early', 'ask'] }])
  expect(bot.events).toHaveLength(1)
})

test('brings a forged press, with whatever value, and none of a message that was taken back', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect({ types: ['card.action.trigger'] })
  const id = await ask(rig)
  await pressed(rig, rig.ann.press(rig.group, id, 'made up', { isForged: true }))
  expect(bot.events).toMatchObject([{ action: { tag: 'button', value: 'made up' } }])
  await rig.call('DELETE', `/im/v1/messages/${id}`)
  expect(() => rig.ann.press(rig.group, id, 'Go')).toThrow('no message')
})

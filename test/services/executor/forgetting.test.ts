// What is forgotten is gone from all that the model is shown, also where it was asked again, rewritten, put off or answered with others.
import { expect, test } from 'vitest'
import type { ModelResult } from '#shared/model/model-port.ts'
import { ann, conversation, deletion, edit, toApply, toCommand, wonPress } from '#test/rig/events.ts'
import { answer, builtIn, createStage, look, type Call, type Stage } from './stage.ts'

const secret = 'SECRET-4711'
const knows = (value: unknown): boolean => JSON.stringify(value).includes(secret)

/** The model repeats the secret as long as it is shown it. */
function openStage(): Stage {
  const stage = createStage()
  const repeat = async (call: Call): Promise<ModelResult> => {
    stage.answers(repeat)
    return await answer(call, `${knows(call.request.messages) ? secret : 'nothing'} ${'z'.repeat(500)}`)
  }
  stage.answers(repeat)
  return stage
}
const forget = async (stage: Stage, messageId: string): Promise<string> =>
  await stage.ask('/forget', { as: toCommand('forget'), replyTo: { messageId, fromBot: false, principal: ann } })
const retry = async (stage: Stage): Promise<unknown> => await stage.ask('/retry', { as: toCommand('retry') })
const tell = async (stage: Stage): Promise<unknown> => await stage.ask(`my key is ${secret}`)

test.each<[string, (stage: Stage) => Promise<unknown>]>([
  ['answered', async () => {}],
  ['asked again', retry],
  ['asked again twice', async (stage) => [await retry(stage), await retry(stage)]],
  ['rewritten', async (stage) => await stage.press('Shorter')],
  ['asked again and rewritten', async (stage) => [await retry(stage), await stage.press('Shorter')]],
])('a message that was %s is forgotten with all that came of it', async (_, after) => {
  const stage = openStage()
  await stage.ask('hello')
  await tell(stage)
  await after(stage)
  expect(knows((await stage.state()).history)).toBe(true)
  expect(await forget(stage, 'm2')).toBe('Forgotten.')
  expect(knows({ ...(await stage.state()), stored: undefined })).toBe(false)
  await stage.ask('what do you know?')
  expect(knows(stage.requests.at(-1)?.messages)).toBe(false)
  expect(JSON.stringify(stage.requests.at(-1)?.messages)).toContain('hello')
})

test.each(['m1', 'm2', 'm3'])('of messages that were answered together, %s takes the answer with it', async (id) => {
  const stage = createStage()
  stage.answers(`${secret} and more`)
  for (const text of ['one', 'two', 'three']) await stage.say(text)
  await stage.work()
  await stage.ask('another')
  await stage.put(deletion(id), toApply('delete'))
  await stage.work()
  const { history } = await stage.state()
  expect(knows(history)).toBe(false)
  expect(history.at(-2)?.text).toBe('another')
})

test('a redo that was offered for it is gone, and one pressed before says that it is forgotten', async () => {
  const stage = createStage()
  await stage.ask('my key is none')
  await stage.put(edit(`my key is ${secret}`), toApply('edit'))
  await stage.work()
  await forget(stage, 'm1')
  expect(await stage.press('Redo')).toBe('UNKNOWN')
  const payload = JSON.stringify({ messageId: 'm1', text: `my key is ${secret}` })
  await stage.put(wonPress({ about: 'redo.edited', choice: 'redo', payload }), toApply('answer'))
  await stage.work()
  expect((await stage.sent()).at(-1)?.text).toContain('was forgotten')
  expect(knows(stage.requests)).toBe(false)
})

test('what a redo was about is forgotten with the message', async () => {
  const stage = openStage()
  await stage.ask('my key is none')
  await stage.put(edit(`my key is ${secret}`), toApply('edit'))
  await stage.work()
  await stage.press('Redo')
  expect(knows((await stage.state()).history)).toBe(true)
  await forget(stage, 'm1')
  expect(knows({ ...(await stage.state()), stored: undefined })).toBe(false)
})

test('a turn resumed by another worker is about the same messages', async () => {
  const stage = openStage()
  await tell(stage)
  await stage.say('/retry', { as: toCommand('retry') })
  stage.loseAt(2, 'before')
  await stage.work()
  await stage.work()
  expect((await stage.state()).history).toHaveLength(4)
  await forget(stage, 'm1')
  expect(knows((await stage.state()).history)).toBe(false)
})

test.each(['before', 'after'] as const)(
  'a worker lost right %s the step that forgets leaves nothing of it, and says so once',
  async (side) => {
    const stage = openStage()
    await tell(stage)
    await retry(stage)
    const shown = async (): Promise<unknown> => await stage.kernel.readOut(conversation, '0', 100)
    expect(knows(await shown())).toBe(true)
    const replyTo = { messageId: 'm1', fromBot: false, principal: ann }
    await stage.say('/forget', { as: toCommand('forget'), replyTo })
    stage.loseAt(1, side)
    await stage.work()
    await stage.work()
    expect(knows(await shown())).toBe(false)
    expect(knows(await stage.state())).toBe(false)
    expect((await stage.sent()).filter(({ text }) => text === 'Forgotten.')).toHaveLength(1)
  },
)

test('what a reply quotes is forgotten with the message, and the reply with its answer; not the other way round', async () => {
  const stage = createStage()
  await stage.ask('My locker code is quokka', { messageId: 'm1' })
  const replyTo = { messageId: 'm1', fromBot: false, principal: ann, text: 'My locker code is quokka' }
  await stage.ask('Is that an animal?', { messageId: 'm2', replyTo })
  await stage.ask('/forget last', { as: toCommand('forget', 'last') })
  expect((await stage.state()).history.map(({ text }) => text)).toEqual([
    'My locker code is quokka',
    'ok',
    '[deleted]',
    '[deleted]',
  ])
  await stage.ask('And this?', { messageId: 'm3', replyTo })
  await stage.ask('/forget', { as: toCommand('forget'), replyTo })
  expect(JSON.stringify(await stage.state())).not.toContain('quokka')
})

const quote = (i: number) => ({ messageId: `q${i}`, fromBot: false, text: i === 0 ? secret : `said ${i}` })

test('what the first of very many replies quotes goes with all that came of it', async () => {
  const stage = createStage({ historyTokens: 100_000 })
  for (let i = 0; i < 150; i++) await stage.say(`reply ${i}`, { replyTo: quote(i) })
  await stage.work()
  expect(knows(await stage.state())).toBe(true)
  await stage.put(deletion('q0', { conversation }), toApply('delete'))
  await stage.work()
  expect(knows(await stage.state())).toBe(false)
})

test('nor is it lost sight of where many others join while it is answered', async () => {
  const stage = createStage({ historyTokens: 100_000, features: [...builtIn, { name: 'looking', tools: [look] }] })
  for (let i = 0; i < 95; i++) await stage.say(`reply ${i}`, { replyTo: quote(i) })
  stage.answers(async (call) => {
    for (let i = 0; i < 30; i++) await stage.say(`joins ${i}`)
    return await answer(call, {
      text: '',
      toolCalls: [{ id: 'c', name: 'look', arguments: '{}' }],
      finish: 'tool-calls',
    })
  })
  await stage.work()
  expect(knows(await stage.state())).toBe(true)
  await stage.put(deletion('q0', { conversation }), toApply('delete'))
  await stage.work()
  expect(knows(await stage.state())).toBe(false)
})

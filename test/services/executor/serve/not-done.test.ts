// What is not answered: what there is no room for, what was stopped before it began, what crashed its worker every time. Each is told.
import { expect, test } from 'vitest'
import { ann, conversation, edit, toAck, toApply, toCommand } from '#test/rig/events.ts'
import { createStage, hanging, loseDuringCall, type Stage } from '#test/services/executor/stage.ts'

const bob = 'web:bob'
const minuteMs = 60_000
const retry = { as: toCommand('retry') }

/** A stage where more answers wait than may be sent, until `isCongested` says otherwise. `pass` moves its clock. */
function crowd(): { stage: Stage; congestion: { isCongested: boolean }; pass(ms: number): void } {
  let nowMs = Date.UTC(2026, 0, 1)
  const stage = createStage({ now: () => nowMs, replyExpiresInMs: 10 * minuteMs })
  const { claim, pending } = stage.kernel
  const congestion = { isCongested: true }
  Object.assign(stage.kernel, {
    async claim(...all: Parameters<typeof claim>) {
      const claimed = await claim(...all)
      return claimed.kind === 'CLAIMED' ? { ...claimed, ...congestion } : claimed
    },
    pending: async (...all: Parameters<typeof pending>) => ({ ...(await pending(...all)), ...congestion }),
  })
  return { stage, congestion, pass: (ms) => void (nowMs += ms) }
}

test('where answers cannot be sent in time the model is not asked, and the person is told once', async () => {
  const { stage } = crowd()
  expect(await stage.ask('Find the date')).toMatch(/^I am asked for more here/)
  expect(await stage.ask('And the weather?')).toBe('')
  expect(stage.requests).toEqual([])
  const { answers, language, replaces } = (await stage.sent())[0] ?? {}
  expect({ answers, language, replaces }).toEqual({ answers: ['m1'], language: 'en', replaces: undefined })
})

test('it is told in the language of what was asked', async () => {
  const { stage } = crowd()
  expect(await stage.ask('查一下日期')).toMatch(/^这里要我说的话/)
})

test('it is told again when the answers that could not be sent are over', async () => {
  const { stage, pass } = crowd()
  await stage.ask('Find the date')
  pass(10 * minuteMs - 1)
  expect(await stage.ask('Please')).toBe('')
  pass(1)
  expect(await stage.ask('Please')).toMatch(/^I am asked for more here/)
})

test('what was said to one person stands for all for a fifth of that time, and a third is told after it', async () => {
  const { stage, pass } = crowd()
  await stage.ask('Find the date')
  pass(2 * minuteMs - 1)
  expect(await stage.ask('Me too', { principal: bob })).toBe('')
  pass(1)
  expect(await stage.ask('And me', { principal: 'web:cy' })).toMatch(/^I am asked for more here/)
})

test('a /retry that has to wait too is told so once a minute', async () => {
  const { stage, pass } = crowd()
  await stage.ask('Find the date')
  expect(await stage.ask('/retry', retry)).toMatch(/^I still cannot send more here/)
  expect(await stage.ask('/retry', retry)).toBe('')
  pass(minuteMs - 1)
  expect(await stage.ask('/retry', retry)).toBe('')
  pass(1)
  expect(await stage.ask('/retry', retry)).toMatch(/^I still cannot/)
})

test('what was put off is kept by person for their /retry, and gone once it was answered', async () => {
  const { stage, congestion } = crowd()
  await stage.ask('Find the date')
  await stage.ask('Find the time', { principal: bob })
  congestion.isCongested = false
  await stage.ask('/retry', retry)
  await stage.ask('/retry', { ...retry, principal: bob })
  const asked = stage.requests.map(({ messages }) => messages.findLast(({ role }) => role === 'user')?.content)
  expect(asked).toEqual(['Find the date', 'Find the time'])
  expect((await stage.state()).putOff).toEqual({})
})

test('a message without words keeps what was put off before it', async () => {
  const { stage } = crowd()
  await stage.ask('Find the date')
  await stage.ask('', { quoted: [{ how: 'forward', text: 'long' }] })
  expect((await stage.state()).putOff?.[ann]?.text).toBe('Find the date')
})

test('of a long text so much is kept as a message may hold', async () => {
  const { stage } = crowd()
  await stage.ask('x'.repeat(5000))
  expect((await stage.state()).putOff?.[ann]?.text).toHaveLength(4000)
})

test('congestion that has passed since the claim stops nobody', async () => {
  const { stage, congestion } = crowd()
  const { claim } = stage.kernel
  Object.assign(stage.kernel, {
    async claim(...all: Parameters<typeof claim>) {
      const claimed = await claim(...all)
      congestion.isCongested = false
      return claimed
    },
  })
  expect(await stage.ask('Find the date')).toBe('ok')
})

test('a stop drops what was not begun, and says so once for all of it', async () => {
  const stage = createStage()
  await stage.say('Find the date')
  await stage.say('谢谢', { as: toAck() })
  await stage.stop()
  await stage.work()
  expect(stage.requests).toEqual([])
  expect(await stage.sent()).toMatchObject([
    { text: '已停止，没有开始的消息也不再处理。', answers: ['m1', 'm2', 'm3'] },
  ])
  expect((await stage.kernel.pending(conversation, 0)).events).toEqual([])
})

test('a stop while a turn runs drops what came after it too', async () => {
  const stage = createStage()
  const { answer, written } = hanging('Rivers')
  stage.answers(answer)
  await stage.say('Tell me about rivers')
  const working = stage.work()
  await written
  await stage.say('And lakes')
  await stage.stop()
  await working
  expect((await stage.sent()).map(({ text }) => text)).toEqual([
    'Rivers\n\n(Stopped.)',
    'Stopped; messages not begun yet are dropped.',
  ])
})

test('a message that lost its worker six times before a word was shown is told of, and kept for a /retry', async () => {
  const stage = createStage()
  await stage.say('Tell me about rivers')
  for (let n = 0; n < 6; n++) await loseDuringCall(stage)
  const asked = stage.requests.length
  await stage.work()
  expect(stage.requests).toHaveLength(asked)
  const [told] = await stage.sent()
  expect(told).toMatchObject({ text: expect.stringMatching(/^I failed on this message/), answers: ['m1'] })
  expect(told?.replaces).toBeUndefined()
  expect(stage.steps.at(-1)).toMatchObject({ setAside: [1], consume: [1], progress: true })
  await stage.ask('/retry', retry)
  expect(stage.requests.at(-1)?.messages.at(-2)?.content).toBe('Tell me about rivers')
})

test('what loses its worker without any turn is put aside alone, and what waits behind it is answered', async () => {
  const stage = createStage()
  await stage.say('/new', { as: toCommand('new') })
  await stage.say('Find the date')
  for (let n = 0; n < 6; n++) {
    stage.loseAt(1, 'before')
    await stage.work()
  }
  await stage.work()
  expect((await stage.sent()).map(({ text, answers }) => [text.slice(0, 8), answers])).toEqual([
    ['I failed', ['m1']],
    ['ok', ['m2']],
  ])
})

test('a press that finds no room is no question: /retry asks the one before it', async () => {
  const { stage, congestion } = crowd()
  congestion.isCongested = false
  stage.answers('x'.repeat(500))
  await stage.ask('Find the date')
  congestion.isCongested = true
  await stage.press('Shorter')
  congestion.isCongested = false
  await stage.ask('/retry', retry)
  expect(stage.requests.at(-1)?.messages.at(-2)?.content).toBe('Find the date')
})

test('a /retry that is edited afterwards is no message to be answered anew', async () => {
  const stage = createStage()
  await stage.ask('Find the date')
  await stage.ask('/retry', retry)
  await stage.put(edit('/retry please', { messageId: 'm2' }), toApply('edit'))
  await stage.work()
  expect((await stage.sent()).map(({ text }) => text)).toEqual(['ok', 'ok'])
})

test('who asks again and again where there is no room leaves no more behind than the message that they asked', async () => {
  const { stage } = crowd()
  await stage.ask('Find the date')
  for (let n = 0; n < 250; n++) await stage.ask('/retry', retry)
  const { putOff } = await stage.state()
  expect(putOff?.[ann]?.text).toBe('Find the date')
  expect(putOff?.[ann]?.about).toEqual(['m1'])
})

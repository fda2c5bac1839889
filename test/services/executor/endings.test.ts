// However a turn ends: what was written stays, is marked, and the model knows it the next time.
import { expect, test } from 'vitest'
import type { Usage } from '#shared/model/model-port.ts'
import { defaultLimits } from '#shared/run/turn-limits.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'
import { ann, conversation, wonPress, toApply, toCommand, toTurn } from '#test/rig/events.ts'
import { createStage, failed, hanging, look, loseDuringCall, type Stage } from './stage.ts'

/** The turn of the event that waits first. */
async function turnOf({ kernel }: Stage): Promise<string> {
  const [first] = (await kernel.pending(conversation, 0)).events
  if (!first) throw new Error('Nothing waits.')
  return toWorkId('t', first)
}

const call = (id: string) => ({ id, name: 'look', arguments: '{}' })

async function stopDuring(stage: Stage, text: string): Promise<void> {
  const { answer, written } = hanging(text)
  stage.answers(answer)
  const working = stage.work()
  await written
  await stage.stop()
  await working
}

test('a stop keeps what was written, with a mark, and the model reads it the next time', async () => {
  const stage = createStage()
  await stage.say('Tell me about rivers')
  await stopDuring(stage, 'Rivers begin in')
  expect((await stage.sent()).map((body) => body.text)).toEqual(['Rivers begin in\n\n(Stopped.)'])
  await stage.ask('And lakes?')
  expect(stage.requests.at(-1)?.messages.slice(1, -1)).toEqual([
    { role: 'user', content: 'Tell me about rivers' },
    { role: 'assistant', content: 'Rivers begin in\n\n[Stopped.]' },
    { role: 'user', content: 'And lakes?' },
  ])
})

test('the mark is Chinese in a Chinese conversation', async () => {
  const stage = createStage()
  await stage.say('说说河流')
  await stopDuring(stage, '河流起源于')
  expect((await stage.sent())[0]?.text).toBe('河流起源于\n\n（已停止。）')
})

test('a stop before the first word says only that', async () => {
  const stage = createStage()
  await stage.say('Tell me about rivers')
  await stopDuring(stage, '')
  expect((await stage.sent())[0]?.text).toBe('Stopped.')
})

test('the mark stands outside of code that was being written', async () => {
  const stage = createStage()
  await stage.say('Write a program')
  await stopDuring(stage, 'Here:\n```js\nlet a = 1')
  expect((await stage.sent())[0]?.text).toBe('Here:\n```js\nlet a = 1\n```\n\n(Stopped.)')
})

test('a whole answer that a stop overtook is kept', async () => {
  const stage = createStage()
  stage.answers(async ({ write }) => {
    write('All of it.')
    await stage.stop()
    return {
      kind: 'reply',
      text: 'All of it.',
      toolCalls: [],
      finish: 'stop',
      usage: { promptTokens: 1, completionTokens: 1 },
      model: 'm',
    }
  })
  expect(await stage.ask('Tell me')).toBe('All of it.\n\n(Stopped.)')
})

test('a stop that arrives after its worker was lost keeps what was last shown', async () => {
  const stage = createStage()
  const lost = new AbortController()
  const { answer, written } = hanging('never shown')
  stage.answers(answer)
  await stage.say('Tell me about rivers')
  const working = stage.work(lost.signal)
  await written
  await stage.kernel.saveDraft(conversation, { turn: await turnOf(stage), text: 'Rivers begin', step: 0 })
  lost.abort()
  await working
  await stage.stop()
  await stage.work()
  expect((await stage.sent()).map((body) => body.text)).toEqual(['Rivers begin\n\n(Stopped.)'])
  expect((await stage.state()).history.at(-1)).toEqual({
    role: 'assistant',
    source: 'own',
    text: 'Rivers begin\n\n[Stopped.]',
  })
})

test('a draft of another turn, or of an earlier step, is nobody’s last word', async () => {
  const stage = createStage({ features: [{ name: 't', tools: [look] }] })
  const lost = new AbortController()
  const { answer, written } = hanging('')
  stage.answers({ text: 'I look it up.', toolCalls: [call('a')] }, answer)
  await stage.say('Look')
  const working = stage.work(lost.signal)
  await written
  await stage.kernel.saveDraft(conversation, { turn: await turnOf(stage), text: 'I look it', step: 0 })
  lost.abort()
  await working
  await stage.stop()
  await stage.work()
  expect((await stage.sent())[0]?.text).toBe('I look it up.\n\n(Stopped.)')
})

test('a model that breaks off each time leaves the most that it wrote', async () => {
  const stage = createStage()
  const broken = (text: string) => (all: { write(piece: string): void }) => {
    all.write(text)
    return failed('cut-off')
  }
  stage.answers(broken('Rivers begin in the mountains'), broken('Rivers'), broken(''))
  const text = await stage.ask('Tell me about rivers')
  expect(text).toMatch(/^Rivers begin in the mountains\n\n\(The model broke off here/)
  expect((await stage.state()).history.at(-1)?.text).toMatch(/^Rivers begin in the mountains\n\n\[The model broke off/)
})

test('a model that never said a word is told of as before', async () => {
  const stage = createStage()
  stage.answers(
    () => failed('unavailable'),
    () => failed('unavailable'),
    () => failed('unavailable'),
  )
  expect(await stage.ask('Hello there')).toMatch(/^The model is not answering/)
})

test('the limit of time ends a call that is still being written', async () => {
  const stage = createStage({ limits: { ...defaultLimits, maxWallMs: 30 } })
  stage.answers(hanging('Slowly').answer)
  expect(await stage.ask('Tell me')).toBe('Slowly\n\n(I reached the time limit and end here.)')
})

test('a limit keeps what the tools found and leaves no call without a result', async () => {
  const limits = { ...defaultLimits, maxSteps: 2 }
  const stage = createStage({ limits, features: [{ name: 't', tools: [look] }] })
  stage.answers({ text: 'First look.', toolCalls: [call('a')] }, { text: 'Second look.', toolCalls: [call('b')] })
  expect(await stage.ask('Look')).toBe(
    'Second look.\n\n(I reached the limit of steps and end here.)\n\nTools used until then: look ×1.',
  )
  expect((await stage.state()).history).toEqual([
    { role: 'user', text: 'Look', source: 'person', messageId: 'm1' },
    { role: 'assistant', text: 'First look.', source: 'own', toolCalls: [call('a')] },
    { role: 'tool', callId: 'a', text: 'nothing new', source: 'others' },
    { role: 'assistant', source: 'own', text: 'Second look.\n\n[I reached the limit of steps and end here.]' },
  ])
})

test.each([
  ['tool-calls', { maxToolCalls: 1 }],
  ['tokens', { maxTokens: 10 }],
  ['money', { money: { maxMicros: 30, toMicros: (_: string, { promptTokens }: Usage) => 3 * promptTokens } }],
  ['identical-calls', { maxIdenticalCalls: 1 }],
] as const)('the limit of %s ends a turn by name', async (name, limit) => {
  const stage = createStage({ limits: { ...defaultLimits, ...limit }, features: [{ name: 't', tools: [look] }] })
  stage.answers({ text: 'Looking.', toolCalls: [call('a')] })
  const named = {
    'tool-calls': 'the limit of tool calls',
    tokens: 'the token limit',
    money: 'has cost as much as one may',
    'identical-calls': 'the same call',
  }
  expect(await stage.ask('Look')).toContain(named[name])
})

test('a message that lost its worker six times is put aside with what was last shown', async () => {
  const stage = createStage()
  await stage.say('Tell me about rivers')
  for (let n = 0; n < 6; n++) {
    await loseDuringCall(stage, async () =>
      stage.kernel.saveDraft(conversation, { turn: await turnOf(stage), text: 'Rivers begin', step: 0 }),
    )
  }
  const turn = await turnOf(stage)
  await stage.work()
  const [told] = await stage.sent()
  expect(told?.text).toMatch(/^Rivers begin\n\n\(I failed on this message several times/)
  expect(told?.replaces).toBe(`${turn}-first`)
  expect((await stage.state()).history.map((item) => item.role)).toEqual(['user', 'assistant'])
})

test('a /retry that lost its worker six times is put aside, and what it asked is still what the next one asks', async () => {
  const stage = createStage()
  await stage.ask('Tell me about rivers')
  await stage.say('/retry', { as: toCommand('retry') })
  for (let n = 0; n < 6; n++) await loseDuringCall(stage)
  await stage.work()
  expect((await stage.sent()).at(-1)?.text).toMatch(/^I failed on this message several times/)
  expect((await stage.state()).lastText).toBe('Tell me about rivers')
  await stage.ask('/retry', { as: toCommand('retry') })
  const asked = stage.requests.at(-1)?.messages.findLast((message) => message.role === 'user')
  expect(asked?.content).toContain('Tell me about rivers')
})

test('an answer that its limit cut says so and offers to go on', async () => {
  const stage = createStage()
  stage.answers({ text: 'Rivers are', finish: 'length' })
  await stage.say('Tell me about rivers')
  await stage.work()
  const [cut] = await stage.sent()
  expect(cut?.text).toMatch(/^Rivers are\n\n\(This answer reached its length limit/)
  const button = cut?.buttons?.[0]?.[0]
  expect(button?.label).toBe('Continue')
  const [question = '', choice = ''] = button?.id.split('.') ?? []
  const event = wonPress({ question, choice })
  const chat = conversation
  expect((await stage.kernel.resolve({ question, actor: ann, chat, choice, event })).kind).toBe('WON')
  await stage.kernel.route(conversation, 1, [toApply('answer')])
  stage.answers('long and winding.')
  await stage.work()
  expect((await stage.sent()).at(-1)?.text).toBe('long and winding.')
  const told = stage.requests.at(-1)?.messages.slice(1, -1) ?? []
  expect(told[1]?.content).toMatch(/^Rivers are\n\n\[This answer reached its length limit/)
  expect(told[2]?.content).toMatch(/^Go on with your last answer/)
  expect((await stage.state()).lastText).toBe('Tell me about rivers')
})

test('"go on" in words is asked of a model that knows what it wrote, and that it was cut', async () => {
  const stage = createStage()
  stage.answers({ text: 'Rivers are', finish: 'length' })
  await stage.ask('Tell me about rivers')
  await stage.ask('go on')
  const told = stage.requests.at(-1)?.messages.slice(1, -1) ?? []
  expect(told.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(told[1]?.content).toMatch(/^Rivers are\n\n\[This answer reached its length limit/)
  expect(told[2]?.content).toContain('go on')
})

test('an answer that was filtered says so and offers nothing', async () => {
  const stage = createStage()
  stage.answers({ text: 'Well', finish: 'filtered' }, { text: '', finish: 'filtered' })
  expect(await stage.ask('One')).toMatch(/^Well\n\n\(The model service’s content filter/)
  expect(await stage.ask('Two')).toMatch(/^The model service’s content filter/)
  expect((await stage.sent()).every((body) => body.buttons === undefined)).toBe(true)
})

test.each([
  ['light', 150, 128_000, 450],
  ['standard', 800, 128_000, 2400],
  ['deep', 2000, 128_000, 6000],
  ['standard', 768, 4096, 1024],
  ['deep', 768, 4096, 1024],
] as const)('%s answers aim at %i tokens; with a window of %i they are cut at %i', async (depth, aim, window, most) => {
  const stage = createStage({}, window)
  await stage.ask('Tell me', { as: toTurn({ depth }) })
  expect(stage.requests[0]?.maxOutputTokens).toBe(most)
  expect(stage.requests[0]?.messages.at(window < 16_000 ? 1 : -1)?.content).toContain(`about ${aim} tokens`)
})

test('a stopped call costs its prompt and its aim, or what was written if that is more', async () => {
  const spent: number[] = []
  const stage = createStage({ charge: async (_, __, { completionTokens }) => void spent.push(completionTokens) })
  await stage.say('Tell me')
  await stopDuring(stage, 'Rivers')
  const long = 'river '.repeat(700)
  await stage.say('Tell me more')
  await stopDuring(stage, long)
  expect(spent).toEqual([800, stage.deps.estimate(long)])
})

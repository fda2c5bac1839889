// What comes while a turn runs: messages and corrections of the same person join it between two steps, everything else waits.
import { setImmediate as tick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { conversation, edit, nthMessage, toApply, toCommand, toTurn } from '#test/rig/events.ts'
import { builtIn, createStage, failed, look, type Call, type Stage } from '#test/services/executor/stage.ts'

const bob = 'web:bob'
const apply = toApply()

/** A stage whose first answer calls a tool; `meanwhile` happens while it is written. */
function during(meanwhile: (stage: Stage) => Promise<unknown>): Stage {
  const stage = createStage({ features: [...builtIn, { name: 'tools', tools: [look] }] })
  stage.answers(async ({ write }: Call) => {
    await meanwhile(stage)
    write('Looking.')
    const toolCalls = [{ id: 'a', name: 'look', arguments: '{}' }]
    const usage = { promptTokens: 10, completionTokens: 5 }
    return { kind: 'reply', text: 'Looking.', toolCalls, finish: 'stop', usage, model: 'stage' }
  }, 'Done.')
  return stage
}
const people = (stage: Stage, n = -1): readonly string[] =>
  (stage.requests.at(n)?.messages ?? []).flatMap(({ role, content }) => (role === 'user' ? [content] : []))
const texts = async (stage: Stage): Promise<readonly string[]> => (await stage.sent()).map(({ text }) => text)

test('a message of the same person joins between two steps, and is not answered again', async () => {
  const stage = during(({ say }) => say('and the weather'))
  await stage.ask('Find the date')
  expect(people(stage)).toEqual(['Find the date', '[added] and the weather'])
  expect(await texts(stage)).toEqual(['Done.'])
  expect((await stage.sent())[0]?.answers).toEqual(['m1', 'm2'])
  expect((await stage.state()).history.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'user',
    'assistant',
  ])
})

test('what joins is marked in the language of the turn', async () => {
  const stage = during(({ say }) => say('还有天气'))
  await stage.ask('查一下日期')
  expect(people(stage).at(-1)).toBe('[补充] 还有天气')
})

test('a correction of a message that the turn has read joins as one', async () => {
  const stage = during(({ put }) => put(edit('Find the time'), apply))
  await stage.ask('Find the date')
  expect(people(stage)).toEqual(['Find the date', '[correction of the earlier message] Find the time'])
  expect(await texts(stage)).toEqual(['Done.'])
})

test('a message of somebody else waits for its own turn', async () => {
  const stage = during(({ say }) => say('And me?', { principal: bob }))
  await stage.ask('Find the date')
  expect(people(stage, 1)).toEqual(['Find the date'])
  expect(people(stage)).toEqual(['Find the date', 'And me?'])
  expect(await texts(stage)).toEqual(['Done.', 'ok'])
})

test('what comes after a command of the same person waits behind it', async () => {
  const stage = during(async ({ say }) => {
    await say('/new', { as: toCommand('new') })
    await say('Another matter')
  })
  await stage.ask('Find the date')
  expect(people(stage, 1)).toEqual(['Find the date'])
  expect(people(stage)).toEqual(['Another matter'])
})

test('a command that only reads is answered while the turn runs', async () => {
  const stage = during(async ({ say, sent }) => {
    await say('/status', { as: toCommand('status') })
    await expect.poll(async () => (await sent()).length).toBe(1)
  })
  await stage.ask('Find the date')
  expect(await texts(stage)).toEqual([expect.stringContaining('working for'), 'Done.'])
})

test('a message that came after the last step has a turn of its own', async () => {
  const stage = createStage()
  stage.answers(async ({ write }: Call) => {
    await stage.say('And the weather?')
    write('Today.')
    const usage = { promptTokens: 10, completionTokens: 5 }
    return { kind: 'reply', text: 'Today.', toolCalls: [], finish: 'stop', usage, model: 'stage' }
  })
  await stage.ask('Find the date')
  expect(await texts(stage)).toEqual(['Today.', 'ok'])
  expect(people(stage)).toEqual(['Find the date', 'And the weather?'])
})

test('messages that wait together are one turn', async () => {
  const stage = createStage()
  await stage.say('Find the date')
  await stage.say('and the weather')
  await stage.work()
  expect(stage.requests).toHaveLength(1)
  expect(people(stage)).toEqual(['Find the date', 'and the weather'])
  expect((await stage.sent())[0]?.answers).toEqual(['m1', 'm2'])
})

test('an edit of an unread message is read in its place', async () => {
  const stage = createStage()
  await stage.say('Find the date')
  await stage.put(edit('Find the time'), apply)
  await stage.work()
  expect(people(stage)).toEqual(['Find the time'])
  expect(await texts(stage)).toEqual(['ok'])
})

test('a message whose signal was lost joins all the same', async () => {
  const stage = during(async ({ kernel }) => {
    const event = nthMessage(2, { text: 'and the weather' })
    await kernel.ingest({ event, dedupeKey: 'unheard', stop: 'none', echo: false })
    await kernel.route(conversation, 1, [toTurn()])
  })
  await stage.ask('Find the date')
  expect(people(stage)).toEqual(['Find the date', '[added] and the weather'])
})

test.each([
  ['Shorter', 'stop'],
  ['Continue', 'length'],
] as const)('what is asked after %s was pressed is a question of its own', async (label, finish) => {
  const stage = createStage({ features: [...builtIn, { name: 'tools', tools: [look] }] })
  stage.answers(
    { text: 'x'.repeat(500), finish },
    async () => {
      await stage.say('And when does the last train go?')
      const toolCalls = [{ id: 'a', name: 'look', arguments: '{}' }]
      const usage = { promptTokens: 10, completionTokens: 5 }
      return { kind: 'reply', text: '', toolCalls, finish: 'stop', usage, model: 'stage' }
    },
    'The other version.',
    'At 23:10.',
  )
  await stage.ask('Tell me about the trains')
  await stage.press(label)
  expect((await texts(stage)).slice(1)).toEqual(['The other version.', 'At 23:10.'])
  expect((await stage.sent()).at(-1)?.replaces).not.toBe((await stage.sent())[0]?.row)
  expect((await stage.state()).lastText).toBe('And when does the last train go?')
})

const usage = { promptTokens: 10, completionTokens: 5 }
const said = (text: string) => ({ kind: 'reply', text, toolCalls: [], finish: 'stop', usage, model: 'stage' }) as const
const group = { group: true, addressed: true } as const
/** Is asked, hears that the question was corrected, and is told to stop writing. */
const corrected = (stage: Stage, text: string, more: Parameters<typeof edit>[1] = {}) => {
  return async ({ write, signal }: Call) => {
    write('The date is')
    const left = new Promise((done) => signal.addEventListener('abort', done, { once: true }))
    await stage.put(edit(text, more), apply)
    await left
    return failed('aborted')
  }
}

test.each([{}, group])(
  'a question that is corrected while its answer is made is answered as corrected: %o',
  async (more) => {
    const stage = createStage()
    stage.answers(corrected(stage, 'Find the time', more), 'It is noon.')
    await stage.ask('Find the date', more)
    expect(people(stage).at(-1)).toContain('[correction of the earlier message] Find the time')
    expect(await texts(stage)).toEqual(['It is noon.'])
    expect((await stage.sent())[0]?.answers).toEqual(['m1', 'edit'])
    expect((await stage.state()).lastText).toBe('Find the time')
  },
)

test('a correction that comes while a later step is made is not waited for either', async () => {
  const stage = createStage({ features: [...builtIn, { name: 'tools', tools: [look] }] })
  const toolCalls = [{ id: 'a', name: 'look', arguments: '{}' }]
  stage.answers({ text: 'Looking.', toolCalls }, corrected(stage, 'Find the time'), 'It is noon.')
  await stage.ask('Find the date')
  expect(people(stage)).toEqual(['Find the date', '[correction of the earlier message] Find the time'])
  expect(await texts(stage)).toEqual(['It is noon.'])
})

test('whoever corrects again and again is answered, and offered to have it done anew', async () => {
  const stage = createStage()
  const again = (n: number) => corrected(stage, `Find ${n}`, { id: `edit ${n}` })
  stage.answers(again(1), again(2), again(3), async (call) => {
    await stage.put(edit('Find the last', { id: 'edit last' }), apply)
    // Whatever the mailbox tells is read by then.
    for (let n = 0; n < 10; n++) await tick()
    expect(call.signal.aborted).toBe(false)
    return said('Found.')
  })
  await stage.ask('Find the date')
  expect(stage.requests).toHaveLength(4)
  expect(await texts(stage)).toEqual(['Found.', 'You edited a message that I had already answered.'])
})

test('a command that is edited while its answer is made corrects nothing', async () => {
  const stage = createStage()
  await stage.ask('Find the date')
  stage.answers(async ({ signal }) => {
    await stage.put(edit('/retry please', { messageId: 'm2' }), apply)
    for (let n = 0; n < 10; n++) await tick()
    expect(signal.aborted).toBe(false)
    return said('Monday.')
  })
  await stage.ask('/retry', { as: toCommand('retry') })
  expect(stage.requests).toHaveLength(2)
  expect((await texts(stage)).at(-1)).toBe('Monday.')
})

test.each([
  ['en', 'Find the date', 'Find the time', 'You edited a message that I had already answered.', 'Redo'],
  ['zh', '查一下日期', '查一下时间', '你修改了一条我已经回答过的消息。', '重新回答'],
] as const)(
  'in a group too an edit of what was answered offers to answer it anew: %s',
  async (_, first, next, text, button) => {
    const stage = createStage()
    await stage.ask(first, group)
    await stage.put(edit(next, { group: true }), apply)
    await stage.work()
    expect((await stage.sent()).at(-1)).toMatchObject({ text, replyTo: 'm1' })
    await stage.press(button)
    expect(people(stage).at(-1)).toBe(next)
  },
)

test('in a group edits are answered no faster than commands', async () => {
  let left = 1
  const stage = createStage({
    pace: async () => (left > 0 ? 'answer' : 'tell'),
    noteAnswer() {
      left--
    },
  })
  await stage.ask('Find the date', group)
  for (const n of [1, 2, 3]) await stage.put(edit(`Find ${n}`, { group: true, id: `edit ${n}` }), apply)
  await stage.work()
  expect(await texts(stage)).toEqual(['ok', 'You edited a message that I had already answered.'])
})

test('what was not answered in a group may be edited without a word', async () => {
  const stage = createStage()
  await stage.put(edit('Find the time', { group: true }), apply)
  await stage.work()
  expect(await texts(stage)).toEqual([])
})

// The recovery card: which ends of a turn raise one, what its buttons begin, and that there is one of a kind; and the button of an answer that never came.
import { expect, test } from 'vitest'
import { BotError } from '#shared/errors.ts'
import type { Tool } from '#shared/model/tool.ts'
import { ann, deletion, toApply } from '#test/rig/events.ts'
import { answer, builtIn, createStage, failed, look, type Answer, type Stage } from '#test/services/executor/stage.ts'
import type { ModelFailureKind } from '#shared/model/model-port.ts'

const bob = 'web:bob'
const step = (name: string, given = '{"n":1}', id = 'c') => ({ toolCalls: [{ id, name, arguments: given }] })

type Opened = {
  readonly stage: Stage
  readonly made: { readonly key: string; readonly by: string }[]
  isBroken: boolean
}

function open(more: Parameters<typeof createStage>[0] = {}): Opened {
  const opened: Opened = {
    made: [],
    isBroken: false,
    stage: createStage({ retryDelaysMs: [], ...more, features: [...builtIn, shop()] }),
  }
  return opened

  function shop() {
    const buy: Tool = {
      ...look,
      name: 'buy',
      effect: 'write',
      onCrash: 'rerun-with-key',
      async run(_, { idempotencyKey: key, principal: by }) {
        opened.made.push({ key, by })
        if (opened.isBroken) throw new BotError('platform', 'it broke.')
        return { text: 'bought', source: 'own' }
      },
    }
    return { name: 'shop', tools: [{ ...look, run: async () => ({ text: 'seen', source: 'own' as const }) }, buy] }
  }
}
const away = (): ReturnType<typeof failed> => failed('unavailable')
const labels = async (stage: Stage): Promise<readonly string[]> =>
  ((await stage.sent()).at(-1)?.buttons ?? []).flat().map(({ label }) => label)
const started = ({ steps }: Stage) =>
  steps.flatMap(({ entries }) => entries).findLast((entry) => entry.t === 'turn:start')

test.each<[string, string, readonly string[]]>([
  [
    'en',
    'Buy *one*',
    [
      [
        '**I am stuck here**',
        'The task is not finished:',
        '> What failed: the model gave no answer.\n> Task: Buy \\*one\\*\n> Done so far: buy ×1',
        '- “Retry”: I go on from there and try again what failed.\n- “Skip”: I leave out what failed, do the rest, and tell you what is missing.',
        'What is done is not done again.',
        'If nobody answers in time: all stays as it is. The buttons go after 30 days.',
      ].join('\n\n'),
      'Retry',
      'Skip',
    ],
  ],
  [
    'zh',
    '买一个苹果',
    [
      [
        '**这里卡住了**',
        '任务没有做完：',
        '> 失败的一步：模型没有给出回答。\n> 任务：买一个苹果\n> 已经完成：buy ×1',
        '- “重试”：我从这里接着做，失败的再试一次。\n- “跳过”：失败的不做了，我接着做其余的，最后告诉你少了什么。',
        '已经完成的不会重做。',
        '如果到时没有人回答：一切保持现状；按钮 30 天后消失。',
      ].join('\n\n'),
      '重试',
      '跳过',
    ],
  ],
])('a turn that the model left in the middle asks how to go on: %s', async (_, asked, [said, ...buttons]) => {
  const { stage } = open()
  stage.answers(step('buy'), away)
  await stage.ask(asked)
  const card = (await stage.sent()).at(-1)
  expect(card).toMatchObject({ text: said, asks: { urgency: 'normal', deadlineMs: 30 * 86_400_000 } })
  expect(await labels(stage)).toEqual(buttons)
})

test('Retry goes on at the last finished step: what was done stands in its prompt, and whose task it is', async () => {
  const { stage, made } = open()
  stage.answers(step('buy'), away)
  await stage.ask('Buy one', { group: true, name: 'Ann' })
  stage.answers('Bought.')
  expect(await stage.press('Retry')).toMatch(/✓ Chosen by Ann: Retry\nBought\.$/)
  expect(made).toHaveLength(1)
  const prompt = stage.requests.at(-1)?.messages ?? []
  expect(prompt.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual(['bought'])
  expect(prompt.at(-1)?.content).toMatch(/## Current task\n> Buy one\n[^]*## HUMAN_RESPONSE recovery\.execution/)
  expect(started(stage)).toMatchObject({
    principal: ann,
    response: { question: 'recovery.execution', task: 'Buy one' },
  })
  expect(await labels(stage)).not.toContain('Retry')
})

test('an administrator may choose; the turn is that of who asked', async () => {
  const { stage, made } = open()
  stage.answers(step('look'), away)
  await stage.ask('Buy one', { group: true, name: 'Ann' })
  expect(await stage.press('Skip', bob)).toBe('FORBIDDEN')
  stage.answers(step('buy'), 'Bought.')
  expect(await stage.press('Skip')).toContain('Bought.')
  expect(made.map(({ by }) => by)).toEqual([ann])
})

test('one that fails again asks again, with the task that it was all about', async () => {
  const { stage } = open()
  stage.answers(step('look'), away)
  await stage.ask('Buy one')
  for (let n = 0; n < 3; n++) {
    stage.answers(away)
    expect(await stage.press('Retry')).toContain('Task: Buy one')
    expect(await labels(stage)).toEqual(['Retry', 'Skip'])
  }
  stage.answers('Bought.')
  expect(await stage.press('Retry')).toMatch(/Bought\.$/)
})

test('a write that failed keeps its key when the turn goes on, however often', async () => {
  const opened = open()
  const { stage, made } = opened
  opened.isBroken = true
  stage.answers(step('buy', '{"n":1,"m":2}'), away)
  await stage.ask('Buy one')
  stage.answers(away)
  await stage.press('Retry')
  stage.answers(step('buy', '{"m":2,"n":1}'), away)
  await stage.press('Retry')
  opened.isBroken = false
  stage.answers(step('buy', '{"m":2,"n":1}'), 'Bought.')
  expect(await stage.press('Retry')).toContain('Bought.')
  expect(made).toHaveLength(3)
  expect(new Set(made.map(({ key }) => key)).size).toBe(1)
  // Now it is known to have happened.
  stage.answers(step('buy', '{"m":2,"n":1}'), 'Another.')
  await stage.ask('Buy another')
  expect(new Set(made.map(({ key }) => key)).size).toBe(2)
})

test('calls that cannot be written ask for a word; one that goes in circles asks whether to begin anew', async () => {
  const { stage } = open()
  stage.answers(...['{', '[]', '7', '"'].map((given) => step('look', given)))
  await stage.ask('Look')
  expect(await labels(stage)).toEqual(['Clarify', 'Assume and go on'])
  const unclear = (await stage.sent()).at(-1)?.text
  expect(unclear).toContain('I could not work out how to do this')
  expect(unclear).toContain('- “Clarify”: I say where I am stuck and ask you one question.')
  stage.answers('Which one?')
  expect(await stage.press('Clarify')).toMatch(/Which one\?$/)
  stage.answers(step('look'), step('look'), step('look'))
  await stage.ask('Look again')
  expect(await labels(stage)).toEqual(['Review the steps', 'Begin anew'])
  stage.answers('Looked twice.')
  expect(await stage.press('Begin anew')).toMatch(/Looked twice\.$/)
  expect(started(stage)?.given).toMatch(/^Begin this task anew/)
})

test('a call that fails again and again asks for another try; calls that were not made are not counted', async () => {
  const opened = open()
  const { stage, made } = opened
  opened.isBroken = true
  stage.answers(step('buy'), step('buy'), step('buy'))
  await stage.ask('Buy one')
  expect(await labels(stage)).toEqual(['Retry', 'Skip'])
  const card = (await stage.sent()).at(-1)?.text
  expect(card).toContain('> What failed: buy, again and again.\n')
  expect(card).not.toContain('Failed: buy')
  expect(card).toMatch(/> The reason: [^\n]{4,}\n/)
  const above = (await stage.sent()).at(-2)?.text
  expect(above).toContain('The same call failed again and again, so I stopped.')
  expect(above).not.toContain('repeating')
  opened.isBroken = false
  stage.answers(step('buy'), 'Bought.')
  expect(await stage.press('Retry')).toMatch(/Bought\.$/)
  expect(new Set(made.map(({ key }) => key)).size).toBe(1)
  // Of two that take turns one fails.
  opened.isBroken = true
  stage.answers(...['look', 'buy', 'look', 'buy', 'look', 'buy'].map((name) => step(name)))
  await stage.ask('Look, and buy another')
  expect(await labels(stage)).toEqual(['Retry', 'Skip'])
})

test.each<[string, readonly Answer[]]>([
  ['a wrong key', [step('look'), () => failed('auth')]],
  ['a model that is not there', [step('look'), () => failed('no-model')]],
  ['a conversation that is too long', [step('look'), ...Array.from({ length: 3 }, () => () => failed('too-long'))]],
  ['an answer', [step('look'), 'Seen.']],
  ['a plain question', [away]],
])('%s asks nobody', async (_, answers) => {
  const { stage } = open()
  stage.answers(...answers)
  await stage.ask('Look')
  expect((await stage.sent()).filter(({ asks }) => asks)).toEqual([])
})

test('nor does a stop, nor a budget that is used up', async () => {
  const { stage } = open()
  stage.answers(step('look'), async () => {
    await stage.stop()
    return failed('aborted')
  })
  await stage.ask('Look')
  const poor = open({ reserve: async (_, id) => (id.endsWith('/0/1') ? undefined : 'LIMIT') })
  poor.stage.answers(step('look'))
  await poor.stage.ask('Look')
  for (const one of [stage, poor.stage]) expect((await one.sent()).filter(({ asks }) => asks)).toEqual([])
})

/** Recovery cards that are shown or wait. */
async function openCards(stage: Stage): Promise<number> {
  const { shown = [], waiting = [] } = (await stage.state()).asking ?? {}
  return shown.filter(({ kind }) => kind.startsWith('recovery.')).length + waiting.length
}

test('in an outage a conversation has one card, the newest', async () => {
  const { stage } = open()
  for (const asked of ['One', 'Two', 'Three']) {
    stage.answers(step('look'), away)
    await stage.ask(asked)
    await stage.wait(1000)
  }
  expect((await stage.sent()).at(-1)?.text).toContain('Task: Three')
  expect(await openCards(stage)).toBe(1)
  stage.answers('Seen.')
  expect(await stage.press('Retry')).toMatch(/Seen\.$/)
  expect(await openCards(stage)).toBe(0)
})

test('who asks again by /retry, and gets an answer, is asked no more; another answer leaves the card', async () => {
  const { stage } = open()
  stage.answers(step('look'), away)
  await stage.ask('One')
  stage.answers('Good day.')
  await stage.ask('How do you do?')
  expect(await openCards(stage)).toBe(1)
  stage.answers('Seen.')
  await stage.ask('One')
  await stage.wait(1000)
  expect(await openCards(stage)).toBe(0)
})

test('after its deadline the buttons go, and nothing else happens', async () => {
  const { stage } = open()
  stage.answers(step('look'), away)
  await stage.ask('One')
  const before = (await stage.sent()).length
  await stage.wait(62 * 86_400_000)
  expect(await openCards(stage)).toBe(0)
  expect((await stage.sent()).length).toBe(before)
})

test('a task that is to be forgotten goes with its card', async () => {
  const { stage } = open()
  stage.answers(step('look'), away)
  await stage.ask('One secret')
  await stage.put(deletion('m1'), toApply('delete'))
  await stage.work()
  await stage.wait(1000)
  expect(JSON.stringify(await stage.state())).not.toContain('secret')
  expect(await openCards(stage)).toBe(0)
})

test.each<[ModelFailureKind, string]>([
  ['unavailable', 'Retry'],
  ['timeout', 'Retry'],
])('a plain question that the model did not answer has a button below what it is told: %s', async (kind, label) => {
  const { stage } = open()
  stage.answers(() => failed(kind))
  expect(await stage.ask('Why?')).toContain('/retry')
  expect(await stage.sent()).toHaveLength(1)
  expect(await labels(stage)).toEqual([label])
  stage.answers('Because.')
  expect(await stage.press(label)).toBe('Because.')
  expect(
    stage.requests.at(-1)?.messages.filter(({ role, content }) => role === 'user' && content.includes('Why?')),
  ).not.toEqual([])
})

/** By what it has read, so that a repeated request has the same answer; away until somebody chose. */
function openSwept(): Opened {
  const opened = open()
  const respond: Answer = (call) => {
    opened.stage.answers(respond)
    const { messages } = call.request
    const has = (text: string): boolean => messages.some(({ content }) => content.includes(text))
    if (!messages.some(({ role }) => role === 'tool')) return answer(call, step('look'))
    if (!has('Go on after the last step')) return away()
    return answer(call, has('bought') ? 'All done.' : step('buy'))
  }
  opened.stage.answers(respond)
  return opened
}
async function playSwept({ stage }: Opened, work: () => Promise<void>): Promise<readonly string[]> {
  await stage.say('Look and buy')
  await work()
  await stage.press('Retry')
  await work()
  return (await stage.sent()).map(({ text }) => text)
}

test('a worker lost at any step, before or after it was stored, leaves the same end and buys once', async () => {
  const whole = openSwept()
  const wanted = await playSwept(whole, whole.stage.work)
  expect(wanted.at(-1)).toBe('All done.')
  const appends = whole.stage.steps.length
  expect(appends).toBeGreaterThan(9)
  for (let n = 1; n <= appends; n++)
    for (const side of ['before', 'after'] as const) {
      const swept = openSwept()
      swept.stage.loseAt(n, side)
      const said = await playSwept(swept, async () => {
        await swept.stage.work()
        await swept.stage.work()
      })
      expect(said, `lost ${side} append ${n} of ${appends}`).toEqual(wanted)
      expect(new Set(swept.made.map(({ key }) => key)).size).toBe(1)
    }
})

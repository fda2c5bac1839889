// Marks before answers: people see them, and nobody else does.
import { expect, test } from 'vitest'
import type { Classification } from '#shared/chat/decision.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { createConfidence } from '#services/confidence/confidence.ts'
import type { Answered } from '#shared/feature/marks.ts'
import { unmarkedDrafts, markOf, workOf } from '#services/executor/context/marks.ts'
import { call, done, openTurn, said, wrote } from '#test/rig/journal-entries.ts'
import { toTurn } from '#test/rig/events.ts'
import { builtIn, createStage as createBareStage, hanging, look, type Stage } from './stage.ts'

const medium = '（基于现有信息的最佳判断）'
const low = '(I am not sure about this; please verify)'
const cause = '网站突然变慢了，是怎么回事？'
const inference = '多半是数据库连接池满了，先看一下慢查询日志，再看最近有没有发布。'
const price = 'What is the current price of Bitcoin?'

const toolsOf = (...names: readonly string[]): Feature => ({
  name: 'tools',
  tools: names.map((name) => ({
    ...look,
    name,
    run: async () => {
      if (name.startsWith('broken')) throw new Error('no connection')
      return { text: 'fine', source: 'own' as const }
    },
  })),
})
const calling = (...names: readonly string[]) => ({
  toolCalls: names.map((name, at) => ({ id: `c${at}`, name, arguments: '{}' })),
})
const createStage = (...more: readonly Feature[]): Stage =>
  createBareStage({ features: [...builtIn, createConfidence({ isDemo: false }), ...more] })
const openStage = (...names: readonly string[]): Stage => createStage(toolsOf(...names))
const promptOf = ({ requests }: Stage): string => JSON.stringify(requests.at(-1)?.messages.slice(1, -1))

test('an answer that infers is marked once, in the conversation’s language, and the model never reads the mark', async () => {
  const stage = createStage()
  stage.answers(inference)
  expect(await stage.ask(cause)).toBe(`${medium}\n\n${inference}`)
  expect(stage.steps.at(-1)).toMatchObject({ reply: inference, records: [{ record: { answer: inference } }] })
  await stage.ask('谢谢，那怎么看日志？')
  expect(promptOf(stage)).toContain(inference)
  expect(promptOf(stage)).not.toContain('最佳判断')
})

test('in English too', async () => {
  const stage = createStage()
  stage.answers('Bitcoin is at $67,412.')
  expect(await stage.ask(price)).toBe(`${low}\n\nBitcoin is at $67,412.`)
})

test('what can be known has no mark', async () => {
  const stage = createStage()
  stage.answers('17% of 2,350 is 399.5.')
  expect(await stage.ask("What's 17% of 2,350?")).toBe('17% of 2,350 is 399.5.')
})

test('a mark that the model wrote is replaced by ours, or taken away, and is not remembered', async () => {
  const stage = createStage()
  stage.answers(`（这是基于现有信息的最佳判断）\n\n${inference}\n\n（这是基于现有信息的最佳判断）`)
  expect((await stage.ask(cause)).trimEnd()).toBe(`${medium}\n\n${inference}`)
  stage.answers('（这是基于现有信息的最佳判断）Bitcoin is at $67,412.')
  expect(await stage.ask(price)).toBe(`${low}\n\nBitcoin is at $67,412.`)
  stage.answers('（对此不太确定，建议验证）\n\nParis.')
  expect(await stage.ask('What is the capital of France?')).toBe('Paris.')
  await stage.ask('And of Spain?')
  expect(promptOf(stage)).not.toMatch(/最佳判断|建议验证/)
})

test('an answer that is nothing but a mark says that there is none', async () => {
  const stage = createStage()
  stage.answers('（对此不太确定，建议验证）')
  expect(await stage.ask(cause)).toBe('（模型这次没有给出回答，问题不在你的话。用 /retry 再问一次。）')
})

test('what a tool delivered has no mark; what one failed to deliver has, and what was not done says so', async () => {
  const stage = openStage('price_lookup', 'broken_lookup', 'broken_send')
  stage.answers(calling('price_lookup'), 'Bitcoin is at $67,412.')
  expect(await stage.ask(price)).toBe('Bitcoin is at $67,412.')
  stage.answers(calling('broken_lookup'), 'Bitcoin is at $67,412.')
  expect(await stage.ask(price)).toBe(`${low}\n\nBitcoin is at $67,412.`)
  stage.answers(calling('broken_send'), 'Done, the mail is on its way.')
  expect(await stage.ask('Send the mail to Jonas')).toBe(
    '(Not done: `broken_send` failed, so please do not rely on it)\n\nDone, the mail is on its way.',
  )
  stage.answers(calling('broken_send'), '已经发给 Jonas 了。')
  expect(await stage.ask('把邮件发给 Jonas')).toMatch(/^（没有做成：`broken_send`失败了/)
  stage.answers(calling('broken_send'), 'The mail could not be sent: no connection.')
  expect(await stage.ask('Send the mail to Jonas')).toBe(`${low}\n\nThe mail could not be sent: no connection.`)
})

test('a shorter version rests on the tools and the question of the answer that it rewrites', async () => {
  const long = 'Bitcoin is at $67,412, and this is what the exchange says of the day so far. '.repeat(8).trim()
  const stage = openStage('price_lookup')
  stage.answers(calling('price_lookup'), long)
  expect(await stage.ask(price)).toBe(long)
  stage.answers('Bitcoin is at $67,412.')
  expect(await stage.press('Shorter')).toBe('Bitcoin is at $67,412.')
})

test('a version of an answer that is marked is marked once, and made from the answer without its mark', async () => {
  const long = 'Bitcoin is at $67,412, and this is what I have heard of the day so far. '.repeat(8).trim()
  const stage = createStage()
  stage.answers(long)
  expect(await stage.ask(price)).toBe(`${low}\n\n${long}`)
  stage.answers('Bitcoin is at $67,412.')
  expect(await stage.press('Shorter')).toBe(`${low}\n\nBitcoin is at $67,412.`)
  expect(promptOf(stage)).toContain(long)
  expect(promptOf(stage)).not.toContain('verify')
})

test('what a person has told counts as known, and only their own words do', async () => {
  const stage = createStage()
  await stage.ask('My flight to Oslo is at 9 on Friday.')
  stage.answers('Your flight to Oslo is at 9 on Friday.')
  expect(await stage.ask('When is my flight?')).toBe('Your flight to Oslo is at 9 on Friday.')
  stage.answers('Your flight to Oslo is at 11 on Friday.')
  expect(await stage.ask('When is my flight?')).toMatch(/^\(I am not sure/)
})

test('a courtesy has no mark, nor has an answer that was stopped', async () => {
  const stage = createStage()
  stage.answers(inference)
  const social: Classification = { type: 'social', depth: 'light', complex: false, rule: 'social', confidence: 'high' }
  expect(await stage.ask(cause, { as: toTurn(social) })).toBe(inference)
  const { answer, written } = hanging(`（这是基于现有信息的最佳判断）\n\n${inference}`)
  stage.answers(answer)
  await stage.say(cause)
  const working = stage.work()
  await written
  await stage.stop()
  await working
  expect((await stage.sent()).at(-1)?.text).toBe(`${inference}\n\n（已停止。）`)
})

test('no draft shows a mark, whole or begun', () => {
  const shown: string[] = []
  const drafts = unmarkedDrafts(createStage().deps, { draft: ({ text }) => void shown.push(text) })
  for (const text of ['（这是基于', '（这是基于现有信息的最佳判断）', '（这是基于现有信息的最佳判断）\n\n多半'])
    drafts.draft({ turn: 't1', text, step: 0 })
  expect(shown).toEqual(['', '', '多半'])
})

test('a mark is told which tools were called, in order, each with what became of it in its own step', () => {
  const turn = openTurn(
    said(0, 'a', 'b'),
    done(0, 'a'),
    done(0, 'b', { ok: false }),
    said(1, 'a'),
    wrote('So.', { step: 2 }),
  )
  const { name } = call('a')
  expect(workOf(turn)).toEqual({
    tools: [
      { name, ok: true },
      { name, ok: false },
      { name, ok: false, unmade: true },
    ],
    last: undefined,
  })
})

test('the first feature that has a mark gives it; one that throws gives none', async () => {
  const seen: Answered[] = []
  const marking = (name: string, mark: () => string | undefined): Feature => ({
    name,
    marks: { without: (text) => text, of: (answered) => (seen.push(answered), mark()) },
  })
  const failing = marking('failing', () => {
    throw new Error('no')
  })
  const features = [
    failing,
    marking('silent', () => undefined),
    marking('one', () => '(1)'),
    marking('two', () => '(2)'),
  ]
  const failures: string[] = []
  const stage = createBareStage({ features, onFeatureFailed: (name) => void failures.push(name) })
  expect(await stage.ask('Why?')).toBe('(1)\n\nok')
  expect(failures).toEqual(['failing'])
  expect(seen.at(-1)).toMatchObject({ asked: 'Why?', text: 'ok', type: 'query', tools: [], told: [], language: 'en' })
  const turn = openTurn(wrote('So.'))
  expect(markOf(stage.deps, await stage.state(), { turn, asked: 'a', text: 'So.', language: 'en' })).toBe('(1)')
})

test('an answer of the demo model has no mark of doubt, and still says what a tool did not do', async () => {
  const open = (isDemo: boolean): Stage =>
    createBareStage({ features: [...builtIn, createConfidence({ isDemo }), toolsOf('broken_post')] })
  const answers = async (isDemo: boolean): Promise<readonly string[]> => {
    const stage = open(isDemo)
    stage.answers('It may rain, but I am not certain.', calling('broken_post'), 'Done, it is posted.')
    return [await stage.ask('Will it rain tomorrow?'), await stage.ask('Post it.')]
  }
  const [doubted, undone] = await answers(false)
  expect(doubted).toMatch(/^\(.+\)\n\nIt may rain/)
  expect(await answers(true)).toEqual(['It may rain, but I am not certain.', undone])
  expect(undone).toContain('`broken_post` failed')
})

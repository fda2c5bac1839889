// A turn with a plan, in memory: the plan is one row whatever happens, its progress goes along with the drafts, and the answer does not say it again.
import { expect, test } from 'vitest'
import type { Draft } from '#shared/run/draft.ts'
import type { Tool } from '#shared/model/tool.ts'
import { conversation, deletion, toApply, toTurn } from '#test/rig/events.ts'
import { builtIn, createStage, failed, hanging, look, type Answer, type Stage } from '#test/services/executor/stage.ts'

const complex = toTurn({ complex: true, type: 'task' })
const planText = '计划：\n1. 读取核心模块代码\n2. 分析性能热点\n3. 给出优化建议'
const calls = (text: string, id = 'a', name = 'look') => ({
  text,
  toolCalls: [{ id, name, arguments: `{"at":"${id}"}` }],
})
const plan = calls(`${planText}\n\n先读代码。`)
const told = calls('[2/3 分析]\n\n再看热点。')
const answered = '[3/3]\n\n结论：缓存。'
const bad: Tool = { ...look, name: 'bad', run: async () => await Promise.reject(new Error('no such file')) }

const open = (tools: readonly Tool[] = [look, bad], more = {}): Stage =>
  createStage({ features: [...builtIn, { name: 'tools', tools }], ...more })
/** The last line of each thing that was said with a plan, and whole what was said without. */
async function said(stage: Stage): Promise<readonly string[]> {
  return (await stage.sent()).map(({ text, plan: isPlan }) => (isPlan ? (text.split('\n').at(-1) ?? '') : text))
}
async function run(stage: Stage, ...answers: readonly Answer[]): Promise<readonly string[]> {
  stage.answers(...answers)
  await stage.say('帮我分析项目的性能瓶颈', { as: complex })
  await stage.work()
  return await said(stage)
}

test('a plan is a row of its own, is ticked off at the end, and the answer does not say it again', async () => {
  const stage = open()
  expect(await run(stage, plan, told, answered)).toEqual([
    '[1/3 读取核心模块代码…]  ████░░░░░░',
    '[3/3 给出优化建议]  完成 ✓',
    '结论：缓存。',
  ])
  const [first, last, answer] = await stage.sent()
  expect(first?.text).toBe(`${planText}\n\n[1/3 读取核心模块代码…]  ████░░░░░░`)
  expect(last?.replaces).toBe(first?.row)
  expect(first?.answers).toEqual([])
  expect(answer?.answers).toEqual(['m1'])
  // The history keeps what the model wrote.
  const { history } = await stage.state()
  expect(history.filter(({ role }) => role === 'assistant').map(({ text }) => text)).toEqual([
    plan.text,
    told.text,
    answered,
  ])
})

test('a plan is told in the language of the conversation', async () => {
  const stage = open()
  stage.answers(calls('Plan:\n1. Read it\n2. Judge it\n'), 'All good.')
  await stage.say('Read the file and then judge it', { as: complex })
  await stage.work()
  expect(await said(stage)).toEqual(['[1/2 Read it…]  ██████░░░░', '[2/2 Judge it]  done ✓', 'All good.'])
})

test('how far it is goes along with the drafts, never with a text of the answer', async () => {
  const drafts: Draft[] = []
  const stage = open()
  const save = stage.kernel.saveDraft
  stage.kernel.saveDraft = async (place, draft) => (drafts.push(draft), await save(place, draft))
  await run(stage, plan, told, answered)
  const lines = drafts.map(({ plan: shown }) => shown?.text.split('\n').at(-1)).filter(Boolean)
  expect([...new Set(lines)]).toEqual(['[1/3 读取核心模块代码…]  ████░░░░░░', '[2/3 分析性能热点…]  ████████░░'])
  for (const draft of drafts) if (draft.plan) expect(draft.text).not.toContain('计划')
})

test('where the model does not say which step it is at, each further answer is at the next', async () => {
  const stage = open()
  const texts: string[] = []
  const save = stage.kernel.saveDraft
  stage.kernel.saveDraft = async (place, draft) => (texts.push(draft.plan?.text ?? ''), await save(place, draft))
  await run(stage, plan, calls('', 'b'), calls('', 'c'), calls('', 'd'), '好了。')
  const steps = texts.flatMap((text) => /\[(\d)\/3/.exec(text)?.[1] ?? [])
  expect([...new Set(steps)]).toEqual(['1', '2', '3'])
  expect((await said(stage))[1]).toBe('[3/3 给出优化建议]  完成 ✓')
})

test.each<[string, readonly Answer[], string]>([
  [
    'the model stops before the last step by its own count',
    [plan, told, '不行，先说到这里。\n\n[2/3]'],
    '[2/3 分析性能热点]  没有全部完成',
  ],
  ['no tool does what it should', [calls(`${planText}\n`, 'a', 'bad'), '好了。'], '[2/3 分析性能热点]  没有全部完成'],
  ['the model fails', [plan, () => failed('auth')], '[1/3 读取核心模块代码]  没有全部完成'],
])('it is not called done where %s', async (_, answers, line) => {
  const stage = open()
  const [, last] = await run(stage, ...answers)
  expect(last).toBe(line)
})

test('a stop says so on the plan, and the answer is not the plan again', async () => {
  const stage = open()
  const silence = hanging('')
  stage.answers(plan, silence.answer)
  await stage.say('帮我分析', { as: complex })
  const working = stage.work()
  await silence.written
  await stage.stop()
  await working
  const [, last, answer] = await said(stage)
  expect(last).toBe('[1/3 读取核心模块代码]  已停止')
  expect(answer).not.toContain('读取')
})

test('an answer that calls no tool keeps its plan as its head, and there is no row for it', async () => {
  const stage = open()
  expect(await run(stage, `${planText}\n\n结论：缓存。`)).toEqual([`${planText}\n\n结论：缓存。`])
})

test('a request that is not complex has no plan, whatever the model writes', async () => {
  const stage = open()
  stage.answers(plan, '结论。')
  await stage.say('看看', { as: toTurn() })
  await stage.work()
  expect(await said(stage)).toEqual(['结论。'])
})

test('a plan that the model repeats in its answer is not said twice', async () => {
  const stage = open()
  expect((await run(stage, plan, `${planText}\n\n结论：缓存。`)).at(-1)).toBe('结论：缓存。')
})

test('whichever step a worker is lost at, there is one plan, with one end', { timeout: 60_000 }, async () => {
  const whole = open()
  const wanted = await run(whole, plan, told, answered)
  const count = whole.steps.length
  expect(count).toBeGreaterThan(6)
  for (let n = 1; n <= count; n++)
    for (const side of ['before', 'after'] as const) {
      const stage = open()
      // A repeated request has the same answer.
      const respond: Answer = ({ request }) => {
        stage.answers(respond)
        const step = request.messages.filter(({ role }) => role === 'assistant').length
        const reply = [plan, told, { text: answered, toolCalls: [] }][step] ?? { text: 'too far', toolCalls: [] }
        const usage = { promptTokens: 1, completionTokens: 1 }
        return { kind: 'reply', finish: 'stop', usage, model: 'stage', ...reply }
      }
      stage.answers(respond)
      await stage.say('帮我分析项目的性能瓶颈', { as: complex })
      stage.loseAt(n, side)
      await stage.work()
      await stage.work()
      expect([n, side, await said(stage)]).toEqual([n, side, wanted])
    }
})

test('what a hostile model calls a plan is bounded, and words alone', async () => {
  const stage = open()
  const steps = Array.from(
    { length: 10_000 },
    (_, i) => `${i + 1}. **[x](javascript:alert(1))** <b>@everyone ${'长'.repeat(20)}`,
  )
  stage.answers(calls(`计划：\n${steps.join('\n')}`), '好。')
  await stage.say('帮我分析', { as: complex })
  await stage.work()
  const shown = (await stage.sent()).filter(({ plan: isPlan }) => isPlan)
  expect(shown).toHaveLength(2)
  for (const { text } of shown) {
    expect(text.length).toBeLessThan(1000)
    expect(text).not.toMatch(/\*\*|<b>|\]\(/)
    expect(text.split('\n').length).toBeLessThan(16)
  }
})

test('who forgets what they asked has the plan forgotten with the answer', async () => {
  const stage = open()
  await run(stage, plan, told, answered)
  await stage.put(deletion('m1'), toApply('delete'))
  await stage.work()
  const left = await stage.kernel.readOut(conversation, '0', 100)
  expect(JSON.stringify(left)).not.toMatch(/性能热点|结论/)
})

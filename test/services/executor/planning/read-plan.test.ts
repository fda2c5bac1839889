// What is taken for a plan, in what models write in both languages, and how little of a hostile one is.
import { describe, expect, it, test } from 'vitest'
import { findRest, findStep, readPlan, withoutPlan } from '#services/executor/planning/read-plan.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

const seed = '  计划：\n  1. 读取核心模块代码\n  2. 分析性能热点\n  3. 给出优化建议\n\n现在开始。'

describe('readPlan', () => {
  it.each([
    ['as the planning note asks for it', seed, ['读取核心模块代码', '分析性能热点', '给出优化建议'], '现在开始。'],
    ['in English, in bold', '**Plan:**\n\n1. Read it\n2. **Judge** it\n\nNow.', ['Read it', 'Judge it'], 'Now.'],
    ['below a heading', '## Here is my plan\n1) Read\n2) Write', ['Read', 'Write'], ''],
    ['without a head', '1. Read\n2. Write\nI begin.', ['Read', 'Write'], 'I begin.'],
    ['with steps by name', '计划：\n步骤1：读\n步骤 2：写\n', ['读', '写'], ''],
    ['with steps counted', '执行计划：\n第1步：读\n第2步：写', ['读', '写'], ''],
    ['with brackets', '计划：\n（1）读\n（2）写', ['读', '写'], ''],
    ['with details below a step', '计划：\n1. 读\n   - 细节\n2. 写\n\n开始', ['读', '写'], '开始'],
    ['after a few words', '好的，我来分析。\n\n计划：\n1. 读\n2. 写\n', ['读', '写'], ''],
    ['with Windows lines', 'Plan:\r\n1. Read\r\n2. Write\r\n', ['Read', 'Write'], ''],
  ])('%s', (_, text, steps, rest) => {
    expect(readPlan(text)).toEqual({ steps, total: steps.length, rest })
  })

  it.each([
    ['one step', '计划：\n1. 读'],
    ['an answer that only speaks of one', 'My plan is simple: I read it.\n1. Read\n2. Write'],
    ['a list further down', 'Here is what I found in the files.\n\n1. One\n2. Two'],
    ['numbers out of order', '2. Two\n1. One'],
    ['bullets', 'Plan:\n- Read\n- Write'],
    ['nothing', ''],
  ])('takes %s for none', (_, text) => {
    expect(readPlan(text)).toBeUndefined()
  })

  it('keeps words alone: no markup, no line breaks, no marks that steer', () => {
    const step = '# **Read** [it](https://evil.example) `now` <b>|x|</b> ~~y~~ _z_ snake_case \u202e\u0007 @everyone'
    expect(readPlan(`1. ${step}\n2. 1. > x`)?.steps).toEqual([
      'Read it(https://evil.example) now bx/b y z snake_case @everyone',
      'x',
    ])
  })

  it('keeps ten steps of eighty characters of ten thousand', () => {
    const hostile = `计划：\n${Array.from({ length: 10_000 }, (_, i) => `${i + 1}. ${'😀'.repeat(200)}`).join('\n')}`
    const plan = readPlan(hostile)
    expect(plan?.total).toBeLessThanOrEqual(99)
    expect(plan?.steps.length).toBeLessThanOrEqual(10)
    for (const step of plan?.steps ?? []) expect([...step]).toHaveLength(80)
  })

  it('takes no time over what is made to take time', () => {
    const texts = [
      `1. ${' '.repeat(1_000_000)}`,
      `${'#'.repeat(500_000)}计划`,
      '1.\n'.repeat(300_000),
      `[1/2${' '.repeat(500_000)}`,
      '\n'.repeat(1_000_000),
      '（1'.repeat(300_000),
    ]
    const startedMs = processorMs()
    for (const text of texts) {
      readPlan(text)
      findStep(text, 3)
      withoutPlan(text)
    }
    expect(processorMs() - startedMs).toBeLessThan(500)
  })
})

describe('findStep', () => {
  it.each([
    ['[2/3 分析中...]  ████████░░\n', 2],
    ['[2/3]', 2],
    ['**步骤 2** 分析', 2],
    ['第2步：分析', 2],
    ['### Step 3: say it', 3],
    ['[1/3] 读完了。\n[2/3] 分析', 2],
    ['It is done in [2/3] of all cases', undefined],
    ['[2/4]', undefined],
    ['[4/3]', undefined],
    ['[0/3]', undefined],
    ['步骤 12', undefined],
  ])('%j', (text, step) => {
    expect(findStep(text, 3)).toBe(step)
  })
})

test('what is left of an answer is neither the plan nor the lines that only count', () => {
  expect(withoutPlan(seed)).toBe('现在开始。')
  expect(withoutPlan('[3/3]\n\n结论是这样。')).toBe('结论是这样。')
  expect(withoutPlan('计划：\n1. 读\n2. 写\n\n[1/2 读…]  █████░░░░░\n[2/2 写]  完成 ✓\n\n结论')).toBe('结论')
  expect(withoutPlan('  An answer.\n\n1. One\n2. Two')).toBe('  An answer.\n\n1. One\n2. Two')
})

test('of an answer that grows it is known early that a plan begins, and what stands behind it', () => {
  expect(findRest('计')).toBeUndefined()
  expect(findRest('计划：\n')).toBe('')
  expect(findRest('计划：\n1. 读')).toBe('')
  expect(findRest(`${seed}先读`)).toBe('现在开始。先读')
  expect(findRest('An answer')).toBeUndefined()
})

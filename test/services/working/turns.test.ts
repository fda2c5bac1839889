// Working memory as turns end: what it adds to a unit, what buttons and other sessions do to it, and who sees it.
import { expect, test } from 'vitest'
import { createStage, type Stage } from '#test/services/executor/stage.ts'
import { toCommand, toTurn } from '#test/rig/events.ts'

const show = (stage: Stage): Promise<string> => stage.ask('/working', { as: toCommand('working') })
const partOf = (stage: Stage): string =>
  stage.steps.findLast(({ parts }) => parts?.['f.working'])?.parts?.['f.working'] ?? ''

test('a turn is counted with its tokens, and noted with the messages that it comes from', async () => {
  const stage = createStage()
  stage.answers({ text: 'Done.\n\nShall I also test it?', usage: { promptTokens: 70, completionTokens: 30 } })
  await stage.ask('please refactor the parser', { as: toTurn({ type: 'task', rule: 'task.verb' }), messageId: 'm1' })
  expect(JSON.parse(partOf(stage))).toMatchObject({
    turns: 1,
    tokens: 100,
    notes: [
      { about: ['m1'], goal: 'refactor the parser', asks: { who: 'web:ann', questions: ['Shall I also test it?'] } },
    ],
  })
  const shown = await show(stage)
  expect(shown).toContain('- primary: "refactor the parser"')
  expect(shown).toContain('- tokenUsage: 100')
})

test('a rewritten answer changes neither topic nor goal, and /new leaves nothing', async () => {
  const stage = createStage()
  stage.answers(`${'word '.repeat(100)}.`, 'Short.')
  await stage.ask('what is a heron?', { messageId: 'm1' })
  await stage.press('Shorter')
  const shown = await show(stage)
  expect(shown).toContain('- topic: "what is a heron?"')
  expect(shown).toContain('- messageCount: 2')
  await stage.ask('/new', { as: toCommand('new') })
  expect(await show(stage)).toContain('- messageCount: 0')
  expect(await show(stage)).not.toContain('heron')
})

test('showing it changes nothing, also while a turn runs', async () => {
  const stage = createStage()
  await stage.ask('what is a heron?')
  const steps = stage.steps.length
  await show(stage)
  expect(stage.steps.slice(steps).flatMap(({ parts = {} }) => Object.keys(parts))).not.toContain('f.working')
})

const talk = [
  ['我叫李雷，我们用 PostgreSQL。帮我设计一个缓存系统，要支持过期和淘汰', 'task'],
  ['好的，过期用什么数据结构？', 'query'],
  ['记住我们周五发布。那淘汰策略怎么选？', 'query'],
  ['please write the tests for it, with the edge cases that we talked about', 'task'],
  ['My name is Ada. I work on the billing service. What breaks when the clock jumps?', 'query'],
  ['重构一下配置模块，把解析和校验分开', 'task'],
] as const

test('what it adds to a turn is small, and does not grow', async ({ annotate }) => {
  const stage = createStage()
  const bytes: number[] = []
  for (let n = 0; n < 30; n++) {
    const [text, type] = talk[n % talk.length] ?? ['', 'query']
    stage.answers(`这是第 ${n} 个回答。\n\n要我继续吗？还是先看第 ${n} 个方案？`)
    await stage.ask(`${text} ${n}`, {
      as: toTurn({ type, rule: `${type}.x` }),
      messageId: `web-${'0123456789'.repeat(4)}${n}`,
    })
    bytes.push(Buffer.byteLength(partOf(stage)))
  }
  const mean = Math.round(bytes.reduce((sum, one) => sum + one, 0) / bytes.length)
  await annotate(`f.working: first ${bytes[0]} B, mean ${mean} B, most ${Math.max(...bytes)} B`)
  expect(Math.max(...bytes)).toBeLessThan(2500)
})

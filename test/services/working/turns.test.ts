// Working memory as turns end: what buttons, other sessions and forgetting do to it, and that it costs a turn nothing.
import { expect, test } from 'vitest'
import { createWorking } from '#services/working/working.ts'
import { builtIn, createStage, type Stage } from '#test/services/executor/stage.ts'
import { deletion, toCommand, toTurn } from '#test/rig/events.ts'

function open(): Stage {
  const others = builtIn.filter(({ name }) => name !== 'working')
  const stage: Stage = createStage({
    features: [...others, createWorking({ findTurns: (...of) => stage.kernel.findTurns(...of) })],
  })
  return stage
}
const show = (stage: Stage): Promise<string> => stage.ask('/working', { as: toCommand('working') })

test('a turn is counted with its tokens, and tells goal and question', async () => {
  const stage = open()
  stage.answers({ text: 'Done.\n\nShall I also test it?', usage: { promptTokens: 70, completionTokens: 30 } })
  await stage.ask('please refactor the parser', { as: toTurn({ type: 'task', rule: 'task.verb' }), messageId: 'm1' })
  const shown = await show(stage)
  expect(shown).toContain('- primary: "refactor the parser"')
  expect(shown).toContain('- "Shall I also test it?"')
  expect(shown).toContain('- tokenUsage: 100')
})

test('a rewritten answer changes neither topic nor goal, and /new leaves nothing', async () => {
  const stage = open()
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

test('nothing is left of a message that is forgotten', async () => {
  const stage = open()
  await stage.ask('what is a zebrafinch?', { messageId: 'm1' })
  expect(await show(stage)).toContain('zebrafinch')
  await stage.kernel.forget(deletion('m1'), [])
  expect(await show(stage)).not.toContain('zebrafinch')
})

test('a turn stores nothing for it', async () => {
  const stage = open()
  await stage.ask('what is a heron?')
  await show(stage)
  expect(stage.steps.flatMap(({ parts = {} }) => Object.keys(parts))).not.toContain('f.working')
})

// A change outside that was taken back is over: no later rollback offers it again, or names it as one that stands.
import { expect, test } from 'vitest'
import type { Tool } from '#shared/model/tool.ts'
import { calling, openTasks } from '#test/services/tasks/task-stage.ts'

function openBoard() {
  const made: string[] = []
  const tool = (name: string, undo?: Tool['undo']): Tool => ({
    name,
    description: `Does ${name}.`,
    parameters: { type: 'object' },
    effect: 'write',
    onCrash: 'rerun-with-key',
    ...(undo ? { undo } : {}),
    async run() {
      made.push(name)
      return { text: `${name} is done`, source: 'own' }
    },
  })
  const undo: Tool['undo'] = () => ({ tool: 'remove_note', input: {} })
  return { made, feature: { name: 'board', tools: [tool('post_note', undo), tool('remove_note')] } }
}

test('what was taken back is not offered a second time', async () => {
  const board = openBoard()
  const tasks = openTasks({ others: [board.feature] })
  let posts = 1
  tasks.model.step = (at, _, called) =>
    at === 2 && called === 0 && posts-- > 0 ? calling('post_note', {}) : `Text of part ${at}.`
  tasks.model.result = () => 'The note is gone.'
  await tasks.task('write a guide in three parts and stop after each')
  await tasks.press('Continue')
  await tasks.press('Roll back to …')
  expect(await tasks.press('Step 1')).toContain('can be taken back')
  await tasks.press('Roll back')
  await tasks.press('Take it back')
  expect(board.made).toEqual(['post_note', 'remove_note'])
  await tasks.press('Roll back to …')
  const warned = await tasks.press('Step 1')
  expect(warned).toContain('These steps will be set aside')
  expect(warned).not.toContain('_note')
  await tasks.press('Roll back')
  expect(board.made).toEqual(['post_note', 'remove_note'])
})

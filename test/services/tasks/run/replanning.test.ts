// A task, whole, in memory: its plan is changed after it has done something outside.
import { expect, test } from 'vitest'
import type { Tool } from '#shared/model/tool.ts'
import { calling, openTasks } from '#test/services/tasks/task-stage.ts'

const post: Tool = {
  name: 'post',
  description: 'Posts something.',
  parameters: { type: 'object' },
  effect: 'write',
  onCrash: 'rerun-with-key',
  brief: () => 'the news',
  run: async () => ({ text: 'posted', source: 'own' }),
}

test('a new plan is made knowing what the one before has changed outside', async () => {
  const tasks = openTasks({ others: [{ name: 'outside', tools: [post] }] })
  tasks.model.step = (at, _, called) => (at === 1 && called === 0 ? calling('post', {}) : `Text of part ${at}.`)
  await tasks.task('write a guide in three parts and stop after each')
  await tasks.press('Change')
  await tasks.reply('two parts only')
  expect(tasks.asked.filter((one) => one === 'plan')).toHaveLength(2)
  const prompt = tasks.prompts.findLast((one) => one.includes('task_plan')) ?? ''
  expect(prompt).toContain('> two parts only')
  expect(prompt).toContain('> post the news')
})

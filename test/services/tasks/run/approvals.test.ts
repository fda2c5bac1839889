// A task, whole, in memory: a step asks for an approval that nobody gives.
import { expect, test } from 'vitest'
import type { Tool } from '#shared/model/tool.ts'
import { calling, openTasks, type TaskStage } from '#test/services/tasks/task-stage.ts'

const order = 'write a guide in three parts without stopping'
const dayMs = 86_400_000

const post: Tool = {
  name: 'post',
  description: 'Posts something.',
  parameters: { type: 'object' },
  effect: 'write',
  destructive: () => true,
  onCrash: 'ask',
  run: async () => ({ text: 'posted', source: 'own' }),
}

/** Its second step wants to post something. */
async function asking(): Promise<TaskStage> {
  const tasks = openTasks({ others: [{ name: 'outside', tools: [post] }] })
  tasks.model.step = (at, _, called) => (at === 2 && called === 0 ? calling('post', {}) : `Text of part ${at}.`)
  await tasks.task(order)
  expect(await tasks.own()).toMatchObject({ outcome: 'waits' })
  return tasks
}

test('what nobody approves ends in words on that, and the step may be left out', async () => {
  const tasks = await asking()
  await tasks.stage.wait(dayMs + 1)
  const said = await tasks.stage.wait(3 * 3_600_000)
  expect(said).toContain('This step did not succeed: Part 2')
  expect(said).toContain('nobody approved or answered what it asked for')
  await tasks.press('Skip')
  await tasks.press('Go on without it')
  expect((await tasks.graph()).nodes.map(({ status }) => status)).toEqual(['done', 'skipped', 'done'])
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
})

test('it may be rolled back, too', async () => {
  const tasks = await asking()
  await tasks.stage.wait(dayMs + 1)
  await tasks.stage.wait(3 * 3_600_000)
  await tasks.press('Roll back to …')
  await tasks.press('The beginning')
  expect(await tasks.press('Roll back')).toContain('1. Part 1')
  expect(await tasks.own()).toMatchObject({ generation: 2, outcome: 'waits' })
})

test('paused until nobody may approve it any more, it asks what is to be done once it is resumed', async () => {
  const tasks = await asking()
  await tasks.task('1 pause')
  await tasks.stage.wait(2 * dayMs)
  await tasks.task('1 resume')
  expect(await tasks.stage.wait(2 * dayMs)).toContain('This step did not succeed: Part 2')
  tasks.model.step = (at) => `Text of part ${at}.`
  await tasks.press('Try again')
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
})

test('a note that comes while a step waits is for the next one', async () => {
  const tasks = await asking()
  await tasks.task('1 note mind the tone')
  const label = (await tasks.stage.sent()).flatMap(({ buttons = [] }) => buttons.flat()).at(-1)?.label ?? ''
  expect(label).not.toBe('')
  await tasks.press(label)
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
  expect(tasks.prompts.some((one) => one.includes('> mind the tone'))).toBe(true)
})

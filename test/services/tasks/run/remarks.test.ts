// Words in reply to a task's progress card: a note to its next step, which stops nothing and ends no button.
import { expect, test } from 'vitest'
import { conversation } from '#test/rig/events.ts'
import { openTasks } from '#test/services/tasks/task-stage.ts'

const stopping = 'write a guide in three parts and stop after each'

test('they are taken as often as people say them, and the card still stops the task', async () => {
  const tasks = openTasks()
  await tasks.task(stopping)
  expect(await tasks.remark('shorter')).toContain('will follow it')
  expect(await tasks.remark('with a joke')).toContain('will follow it')
  expect(await tasks.own()).toMatchObject({ waits: 'checkpoint' })
  await tasks.press('Continue')
  expect(tasks.prompts.at(-1)).toMatch(/> shorter[^]*> with a joke/)
  expect(await tasks.press('Stop')).toContain('Task #1 is paused')
})

test('others’ words are none, and nobody’s are once it is over', async () => {
  const tasks = openTasks()
  await tasks.task(stopping)
  await tasks.remark('shorter', 'web:bob')
  expect(await tasks.own()).toMatchObject({ notes: [] })
  for (let n = 0; n < 3; n++) await tasks.press('Continue')
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
  const { cards } = await tasks.stage.kernel.findCards(conversation, [])
  expect(cards.filter(({ question }) => question.acts)).toEqual([])
})

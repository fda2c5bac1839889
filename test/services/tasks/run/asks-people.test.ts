// A task, whole, in memory: a step that rests on what only a person can tell asks at once, by the task's own card, and is done again with the answer. Nothing
// of it is left for the desk to ask another day.
import { expect, test } from 'vitest'
import { openTasks } from '#test/services/tasks/task-stage.ts'

const unsure = 'An agenda. I planned 50 minutes because I do not know how long the slot is.'

test('the task waits with that step, a person answers, and the step is done again with the answer', async () => {
  const tasks = openTasks()
  tasks.model.step = (at) => (at === 2 ? `${unsure}\n\n[CHECKPOINT]` : `Text of part ${at}.`)
  const said = await tasks.task('plan the retro in three parts without stopping')
  expect(said).toContain('I do not know how long the slot is.')
  expect(await tasks.own()).toMatchObject({ waits: 'checkpoint', machine: { current_state: 'VERIFYING' } })
  expect(await tasks.tasks()).toContain('waits for you')
  expect(tasks.asked).toEqual(['plan', 1, 2])
  tasks.model.step = (at) => `Text of part ${at}.`
  expect(await tasks.reply('the slot is forty minutes')).toContain('Text of part 2.')
  expect(await tasks.press('Continue')).toContain('Task #1 · done')
  expect(tasks.asked).toEqual(['plan', 1, 2, 2, 3, 'result'])
  const again = tasks.stage.requests.flatMap(({ messages }) => messages.map(({ content }) => content))
  expect(again.some((text) => text.includes('What people said to this step') && text.includes('forty minutes'))).toBe(
    true,
  )
})

test('no step of a task is on record for those who read turns: what it does not know is asked by the task alone', async () => {
  const tasks = openTasks()
  tasks.model.step = (at) => (at === 2 ? `${unsure}\n\n[CHECKPOINT]` : `Text of part ${at}.`)
  await tasks.task('plan the retro in three parts without stopping')
  const records = tasks.stage.steps.flatMap(({ records: made = [] }) => made)
  expect(records.filter(({ kind }) => kind === 'turn')).toEqual([])
})

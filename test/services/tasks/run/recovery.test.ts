// A task, whole, in memory: what becomes of plans that cannot be used and of steps that fail.
import { expect, test } from 'vitest'
import { answer, failed } from '#test/services/executor/stage.ts'
import { calling, openTasks, planning, stepsOf, type TaskStage } from '#test/services/tasks/task-stage.ts'

const order = 'write a guide in three parts without stopping'
const failing = () => failed('unavailable')

test('a plan that is refused twice is made anew, simpler', async () => {
  const tasks = openTasks()
  const plans = [
    planning([
      { title: 'A', task: 'a', id: 'a', needs: ['b'] },
      { title: 'B', task: 'b', id: 'b', needs: ['a'] },
    ]),
    planning(stepsOf(500)),
    planning([{ title: 'A', task: 'a', id: 'a', needs: ['a'] }]),
    planning(stepsOf(2)),
  ]
  tasks.model.plan = () => plans.shift() ?? 'none'
  expect(await tasks.task(order)).toContain('Task #1 · done')
  expect(tasks.asked).toEqual(['plan', 1, 2, 'result'])
  expect(tasks.prompts).toHaveLength(7)
  const told = tasks.stage.requests.flatMap(({ messages }) =>
    messages.flatMap((one) => (one.role === 'tool' ? [one.content] : [])),
  )
  expect(told.join('\n')).toContain('The plan was not taken.')
})

test('prose is no plan: after three tries people are asked, and trying again plans again', async () => {
  const tasks = openTasks()
  tasks.model.plan = () => 'First I would think about it, and then write.'
  const asked = await tasks.task(order)
  expect(tasks.asked).toEqual(['plan', 'plan', 'plan'])
  expect(tasks.prompts[1]).toContain('at most three steps')
  expect(asked).toContain('I could not make a plan for it.')
  expect(asked).toContain('Tried 3 times')
  expect(await tasks.tasks()).toContain('waits for you')
  tasks.model.plan = () => planning(stepsOf(2))
  expect(await tasks.press('Try again')).toContain('Task #1 · done')
})

test('a task without a plan is cancelled by its card', async () => {
  const tasks = openTasks()
  tasks.model.plan = () => 'No.'
  await tasks.task(order)
  expect(await tasks.press('Cancel')).toContain('Cancel')
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'ERROR', why: 'cancelled' } })
  expect(await tasks.tasks()).toContain('not finished')
})

async function stuckAt(at: number, steps = 3): Promise<TaskStage> {
  const tasks = openTasks()
  tasks.model.plan = () => planning(stepsOf(steps))
  tasks.model.step = (one) => (one === at ? failing : `Text of part ${one}.`)
  await tasks.task(order)
  return tasks
}
const heal = ({ model }: TaskStage): void => void (model.step = (one) => `Text of part ${one}.`)

test('a step that fails is tried three times, and then people are asked', async () => {
  const tasks = await stuckAt(2)
  const said = (await tasks.texts()).at(-1) ?? ''
  expect(said).toContain('This step did not succeed: Part 2')
  expect(said).toContain('Tried 3 times')
  expect(await tasks.own()).toMatchObject({ waits: 'recovery' })
  expect((await tasks.graph()).nodes.map(({ status }) => status)).toEqual(['done', 'failed', 'blocked'])
})

test('a step that fails once or twice is tried again, and nobody is asked', async () => {
  const tasks = openTasks()
  let tries = 0
  tasks.model.step = (at) => (at === 2 && (tries += 1) <= 2 ? failing : `Text of part ${at}.`)
  expect(await tasks.task(order)).toContain('Task #1 · done')
  expect(await tasks.own()).toMatchObject({ tries: 0 })
})

test('trying again does the step, and goes on', async () => {
  const tasks = await stuckAt(2)
  heal(tasks)
  const end = await tasks.press('Try again')
  expect(end).toContain('Task #1 · done')
  expect(end).toContain('Text of part 1.\n\nText of part 2.\n\nText of part 3.')
})

test('trying again where it fails again asks again, as often as people like', async () => {
  const tasks = await stuckAt(2)
  expect(await tasks.press('Try again')).toContain('This step did not succeed: Part 2')
  expect(await tasks.press('Try again')).toContain('This step did not succeed: Part 2')
  heal(tasks)
  expect(await tasks.press('Try again')).toContain('Task #1 · done')
})

test('skipping leaves the step out; what builds on it asks, and goes on without it', async () => {
  const tasks = await stuckAt(2)
  heal(tasks)
  const said = await tasks.press('Skip')
  expect(said).toContain('Part 3')
  expect(await tasks.own()).toMatchObject({ waits: 'recovery' })
  const end = await tasks.press('Go on without it')
  expect(end).toContain('Task #1 · done')
  expect(end).toContain('Text of part 1.\n\nText of part 3.')
  expect((await tasks.graph()).nodes.map(({ status }) => status)).toEqual(['done', 'skipped', 'done'])
})

test('begun anew, all of it is done again by the same plan, once somebody has confirmed it', async () => {
  const tasks = await stuckAt(2)
  heal(tasks)
  await tasks.press('Skip')
  const warned = await tasks.press('Begin anew')
  expect(warned).toContain('Back to: The beginning')
  expect(warned).toContain('1. Part 1')
  expect(await tasks.press('Never mind')).toContain('Go on without it')
  await tasks.press('Begin anew')
  const before = tasks.asked.length
  expect(await tasks.press('Roll back')).toContain('Text of part 1.\n\nText of part 2.\n\nText of part 3.')
  expect(tasks.asked.slice(before)).toEqual([1, 2, 3, 'result'])
})

test('the last step skipped, the task ends with what there is', async () => {
  const tasks = await stuckAt(3)
  heal(tasks)
  const end = await tasks.press('Skip')
  expect(end).toContain('Task #1 · done')
  expect(end).toContain('Text of part 1.\n\nText of part 2.')
})

test('rolling back from a failed step does again what comes behind', async () => {
  const tasks = await stuckAt(3)
  heal(tasks)
  await tasks.press('Roll back to …')
  await tasks.press('Step 1')
  const end = await tasks.press('Roll back')
  expect(end).toContain('Task #1 · done')
  expect(tasks.asked.slice(-3)).toEqual([2, 3, 'result'])
})

test('cancelling keeps what there is, and nothing is done any more', async () => {
  const tasks = await stuckAt(2)
  await tasks.press('Cancel')
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'ERROR', why: 'cancelled' }, waits: 'nothing' })
  expect(await tasks.kept('out-g1-n1')).toBe('Text of part 1.')
  expect(await tasks.press('Try again')).toMatch(/ALREADY|UNKNOWN/)
  expect(await tasks.tasks()).toContain('1/3')
  expect((await tasks.shown()).join('\n')).toContain('Task #1 · not finished')
})

test('a result that fails asks, and trying again finishes', async () => {
  const tasks = openTasks()
  tasks.model.result = () => failing
  const said = await tasks.task(order)
  expect(said).toContain('Tried 3 times')
  expect(said).toContain('All steps are done, but the last check of them did not succeed.')
  tasks.model.result = () => '[LAST]'
  expect(await tasks.press('Try again')).toContain('Task #1 · done')
})

test('a result that fails may be left out: what the steps came to is given out as it is', async () => {
  const tasks = openTasks()
  tasks.model.result = () => failing
  await tasks.task(order)
  const end = await tasks.press('Skip')
  expect(end).toContain('Task #1 · done')
  expect(end).toContain('Text of part 1.\n\nText of part 2.\n\nText of part 3.')
})

test('an answer without words, and one that calls what is not there, count as failures', async () => {
  const tasks = openTasks()
  let tries = 0
  tasks.model.step = (at) => (at === 1 && (tries += 1) === 1 ? '' : `Text of part ${at}.`)
  expect(await tasks.task(order)).toContain('Task #1 · done')
  const odd = openTasks()
  odd.model.step = (at) =>
    at === 1 && (tries += 1) < 5 ? calling('task_fly', {}) : (call) => answer(call, `Text of part ${at}.`)
  expect(await odd.task(order)).toContain('Task #1 · done')
})

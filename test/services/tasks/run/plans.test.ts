// Plans that a model makes badly, and graphs that are no chain (fault 50, the chain's part): what cannot be worked off is refused in words, twice, then people are
// asked. What is wide is worked off one after the other, a join is done once and gives one result, and what builds on a step that died waits for people.
import { expect, test } from 'vitest'
import { deletion, toApply } from '#test/rig/events.ts'
import { answer, failed } from '#test/services/executor/stage.ts'
import { openTasks, planning, stepsOf, type TaskStage } from '#test/services/tasks/task-stage.ts'

const order = 'write a guide without stopping'
const step = (more: object): object => ({ title: 'Part', task: 'Write it.', ...more })
/** So many steps that build on nothing, and one that builds on all of them. */
const fan = (width: number): readonly object[] => [
  ...Array.from({ length: width }, (_, at) => step({ title: `Part ${at + 1}`, needs: [] })),
  step({ title: 'All of it', needs: Array.from({ length: width }, (_, at) => at + 1) }),
]

const broken: Readonly<Record<string, readonly [steps: readonly object[], said: string]>> = {
  'a circle': [[step({ needs: [2] }), step({ needs: [1] })], 'N-001 → N-002 → N-001'],
  'a step that waits for itself': [[step({}), step({ needs: [2] })], 'waits for itself'],
  'a step that waits for none there is': [[step({}), step({ needs: [7] })], 'there is no such step'],
  'a step that stands alone': [[step({}), step({ needs: [1] }), step({ needs: [] })], 'stands alone'],
  'a hundred steps side by side': [fan(100), '101 steps; at most 12'],
}

test.each(Object.entries(broken))('%s is refused in words, then planned simpler', async (_, [steps, said]) => {
  const tasks = openTasks()
  let plans = 0
  tasks.model.plan = () => planning((plans += 1) === 1 ? steps : stepsOf(2))
  await tasks.task(order)
  const told = tasks.stage.requests.flatMap(({ messages }) => messages.map(({ content }) => content)).join('\n')
  expect(told).toContain(said)
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
  expect(tasks.asked.filter((one) => typeof one === 'number')).toEqual([1, 2])
})

test.each(Object.entries(broken))('a model that plans %s again and again has people asked', async (_, [steps]) => {
  const tasks = openTasks()
  tasks.model.plan = () => planning(steps)
  await tasks.task(order)
  expect((await tasks.shown()).at(-1)).toContain('I could not make a plan for it.')
  expect(await tasks.own()).toMatchObject({ waits: 'recovery', generation: 0 })
  expect(tasks.asked).not.toContain(1)
  tasks.model.plan = () => planning(stepsOf(2))
  await tasks.press('Try again')
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
})

/** How often each was done. */
const counts = ({ asked }: TaskStage): ReadonlyMap<unknown, number> =>
  asked.reduce((all, one) => all.set(one, (all.get(one) ?? 0) + 1), new Map<unknown, number>())

test('a plan as wide as may be is worked off, each step once, and its join gives one result', async () => {
  const width = 11
  const tasks = openTasks()
  tasks.model.plan = () => planning(fan(width))
  tasks.model.result = () => '[LAST]'
  await tasks.task(order)
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
  expect([...counts(tasks).values()].every((count) => count === 1)).toBe(true)
  expect(tasks.asked).toHaveLength(width + 3)
  const results = (await tasks.texts()).filter((text) => text.includes(`Text of part ${width + 1}.`))
  expect(results).toHaveLength(1)
})

test('where a step dies that a join builds on, the others are done, the join waits for people, and is done once', async () => {
  const tasks = openTasks()
  tasks.model.plan = () => planning(fan(3))
  tasks.model.step = (at) => (at === 2 ? () => failed('unavailable') : `Text of part ${at}.`)
  await tasks.task(order)
  expect((await tasks.graph()).nodes.map(({ status }) => status)).toEqual(['done', 'failed', 'pending', 'blocked'])
  await tasks.press('Skip')
  expect((await tasks.graph()).nodes.map(({ status }) => status)).toEqual(['done', 'skipped', 'done', 'blocked'])
  expect(counts(tasks).get(4)).toBeUndefined()
  await tasks.press('Go on without it')
  expect((await tasks.graph()).nodes.map(({ status }) => status)).toEqual(['done', 'skipped', 'done', 'done'])
  expect([counts(tasks).get(3), counts(tasks).get(4), counts(tasks).get('result')]).toEqual([1, 1, 1])
})

test('a task whose conversation forgets what it came of dies with it, at a step: nothing more is done or said', async () => {
  const tasks = openTasks()
  tasks.model.step = (at) => async (call) => {
    // The conversation has a worker of its own.
    if (at === 2) await tasks.stage.put(deletion('m1'), toApply('delete'))
    if (at === 2) await tasks.stage.work()
    return await answer(call, `Text of part ${at}.`)
  }
  await tasks.task(order)
  for (let n = 0; n < 3; n++) await tasks.stage.work()
  expect(tasks.asked).toEqual(['plan', 1, 2])
  expect(await tasks.tasks()).toContain('has no tasks')
  expect(await tasks.kept('graph')).toBeUndefined()
  const said = (await tasks.texts()).length
  await tasks.stage.wait(40 * 86_400_000)
  expect(tasks.asked).toEqual(['plan', 1, 2])
  expect((await tasks.texts()).length).toBe(said)
})

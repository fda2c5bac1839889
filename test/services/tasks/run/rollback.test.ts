// A task, whole, in memory: the way back to an earlier step, and back again to what was set aside.
import { expect, test } from 'vitest'
import { answer } from '#test/services/executor/stage.ts'
import { calling, openTasks, planning, stepsOf, type TaskStage } from '#test/services/tasks/task-stage.ts'

const order = 'write a guide in three parts and stop after each'

/** Each step writes a file of its name, and says so. */
const writing =
  (word = 'first'): TaskStage['model']['step'] =>
  (at, prompt, called) =>
    called === 0
      ? calling('file_write', {
          path: `part-${at}.md`,
          text: `${word} ${at}${prompt.includes('> wetter') ? ' wet' : ''}`,
        })
      : `Wrote part ${at} (${word}).`

async function upTo(steps: number): Promise<TaskStage> {
  const tasks = openTasks()
  tasks.model.step = writing()
  await tasks.task(order)
  for (let at = 1; at < steps; at++) await tasks.press('Continue')
  return tasks
}
const statuses = async (tasks: TaskStage) => (await tasks.graph()).nodes.map(({ status }) => status)

async function rollBack(tasks: TaskStage, to: string): Promise<string> {
  await tasks.press('Roll back to …')
  await tasks.press(to)
  return await tasks.press('Roll back')
}

test('a rollback is shown before it is done, and can be left', async () => {
  const tasks = await upTo(3)
  const asked = await tasks.press('Roll back to …')
  expect(asked).toContain('which step shall it go back to?')
  expect(asked).toContain('- Step 2 — Part 2')
  const shown = await tasks.press('Step 1')
  expect(shown).toContain('These steps will be set aside')
  expect(shown).toContain('2. Part 2')
  expect(shown).toContain('3. Part 3')
  expect(shown).toContain('The files of the workspace will be as they were then.')
  expect(shown).toMatch(/- set aside: .*part-3\.md/)
  const before = await tasks.own()
  await tasks.press('Never mind')
  expect(await tasks.own()).toMatchObject({ generation: before.generation, tree: before.tree, waits: 'checkpoint' })
  await tasks.press('Continue')
  expect((await tasks.own()).machine.current_state).toBe('COMPLETED')
})

/** Looks at the workspace first, and then does as it is told. */
const looking =
  (then: TaskStage['model']['step']): TaskStage['model']['step'] =>
  (at, prompt, called) =>
    called === 0
      ? calling('file_read', { path: 'part-1.md' })
      : called === 1
        ? calling('file_list', {})
        : then(at, prompt, called - 2)
const seenIn = (tasks: TaskStage): readonly string[] =>
  (tasks.stage.requests.at(-1)?.messages ?? []).flatMap((one) => (one.role === 'tool' ? [one.content] : []))

test('back at step 1 plan and workspace are those of step 1, and what comes behind is done again', async () => {
  const tasks = await upTo(3)
  tasks.model.step = looking(writing('second'))
  expect(await rollBack(tasks, 'Step 1')).toContain('Roll back: Step 1')
  expect(tasks.asked).toEqual(['plan', 1, 2, 3, 2])
  expect(tasks.prompts.at(-1)).toContain('1. Part 1 (done)\n2. Part 2 (running)\n3. Part 3 (pending)')
  const [read, list] = seenIn(tasks)
  expect(read).toContain('first 1')
  expect(list).toContain('part-1.md')
  expect(list).not.toContain('part-2.md')
  expect(await tasks.own()).toMatchObject({ generation: 2, waits: 'checkpoint' })
  await tasks.press('Continue')
  const end = await tasks.press('Continue')
  expect(end).toContain('Wrote part 1 (first).\n\nWrote part 2 (second).\n\nWrote part 3 (second).')
})

test('what was set aside can be gone back to: plan and workspace are as they were', async () => {
  const tasks = await upTo(3)
  const before = { plan: await tasks.graph(), own: await tasks.own() }
  tasks.model.step = writing('second')
  await rollBack(tasks, 'Step 1')
  await rollBack(tasks, 'Step 3 (set aside)')
  const { tree, generation, machine } = await tasks.own()
  expect(tree).toBe(before.own.tree)
  expect(generation).toBe(3)
  expect(machine.current_state).toBe('COMPLETED')
  expect(await tasks.graph()).toEqual(before.plan)
  expect((await tasks.texts()).at(-1)).toContain('Wrote part 2 (first).\n\nWrote part 3 (first).')
})

test('back at the beginning nothing is done, and no file is there', async () => {
  const tasks = await upTo(2)
  tasks.model.step = writing('second')
  await rollBack(tasks, 'The beginning')
  expect(tasks.asked).toEqual(['plan', 1, 2, 1])
  expect(await statuses(tasks)).toEqual(['done', 'pending', 'pending'])
  const tree = (await tasks.kept((await tasks.own()).tree)) ?? ''
  expect(tree).toContain('part-1.md')
  expect(tree).not.toContain('part-2.md')
})

test('after a step was revised a rollback leads to what it came to last, with its files', async () => {
  const tasks = await upTo(1)
  await tasks.reply('wetter')
  await tasks.press('Continue')
  await tasks.press('Roll back to …')
  const labels = ((await tasks.stage.sent()).at(-1)?.buttons ?? []).flat().map(({ label }) => label)
  expect(labels).toEqual(['The beginning', 'Step 1', 'Never mind'])
  tasks.model.step = looking(writing('second'))
  await tasks.press('Step 1')
  await tasks.press('Roll back')
  expect(seenIn(tasks)[0]).toContain('first 1 wet')
})

test('a rollback of a step that runs is refused in clear words, and the step goes on', async () => {
  const tasks = await upTo(2)
  await tasks.press('Roll back to …')
  await tasks.press('Step 1')
  await tasks.task('1 pause')
  await tasks.task('1 resume')
  let refused = ''
  tasks.model.step = (at) => async (call) => {
    if (refused === '') refused = await tasks.press('Roll back')
    return await answer(call, `Text of part ${at}.`)
  }
  await tasks.press('Continue')
  const said = (await tasks.texts()).join('\n')
  expect(said).toContain('This cannot be done now: pause the task first.')
  expect(await tasks.own()).toMatchObject({ generation: 1, waits: 'checkpoint' })
  expect(await statuses(tasks)).toEqual(['done', 'done', 'done'])
})

test('twice at once a rollback happens once', async () => {
  const tasks = await upTo(3)
  await tasks.press('Roll back to …')
  await tasks.press('Step 1')
  const both = await Promise.all([tasks.press('Roll back'), tasks.press('Roll back')])
  expect(both.filter((one) => one === 'ALREADY')).toHaveLength(1)
  expect(await tasks.own()).toMatchObject({ generation: 2 })
})

test('a step that does not exist is no choice', async () => {
  const tasks = await upTo(1)
  await tasks.press('Roll back to …')
  const button = (await tasks.stage.sent()).at(-1)?.buttons?.[0]?.[0]
  const question = button?.id.split('.')[0] ?? ''
  const event = {
    v: 1,
    kind: 'answer',
    id: 'x',
    conversation: 'web:stage',
    principal: 'web:ann',
    at: 0,
    question,
    choice: 'g1s9',
    payload: '',
  } as const
  const won = await tasks.stage.kernel.resolve({ question, actor: 'web:ann', chat: 'web:stage', choice: 'g1s9', event })
  expect(won).toEqual({ kind: 'UNKNOWN' })
})

test('twelve steps and many rollbacks: each place that is offered can be gone to', async () => {
  const tasks = openTasks()
  tasks.model.plan = () => planning(stepsOf(12))
  tasks.model.step = writing()
  await tasks.task('write a guide, stop after every 6 steps')
  for (let n = 0; n < 16; n++) {
    await tasks.press('Roll back to …')
    const places = ((await tasks.stage.sent()).at(-1)?.buttons ?? []).flat()
    const { label = '' } = places[n % (places.length - 1)] ?? {}
    await tasks.press(label)
    await tasks.press('Roll back')
    if ((await tasks.own()).machine.current_state === 'COMPLETED') break
  }
  expect((await tasks.own()).generation).toBeGreaterThan(3)
  expect((await tasks.texts()).join()).not.toContain('I could not do that')
})

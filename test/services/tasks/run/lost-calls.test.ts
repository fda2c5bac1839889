// A task whose worker is lost between what a call of a step changes outside and the result that is stored of it (fault 4). One that takes its key is made
// again and takes effect once; one that must not be made again is not, and one card asks what became of it.
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { OnCrash, Tool } from '#shared/model/tool.ts'
import { calling, openTasks, type TaskStage } from '#test/services/tasks/task-stage.ts'

const running = 'write a guide in three parts without stopping'
const head = 'I was interrupted while doing this'
const hourMs = 3_600_000
const given = z.object({ to: z.string() })

type Lost = { readonly tasks: TaskStage; readonly made: readonly string[] }

/** Its second step pays, and the worker is lost as soon as that took effect; others go on from there. */
async function lose(
  onCrash: OnCrash,
  {
    often = 1,
    order = running,
    looks = 0,
  }: { readonly often?: number; readonly order?: string; readonly looks?: number } = {},
): Promise<Lost> {
  const made: string[] = []
  const pay: Tool = {
    name: 'pay',
    description: 'Pays.',
    parameters: { type: 'object', properties: { to: { type: 'string' } } },
    effect: 'write',
    onCrash,
    brief: (input) => given.parse(input).to,
    async run(_, { idempotencyKey }) {
      made.push(idempotencyKey)
      if (made.length <= often) tasks.stage.loseAt(1, 'before')
      return { text: 'paid', source: 'own' }
    },
  }
  const tasks = openTasks({ others: [{ name: 'shop', tools: [pay] }] })
  tasks.model.step = (at, _, called) =>
    at === 2 && called === 0 ? calling('pay', { to: 'shop' }) : `Text of part ${at}.`
  // A turn that goes on with what was decided on a call has no step in its words.
  tasks.model.result = (prompt) => (prompt.includes('All steps of task') ? '[ALL]' : 'Part 2, as it was decided.')
  await tasks.task(order)
  for (let n = 0; n < looks; n++) await tasks.press('Continue')
  for (let n = 0; n <= often; n++) await tasks.stage.work()
  return { tasks, made }
}

const cardsOf = async ({ tasks }: Lost): Promise<readonly string[]> =>
  (await tasks.shown()).filter((text) => text.includes(head))

async function expectDone({ tasks }: Lost): Promise<void> {
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
  expect((await tasks.graph()).nodes.map(({ status }) => status)).toEqual(['done', 'done', 'done'])
  expect((await tasks.texts()).filter((text) => text.includes('Text of part 3.'))).toHaveLength(1)
  expect((await tasks.stage.kernel.findCards('web:stage', [])).cards).toEqual([])
}

test.each([1, 2, 3])('a call by its key takes effect once, though %i workers are lost during it', async (often) => {
  const lost = await lose('rerun-with-key', { often })
  expect(lost.made).toHaveLength(often + 1)
  expect(new Set(lost.made).size).toBe(1)
  expect(await cardsOf(lost)).toEqual([])
  await expectDone(lost)
})

test('a call that must not be made again is not, and one card shows it', async () => {
  const lost = await lose('ask')
  const { tasks, made } = lost
  for (let n = 0; n < 3; n++) await tasks.stage.work()
  expect(made).toHaveLength(1)
  const cards = await cardsOf(lost)
  expect(cards).toHaveLength(1)
  for (const part of [
    '`pay` · changes things outside · cut short, perhaps it took effect',
    '"to": "shop"',
    'Task #1, step 2 of 3',
  ])
    expect(cards[0]).toContain(part)
  // Nothing is asked of the model meanwhile, and the task does not go on.
  expect(tasks.asked).toEqual(['plan', 1, 2])
  expect(await tasks.own()).toMatchObject({ outcome: 'waits' })
})

test.each([
  ['It is done', 'is done all the same, not to be made again: 1 pay'],
  ['Leave it', 'Denied, not to be made: 1 pay'],
])('after "%s" the task goes on to its end, and the call is not made again', async (label, told) => {
  const lost = await lose('ask')
  await lost.tasks.press(label)
  expect(lost.tasks.prompts.join('\n')).toContain(told)
  expect(lost.made).toHaveLength(1)
  expect(lost.tasks.asked).toEqual(['plan', 1, 2, 'result', 3, 'result'])
  await expectDone(lost)
})

test('only who is asked twice has it made again, as it was, under the key that it had', async () => {
  const lost = await lose('ask')
  await lost.tasks.press('Do it again')
  expect(lost.made).toHaveLength(1)
  await lost.tasks.press('Yes, do it')
  expect(lost.made).toHaveLength(2)
  expect(new Set(lost.made).size).toBe(1)
  await expectDone(lost)
})

test('where nobody answers it is not made again: the step has failed, and one card asks how the task goes on', async () => {
  const lost = await lose('ask')
  const { tasks, made } = lost
  await tasks.stage.wait(24 * hourMs + 1000)
  await tasks.stage.wait(3 * hourMs)
  const asked = (await tasks.shown()).filter((text) => text.includes('This step did not succeed: Part 2'))
  expect(asked).toHaveLength(1)
  await tasks.press('Skip')
  await tasks.press('Go on without it')
  expect(made).toHaveLength(1)
  expect((await tasks.graph()).nodes.map(({ status }) => status)).toEqual(['done', 'skipped', 'done'])
})

test('a step that is tried again after that is told of the call, and whoever makes it again asks a person first', async () => {
  const lost = await lose('ask')
  const { tasks, made } = lost
  await tasks.stage.wait(24 * hourMs + 1000)
  await tasks.stage.wait(3 * hourMs)
  await tasks.press('Try again')
  expect(tasks.prompts.at(-1)).toContain('> pay shop (nobody knows whether it took effect: do not call it again')
  expect(made).toHaveLength(1)
  expect((await tasks.shown()).at(-1)).toContain(head)
  await tasks.press('It is done')
  expect(made).toHaveLength(1)
  await expectDone(lost)
})

test('a rollback names it among the changes that stand, as one of which nobody is sure', async () => {
  const lost = await lose('ask', { order: 'write a guide in three parts and stop after each', looks: 1 })
  const { tasks } = lost
  await tasks.press('It is done')
  await tasks.press('Roll back to …')
  expect(await tasks.press('Step 1')).toContain('- `pay` shop (perhaps)')
})

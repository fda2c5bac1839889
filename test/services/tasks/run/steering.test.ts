// A task, whole, in memory: how people stop it, let it go on, change its plan and say something to it, whatever it does at the time.
import { expect, test } from 'vitest'
import { printWhere } from '#services/tasks/view/print-task.ts'
import { deletion, toApply, toCommand } from '#test/rig/events.ts'
import { answer, failed, hanging, type Answer } from '#test/services/executor/stage.ts'
import { openTasks, planning, stepsOf, type TaskStage } from '#test/services/tasks/task-stage.ts'

const stopping = 'write a guide in three parts and stop after each'
const running = 'write a guide in three parts without stopping'
const bob = 'web:bob'

/** Brings a task to where it plans, does a step, or looks at its result, and gives this order meanwhile. */
async function during(
  what: 'plan' | 'step' | 'result',
  act: (tasks: TaskStage) => Promise<unknown>,
): Promise<TaskStage> {
  const tasks = openTasks()
  const usual = { ...tasks.model }
  const once = (): Answer => async (call) => {
    Object.assign(tasks.model, usual)
    const silent = hanging('')
    const { answer: silence } = silent
    if (typeof silence !== 'function') throw new Error('It is silent by a function.')
    const asked = Promise.resolve(silence(call))
    await silent.written
    await act(tasks)
    return call.signal.aborted ? await asked : await answer(call, 'It went on.')
  }
  if (what === 'plan') tasks.model.plan = once
  else if (what === 'result') tasks.model.result = once
  else tasks.model.step = (at) => (at === 2 ? once() : `Text of part ${at}.`)
  await tasks.task(running)
  return tasks
}

/** Brings a task to where it waits. */
async function waiting(at: 'checkpoint' | 'recovery'): Promise<TaskStage> {
  const tasks = openTasks()
  if (at === 'recovery') tasks.model.step = (one) => (one === 2 ? () => failed('unavailable') : `Text of part ${one}.`)
  await tasks.task(at === 'recovery' ? running : stopping)
  tasks.model.step = (one) => `Text of part ${one}.`
  return tasks
}
const open = {
  planning: (act) => during('plan', act),
  'a step': (act) => during('step', act),
  'the result': (act) => during('result', act),
  'a checkpoint': async (act) => {
    const tasks = await waiting('checkpoint')
    await act(tasks)
    return tasks
  },
  'a recovery card': async (act) => {
    const tasks = await waiting('recovery')
    await act(tasks)
    return tasks
  },
} satisfies Record<string, (act: (tasks: TaskStage) => Promise<unknown>) => Promise<TaskStage>>
const moments = ['planning', 'a step', 'the result', 'a checkpoint', 'a recovery card'] as const

/** Presses whatever a task shows until it is done. */
async function finish(tasks: TaskStage): Promise<void> {
  for (let n = 0; n < 12; n++) {
    const { machine, waits } = await tasks.own()
    if (machine.current_state === 'COMPLETED') return
    await tasks.press(waits === 'recovery' ? 'Try again' : 'Continue')
  }
}

test.each(moments)('paused at %s it does nothing, and resumed it comes to the same end', async (moment) => {
  const tasks = await open[moment](async (one) => await one.task('1 pause'))
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'PAUSED' } })
  expect((await tasks.texts()).join('\n')).toContain('is paused. What is done stays.')
  expect(await tasks.tasks()).toContain('paused')
  const before = tasks.asked.length
  await tasks.stage.wait(3_600_000)
  expect(tasks.asked.length).toBe(before)
  expect(await tasks.task('1 pause')).toContain('cannot')
  expect(await tasks.task('1 resume')).toContain('goes on')
  await finish(tasks)
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
  expect((await tasks.texts()).at(-1)).toContain('Text of part 1.\n\nText of part 2.\n\nText of part 3.')
  expect(await tasks.task('1 resume')).toContain('cannot')
})

test.each(moments)('paused at %s by its card, and resumed by the card that tells so', async (moment) => {
  const tasks = await open[moment](async (one) => {
    const hasCard = moment !== 'planning'
    await (hasCard ? one.press('Stop') : one.task('1 pause'))
  })
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'PAUSED' } })
  await tasks.press('Resume')
  await finish(tasks)
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
})

test.each(moments)('cancelled at %s it ends, and nothing asks any more', async (moment) => {
  const tasks = await open[moment](async (one) => await one.task('1 cancel'))
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'ERROR', why: 'cancelled' }, waits: 'nothing' })
  const asked = tasks.asked.length
  await tasks.stage.wait(40 * 86_400_000)
  expect(tasks.asked.length).toBe(asked)
  const { cards } = await tasks.stage.kernel.findCards('web:stage', [])
  expect(cards).toEqual([])
  expect(await tasks.tasks()).not.toContain('#1')
})

test.each(['a checkpoint', 'a recovery card'] as const)(
  'who answers %s of a paused task lets it go on',
  async (moment) => {
    const tasks = await open[moment](async (one) => await one.task('1 pause'))
    expect(await tasks.press(moment === 'a checkpoint' ? 'Continue' : 'Try again')).toContain('Text of part 2.')
    expect(await tasks.press('Resume')).toMatch(/ALREADY|UNKNOWN/)
    await finish(tasks)
    expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
  },
)

test('others do not steer it, and who asked, administrators and owners do', async () => {
  const tasks = openTasks({ given: { isOwner: async (principal) => principal === 'web:owner' } })
  await tasks.task(stopping)
  expect(await tasks.task('1 cancel', bob)).toContain(
    'Only the person who ordered task #1, administrators and owners can steer it',
  )
  expect(await tasks.own()).toMatchObject({ waits: 'checkpoint' })
  const admin = await tasks.stage.ask('/task 1 pause', {
    as: toCommand('task', '1 pause'),
    principal: bob,
    senderIsAdmin: true,
  })
  expect(admin).toContain('is paused')
  expect(await tasks.task('1 resume', 'web:owner')).toContain('goes on')
})

test('a note joins the next step, and only that', async () => {
  const tasks = await waiting('checkpoint')
  expect(await tasks.task('1 note a lighter tone')).toContain('will follow it')
  await tasks.press('Continue')
  expect(tasks.prompts.at(-1)).toContain('> a lighter tone')
  await tasks.press('Continue')
  expect(tasks.prompts.at(-1)).not.toContain('a lighter tone')
  expect(await tasks.task('1 note')).toContain('What do you want to say to task #1?')
})

test('the plan is changed while a step runs: it is made anew, as people wish', async () => {
  const tasks = await during('step', async (one) => {
    await one.press('Change')
  })
  expect(await tasks.own()).toMatchObject({ waits: 'words' })
  tasks.model.plan = (prompt) => planning(stepsOf(prompt.includes('> two parts will do') ? 2 : 7))
  await tasks.reply('two parts will do')
  expect(tasks.asked).toEqual(['plan', 1, 2, 'plan', 1, 2, 'result'])
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' }, generation: 2 })
})

test('a change that is left lets the step go on', async () => {
  const tasks = await during('step', async (one) => await one.press('Change'))
  await tasks.press('Never mind')
  expect(tasks.asked).toEqual(['plan', 1, 2, 2, 3, 'result'])
})

test.each(['a checkpoint', 'a recovery card'] as const)(
  'a change that is left at %s shows that once more',
  async (moment) => {
    const tasks = await open[moment](async (one) => await one.press('Change'))
    const asked = tasks.asked.length
    await tasks.press('Never mind')
    expect(tasks.asked.length).toBe(asked)
    expect(await tasks.own()).toMatchObject({ waits: moment === 'a checkpoint' ? 'checkpoint' : 'recovery' })
    await finish(tasks)
    expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
  },
)

test('a fourth task of a person and a sixth of a chat are refused, in words', async () => {
  const tasks = openTasks()
  for (let n = 0; n < 3; n++) await tasks.task(stopping)
  expect(await tasks.task(stopping)).toContain('3 tasks are not finished yet')
  for (let n = 0; n < 2; n++) await tasks.task(stopping, bob)
  expect(await tasks.task(stopping, bob)).toContain('5 tasks are not finished yet')
  await tasks.task('2 cancel')
  expect(await tasks.task(stopping)).toContain('Started as task #6')
})

test('of more than twenty tasks the oldest that ended goes, with its texts', async () => {
  const tasks = openTasks()
  tasks.model.plan = () => planning(stepsOf(1))
  for (let n = 1; n <= 21; n++) await tasks.task(running)
  const list = await tasks.tasks()
  expect(list).not.toContain('#1*')
  expect(list.split('\n')).toHaveLength(20)
  expect(await tasks.kept('order', 1)).toBeUndefined()
  expect(await tasks.kept('order', 21)).toBe(running)
  expect(await tasks.task('1 pause')).toContain('no task #1')
})

test('a month after its end a task goes, and a letter to it is nobody’s', async () => {
  const tasks = openTasks()
  await tasks.task(running)
  expect(await tasks.tasks()).toContain('#1')
  await tasks.stage.wait(31 * 86_400_000)
  expect(await tasks.tasks()).toContain('has no tasks')
  expect(await tasks.kept('order')).toBeUndefined()
  expect(await tasks.task('1 resume')).toContain('no task #1')
})

test('a task that waits for three weeks has all that it needs', async () => {
  const tasks = await waiting('checkpoint')
  await tasks.stage.wait(21 * 86_400_000)
  await finish(tasks)
  expect((await tasks.texts()).at(-1)).toContain('Text of part 1.\n\nText of part 2.\n\nText of part 3.')
})

test('once the message that ordered it is deleted, nothing of it is done or shown any more', async () => {
  const tasks = await waiting('checkpoint')
  await tasks.stage.put(deletion('m1'), toApply('delete'))
  await tasks.stage.work()
  expect(await tasks.tasks()).toContain('has no tasks')
  expect(await tasks.kept('order')).toBeUndefined()
  const asked = tasks.asked.length
  await tasks.press('Continue')
  expect(tasks.asked.length).toBe(asked)
})

test('a note to a task that is done is refused in words', async () => {
  const tasks = openTasks()
  await tasks.task(running)
  expect(await tasks.task('1 note a lighter tone')).toContain('Task #1 is done. There is no next step.')
  expect(await tasks.task('1 resume')).toContain('Its state is: done.')
})

test('of a paused task the step that the pause interrupted comes next, and its card can do no more than resume it', async () => {
  const tasks = await during('step', async (one) => await one.task('1 pause'))
  const [own, graph] = [await tasks.own(), await tasks.graph()]
  const shown = { own, graph, title: '', running: undefined, endsAt: undefined, nowMs: own.begunAt }
  const said = printWhere(shown, 'en')
  expect(said).toContain('Paused. `/task 1 resume` goes on.')
  expect(said).toContain('Next: step 2, Part 2')
  expect(await tasks.press('Stop')).toMatch(/ALREADY|UNKNOWN/)
  expect(await tasks.press('Resume')).toContain('Task #1 goes on.')
  expect((await tasks.own()).machine.current_state).toBe('COMPLETED')
})

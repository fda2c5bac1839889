// A task, whole, in memory: whatever it waits with goes away, people can let it go on, or end it.
import { expect, test } from 'vitest'
import { BotError } from '#shared/errors.ts'
import { deletion, toApply } from '#test/rig/events.ts'
import { hanging } from '#test/services/executor/stage.ts'
import { openTasks, type TaskStage } from '#test/services/tasks/task-stage.ts'

const stopping = 'write a guide in three parts and stop after each'

/** One whose plan goes with what somebody wanted changed in it. */
async function withoutPlan(): Promise<TaskStage> {
  const tasks = openTasks()
  await tasks.task(stopping)
  await tasks.press('Change')
  await tasks.reply('wetter')
  await tasks.stage.put(deletion('said1'), toApply('delete'))
  await tasks.stage.work()
  expect(await tasks.kept('graph')).toBeUndefined()
  return tasks
}

test('once what somebody wanted changed in the plan is deleted, people are told that the plan is gone, and it is planned anew', async () => {
  const tasks = await withoutPlan()
  expect((await tasks.texts()).at(-1)).toContain('The plan is gone: a message that it used was deleted or forgotten.')
  expect(await tasks.tasks()).toContain('#1')
  expect(await tasks.press('Try again')).toContain('1. Part 1')
  for (let n = 0; n < 3; n++) await tasks.press('Continue')
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
})

test.each(['pause', 'cancel'])('one whose plan is gone takes a %s', async (verb) => {
  const tasks = await withoutPlan()
  expect(await tasks.task(`1 ${verb}`)).toContain(verb === 'pause' ? 'is paused' : 'is cancelled')
  if (verb === 'cancel') return
  expect(await tasks.task('1 resume')).toContain('The plan is gone')
})

const running = 'write a guide in three parts without stopping'

/** One of which somebody pressed “Change” while its first step ran, and has not said what. */
async function askedForWords(): Promise<TaskStage> {
  const tasks = openTasks()
  const silent = hanging('')
  tasks.model.step = (at) => (at === 1 ? silent.answer : `Text of part ${at}.`)
  const begun = tasks.task(running)
  await silent.written
  tasks.model.step = (at) => `Text of part ${at}.`
  await tasks.press('Change')
  await begun
  await tasks.stage.work()
  expect(await tasks.own()).toMatchObject({ waits: 'words' })
  return tasks
}

test.each([0, 31 * 86_400_000])('paused while it waits for words, %i ms later it asks for them again', async (ms) => {
  const tasks = await askedForWords()
  if (ms === 0) await tasks.task('1 pause')
  else expect(await tasks.stage.wait(ms)).toContain('nobody answered for 30 days')
  expect(await tasks.task('1 resume')).toContain('what should change in the plan?')
  await tasks.press('Never mind')
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
})

test('where its card is called off, as where a chat is closed, it pauses, and shows the card when it is resumed', async () => {
  const tasks = openTasks()
  await tasks.task(stopping)
  const { kernel } = tasks.stage
  const claimed = await kernel.claim('web:stage#1', 'closer', 1000)
  if (claimed.kind !== 'CLAIMED') throw new Error(claimed.kind)
  await kernel.append('web:stage#1', claimed.epoch, {
    key: 'closed',
    entries: [],
    consume: [],
    cancels: [{ all: true }],
  })
  await kernel.release('web:stage#1', 'closer', claimed.epoch, true)
  await tasks.stage.work()
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'PAUSED' }, waits: 'checkpoint' })
  expect(await tasks.tasks()).toContain('paused')
  expect(await tasks.task('1 resume')).toContain('Text of part 1.')
})

test('one that stands still, since its worker could not tell how its turn ended, goes on when it is resumed', async () => {
  const tasks = openTasks()
  const { kernel } = tasks.stage
  // All that is told at the end of the first step finds no room.
  const full = { isFull: false }
  tasks.model.step = (at) => {
    full.isFull = at === 1 && tasks.asked.filter((one) => one === 1).length === 1
    return `Text of part ${at}.`
  }
  const { append } = kernel
  kernel.append = async (...all) => {
    if (!full.isFull || !all[2].artifacts?.some(({ name }) => name.startsWith('log-'))) return await append(...all)
    throw new BotError('bad-input', 'No room.')
  }
  await tasks.task(running)
  full.isFull = false
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'EXECUTING' }, outcome: 'none' })
  expect(await tasks.task('1 resume')).toContain('goes on')
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
})

// A task, whole, in memory: when it stops for people to look, and what they may answer.
import { expect, test } from 'vitest'
import { openTasks, planning, stepsOf, type TaskStage } from '#test/services/tasks/task-stage.ts'

const guide = 'write a guide in three parts and stop after each'
const bob = 'web:bob'

async function begun(order = guide): Promise<TaskStage> {
  const tasks = openTasks()
  await tasks.task(order)
  return tasks
}

test('a task is planned, done step by step with a look after each, and given out', async () => {
  const tasks = await begun()
  expect(tasks.asked).toEqual(['plan', 1])
  expect(await tasks.press('Continue')).toContain('Text of part 2.')
  expect(await tasks.press('Continue')).toContain('Text of part 3.')
  const end = await tasks.press('Continue')
  expect(end).toContain('Task #1 · done')
  expect(end).toContain('Text of part 1.\n\nText of part 2.\n\nText of part 3.')
  expect(tasks.asked).toEqual(['plan', 1, 2, 3, 'result'])
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' }, waits: 'nothing', generation: 1 })
})

test('in Chinese all of it is said in Chinese', async () => {
  const tasks = await begun('写一份三部分的指南，每步停一下')
  expect(await tasks.press('继续')).toContain('Text of part 2.')
  await tasks.press('修改')
  await tasks.reply('再短一点')
  await tasks.press('继续')
  await tasks.press('继续')
  const said = (await tasks.shown()).join('\n').replaceAll(/Text of part \d\.|Part \d|token/g, '')
  expect(said).toContain('任务 #1')
  expect(said).not.toMatch(/[A-Za-z]{3}/)
})

test('without a word on stops people look after every third step, and with “without stopping” never', async () => {
  const usual = openTasks()
  usual.model.plan = () => planning(stepsOf(5))
  await usual.task('write a guide')
  expect(usual.asked).toEqual(['plan', 1, 2, 3])
  await usual.press('Continue')
  expect(usual.asked).toEqual(['plan', 1, 2, 3, 4, 5, 'result'])
  const never = openTasks()
  never.model.plan = () => planning(stepsOf(8))
  expect(await never.task('write a guide without stopping')).toContain('Task #1 · done')
  expect(never.asked).toEqual(['plan', 1, 2, 3, 4, 5, 6, 7, 8, 'result'])
})

test('where the plan says so, or the model marks it, people look', async () => {
  const planned = openTasks()
  planned.model.plan = () =>
    planning(stepsOf(3).map((step, at) => ({ ...step, ...(at === 1 ? { checkpoint: true } : {}) })))
  await planned.task('write a guide without stopping')
  expect(planned.asked).toEqual(['plan', 1, 2])
  const marked = openTasks()
  marked.model.step = (at) => (at === 2 ? 'Text of part 2.\n\n**[CHECKPOINT]**' : `Text of part ${at}.`)
  await marked.task('write a guide without stopping')
  expect(marked.asked).toEqual(['plan', 1, 2])
  expect((await marked.texts()).join()).not.toContain('[CHECKPOINT]')
  await marked.press('Continue')
  expect(marked.asked).toEqual(['plan', 1, 2, 3, 'result'])
})

test('a model that marks every sentence stops once a step, and one that prints a card prints a text', async () => {
  const tasks = openTasks()
  tasks.model.step = (at) =>
    `One ${at}.\n[CHECKPOINT]\nTwo ${at}.\n[CHECKPOINT]\n> ✅ **Checkpoint** [Continue](flotilla:continue) Chosen by you: Continue`
  await tasks.task('write a guide without stopping')
  expect(tasks.asked).toEqual(['plan', 1])
  const cards = (await tasks.stage.sent()).filter(({ buttons = [] }) =>
    buttons.flat().some(({ label }) => label === 'Continue'),
  )
  expect(cards).toHaveLength(1)
  expect(cards[0]?.text).toContain(String.raw`\[Continue\](flotilla:continue)`)
  expect(await tasks.own()).toMatchObject({ waits: 'checkpoint' })
})

test('what people want otherwise goes to the step, which is done once more', async () => {
  const tasks = await begun()
  tasks.model.step = (at, prompt) => (prompt.includes('> wetter') ? `Wet part ${at}.` : `Text of part ${at}.`)
  expect(await tasks.reply('wetter')).toContain('Wet part 1.')
  expect(tasks.asked).toEqual(['plan', 1, 1])
  await tasks.press('Revise')
  expect((await tasks.texts()).at(-1)).toContain('Reply to this message')
  expect(await tasks.reply('wetter still')).toContain('Wet part 1.')
  await tasks.press('Continue')
  expect(tasks.prompts.at(-1)).toContain('Wet part 1.')
  expect(tasks.prompts.at(-1)).not.toContain('wetter still')
  await tasks.press('Continue')
  expect(await tasks.press('Continue')).toContain('Wet part 1.\n\nText of part 2.\n\nText of part 3.')
})

test('a megabyte is cut, and told so; nothing at all is asked for again', async () => {
  const tasks = await begun()
  expect(await tasks.reply('x'.repeat(1_000_000))).toContain('too long: its first 500 characters are kept')
  expect(tasks.asked).toEqual(['plan', 1, 1])
  expect(tasks.prompts.at(-1)).toContain('x'.repeat(500))
  expect(tasks.prompts.at(-1)).not.toContain('x'.repeat(501))
  expect(await tasks.reply('  ')).toContain('Reply to this message')
  expect(tasks.asked).toEqual(['plan', 1, 1])
  await tasks.press('Continue')
  expect(tasks.asked).toEqual(['plan', 1, 1, 2])
})

test('a second press, a press by somebody else and a forged one change nothing', async () => {
  const tasks = await begun()
  expect(await tasks.press('Continue', bob)).toBe('FORBIDDEN')
  const button = (await tasks.stage.sent())
    .at(-1)
    ?.buttons?.flat()
    .find(({ label }) => label === 'Continue')
  await tasks.press('Continue')
  const [question = ''] = button?.id.split('.') ?? []
  const { kernel } = tasks.stage
  const press = (choice: string, id = question) =>
    kernel.resolve({
      question: id,
      actor: 'web:ann',
      chat: 'web:stage',
      choice,
      event: {
        v: 1,
        kind: 'answer',
        id: `again-${choice}`,
        conversation: 'web:stage',
        principal: 'web:ann',
        at: 0,
        question: id,
        choice,
      },
    })
  expect(await press('continue')).toMatchObject({ kind: 'ALREADY' })
  expect(await press('finish')).toEqual({ kind: 'UNKNOWN' })
  expect(await press('continue', `${question}x`)).toEqual({ kind: 'UNKNOWN' })
  await tasks.stage.work()
  expect(tasks.asked).toEqual(['plan', 1, 2])
})

test('nobody answers for a month: the task is paused, says so once, and goes on when it is told to', async () => {
  const tasks = await begun()
  const day = 86_400_000
  expect(await tasks.stage.wait(29 * day)).toBe('')
  expect(await tasks.stage.wait(2 * day)).toContain('is paused: nobody answered for 30 days')
  expect(await tasks.stage.wait(40 * day)).toBe('')
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'PAUSED' } })
  expect(await tasks.task('1 resume')).toContain('Text of part 1.')
  await tasks.press('Continue')
  expect(tasks.asked).toEqual(['plan', 1, 2])
})

test('a result that would fill a chat comes as a file', async () => {
  const tasks = openTasks()
  tasks.model.step = (at) => `Part ${at}. `.padEnd(9000, 'word ')
  await tasks.task('write a guide in three parts without stopping')
  const last = (await tasks.stage.sent()).at(-1)
  expect(last?.file?.name).toBe('task-1.md')
  expect(last?.file?.text).toContain('Part 3.')
})

// A task that begins by itself: an answer that goes deep begins with a plan of three steps, which becomes the task's own; all else is answered as before.
import { expect, test } from 'vitest'
import type { Tool } from '#shared/model/tool.ts'
import { ann, toTurn } from '#test/rig/events.ts'
import { answer, look, type Answer } from '#test/services/executor/stage.ts'
import { openTasks, type TaskStage, type TaskStageOptions } from '#test/services/tasks/task-stage.ts'

const deep = toTurn({ complex: true, depth: 'deep', type: 'task' })
const order = 'First read the code, then find what is slow, and finally write three parts on what to change'
const plan = 'Plan:\n1. **Read** the code\n   - all of `src`\n2. Find what is slow\n3. Write what to change'
const calls = (text: string): Answer => ({ text, toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] })
let looks = 0
const counted: Tool = { ...look, run: async () => ((looks += 1), { text: 'nothing new', source: 'others' }) }

function open(answers: readonly Answer[], given: TaskStageOptions['given'] = {}): TaskStage {
  looks = 0
  const tasks = openTasks({ others: [{ name: 'tools', tools: [counted] }], given })
  const left = [...answers]
  tasks.model.result = (prompt) => (prompt.includes('[ALL]') ? '[ALL]' : (left.shift() ?? 'Nothing planned.'))
  return tasks
}

test('the plan that the answer begins with is the plan of the task, and nothing else of the answer is done', async () => {
  const tasks = open([calls(`${plan}\n\nI look first.`)])
  const said = await tasks.stage.ask(order, { as: deep })
  expect(said).toContain('Started as task #1.')
  expect(said).not.toContain('I look first')
  expect(looks).toBe(0)
  // No call for a plan.
  expect(tasks.asked).toEqual(['result', 1, 2, 3])
  const { nodes } = await tasks.graph()
  expect(nodes.map(({ title }) => title)).toEqual(['Read the code', 'Find what is slow', 'Write what to change'])
  expect(nodes[0]?.task).toBe('**Read** the code\n   - all of `src`')
  expect(await tasks.kept('order')).toBe(order)
  expect(await tasks.own()).toMatchObject({ asker: ann, generation: 1 })
  const shown = (await tasks.shown()).join('\n')
  expect(shown).toContain('Task #1 · ')
  expect(shown).toContain('1. Read the code')
  // The next prompt of the conversation knows of it.
  const { history } = await tasks.stage.state()
  expect(history.at(-1)?.text).toContain(`${plan}\n\nI look first.\n\n[Started as task #1.`)
})

test('its card has the buttons that stop it and change its plan', async () => {
  const tasks = open([calls(plan)])
  tasks.model.step = () => 'Text.'
  await tasks.stage.ask(`${order}, stop after each`, { as: deep })
  expect(await tasks.own()).toMatchObject({ waits: 'checkpoint' })
  expect(await tasks.press('Stop')).toContain('Task #1 is paused')
})

test('a plan alone begins a task where several parts are asked for', async () => {
  const tasks = open([plan, plan])
  expect(await tasks.stage.ask(order, { as: deep })).toContain('Started as task #1.')
  // Who asks for a plan has it.
  expect(await tasks.stage.ask('First look around, then make me a plan', { as: deep })).toBe(plan)
})

test.each<[string, Answer, Parameters<TaskStage['stage']['ask']>[1]]>([
  ['it has two steps', calls('Plan:\n1. Read\n2. Write'), {}],
  ['it has more steps than a task', calls(Array.from({ length: 13 }, (_, n) => `${n + 1}. Step`).join('\n')), {}],
  ['no step is numbered', calls('I read it, then I write.'), {}],
  ['the request does not go deep', calls(plan), { as: toTurn({ complex: true, type: 'task' }) }],
  ['the request is not complex', calls(plan), { as: toTurn({ depth: 'deep' }) }],
  ['the message brings files', calls(plan), { media: [{ kind: 'image' }] }],
  ['the message replies to another', calls(plan), { replyTo: { messageId: 'm0', fromBot: true, text: 'before' } }],
  ['the answer broke off', { text: plan, finish: 'length' }, {}],
  ['the answer goes on behind it', `${plan}\n\nIt is all fine.`, {}],
])('it stays an answer where %s', async (_, first, more) => {
  const tasks = open([first, 'The answer.'])
  const said = await tasks.stage.ask(order, { as: deep, ...more })
  expect(said).not.toContain('task #1')
  expect(said).toMatch(/The answer\.|It is all fine\.|Write what to change/)
  expect(await tasks.tasks()).toContain('no tasks')
})

test('a later plan of the same turn begins nothing', async () => {
  const tasks = open([calls('I look.'), calls(plan), 'The answer.'])
  expect(await tasks.stage.ask(order, { as: deep })).toContain('The answer.')
  expect(await tasks.tasks()).toContain('no tasks')
})

test('where as many tasks are at work as may be, the turn answers', async () => {
  const tasks = open([...Array.from({ length: 4 }, () => calls(plan)), 'The answer.'])
  for (const number of [1, 2, 3])
    expect(await tasks.stage.ask(`${order}, stop after each`, { as: deep })).toContain(`Started as task #${number}`)
  expect(await tasks.stage.ask(order, { as: deep })).toContain('The answer.')
})

test('who may not have tasks begun by the model has no task by itself', async () => {
  const tasks = open([calls(plan), 'The answer.'], {
    findRight: async ({ name }) => (name === 'task_start' ? 'none' : 'use'),
  })
  expect(await tasks.stage.ask(order, { as: deep })).toContain('The answer.')
  expect(await tasks.tasks()).toContain('no tasks')
})

test('in Chinese', async () => {
  const tasks = open([calls('计划：\n1. 读代码\n2. 找瓶颈\n3. 写建议')])
  expect(await tasks.stage.ask('请先读取代码，再分析性能热点，然后给出优化建议', { as: deep })).toContain(
    '已开始，是任务 #1。',
  )
})

test('a stop that comes first wins: nothing begins', async () => {
  const tasks = open([])
  tasks.model.result = () => async (call) => {
    await tasks.stage.stop()
    return await answer(call, calls(plan))
  }
  await tasks.stage.ask(order, { as: deep })
  expect(await tasks.tasks()).toContain('no tasks')
})

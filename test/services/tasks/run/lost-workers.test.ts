// A task whose worker is lost before or after each step that is stored, of the task's own and of its conversation's: what people see, what is kept and
// what was done outside is what it is without a loss, and nothing is there twice.
import { expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import type { Tool } from '#shared/model/tool.ts'
import { answer, failed } from '#test/services/executor/stage.ts'
import { calling, openTasks, type TaskStage } from '#test/services/tasks/task-stage.ts'

/** A place outside that takes a call once by its key. */
function openOutside() {
  const done = new Map<string, number>()
  const post: Tool = {
    name: 'post',
    description: 'Posts something.',
    parameters: { type: 'object', properties: { what: { type: 'string' } } },
    effect: 'write',
    onCrash: 'rerun-with-key',
    async run(_, { idempotencyKey }) {
      done.set(idempotencyKey, (done.get(idempotencyKey) ?? 0) + 1)
      return { text: 'posted', source: 'own' }
    },
  }
  const feature: Feature = { name: 'outside', tools: [post] }
  return { feature, done }
}

function open() {
  const outside = openOutside()
  const tasks = openTasks({ others: [outside.feature] })
  tasks.model.step = (at, prompt, called) => {
    const wet = prompt.includes('> wetter') ? ' wet' : ''
    if (called === 0) return calling('file_write', { path: `part-${at}.md`, text: `text ${at}${wet}` })
    if (at === 2 && called === 1) return calling('post', { what: 'a word' })
    return (call) => answer(call, `Wrote part ${at}${wet}.`)
  }
  return { tasks, outside }
}

/** Plan, three steps, a look after each, one revised, a rollback, a note, a pause, and the result. */
async function play({ stage, ...tasks }: TaskStage): Promise<void> {
  const again = async (): Promise<void> => {
    await stage.work()
    await stage.work()
  }
  const acts = [
    () => tasks.task('write a guide in three parts and stop after each'),
    () => tasks.reply('wetter'),
    () => tasks.press('Continue'),
    () => tasks.press('Roll back to …'),
    () => tasks.press('Step 1'),
    () => tasks.press('Roll back'),
    () => tasks.task('1 note lighter'),
    () => tasks.task('1 pause'),
    () => tasks.task('1 resume'),
    () => tasks.press('Continue'),
    () => tasks.press('Continue'),
  ]
  for (const act of acts) {
    await act()
    await again()
  }
}

async function endOf({ tasks, outside }: ReturnType<typeof open>) {
  const { workMs: _, begunAt: _2, tokens: _3, ...own } = await tasks.own()
  const { nodes } = await tasks.graph()
  const heads = await tasks.stage.kernel.listArtifacts('web:stage#1')
  const rows = await tasks.stage.kernel.readOut('web:stage', '0', 1000)
  return {
    shown: (await tasks.shown()).map((text) => text.replaceAll(/[\d,]+ tokens/g, 'so many tokens')),
    own: { ...own, points: own.points.map(({ step, generation, tree }) => ({ step, generation, tree })) },
    nodes: nodes.map(({ status, outputs, retries }) => ({ status, retries, named: outputs.named })),
    // A log is named by when its step ended.
    kept: heads.map(({ name }) => name.replace(/^log-\d+/, 'log')).toSorted(),
    rows: rows.length,
    done: [...outside.done.keys()].toSorted(),
    list: (await tasks.tasks()).replaceAll(/[\d,]+ tokens/g, ''),
  }
}

test(
  'a worker lost at any step of a task, before or after it was stored, leaves the same end',
  { timeout: 240_000 },
  async () => {
    const whole = open()
    await play(whole.tasks)
    const appends = whole.tasks.stage.appends()
    const wanted = await endOf(whole)
    expect(wanted.own.machine.current_state).toBe('COMPLETED')
    expect(wanted.done).toHaveLength(2)
    expect(appends).toBeGreaterThan(60)
    for (let n = 1; n <= appends; n++)
      for (const side of ['before', 'after'] as const) {
        const one = open()
        one.tasks.stage.loseAt(n, side)
        await play(one.tasks)
        expect(await endOf(one), `lost ${side} append ${n} of ${appends}`).toEqual(wanted)
      }
  },
)

test('a step that fails after it has changed something outside does that once, also when it is tried again', async () => {
  const outside = openOutside()
  const tasks = openTasks({ others: [outside.feature] })
  let tries = 0
  tasks.model.step = (at, _, called) => {
    if (at === 2 && called === 0) return calling('post', { what: 'a word' })
    return at === 2 && (tries += 1) <= 6 ? () => failed('unavailable') : `Wrote part ${at}.`
  }
  await tasks.task('write a guide without stopping')
  expect(await tasks.own()).toMatchObject({ machine: { current_state: 'COMPLETED' } })
  expect(tasks.asked).toEqual(['plan', 1, 2, 2, 2, 3, 'result'])
  expect([...outside.done.keys()]).toHaveLength(1)
  expect(tasks.prompts.filter((one) => one.includes('is done outside already')).length).toBeGreaterThan(1)
})

// What there is to see of a task: its steps and points after a rollback, what is printed of it, and what `/task 1 …` means.
import { describe, expect, test } from 'vitest'
import { toTask } from '#shared/chat/address.ts'
import { toOurs } from '#shared/feature/kept.ts'
import { onlyLooks, readCommand } from '#services/tasks/home/read-command.ts'
import { toFileMessage } from '#services/tasks/files/tell-file.ts'
import { joinFiles, printFiles } from '#services/tasks/view/print-files.ts'
import { printSteps, printWhere } from '#services/tasks/view/print-task.ts'
import { toLeft, toSpan } from '#services/tasks/view/print-words.ts'
import { toOutlook, toPoints, toSteps } from '#services/tasks/view/task-view.ts'
import { keepLog, readLog, type StepLog } from '#services/tasks/run/step-log.ts'
import { conversation } from '#test/rig/events.ts'
import { calling, openTasks, planning, stepsOf } from '#test/services/tasks/task-stage.ts'

/** After three steps, each looked at, back to the first, and the second once more. */
async function rolledBack() {
  const tasks = openTasks()
  tasks.model.plan = () => planning(stepsOf(3, { checkpoint: true }))
  tasks.model.step = (at, _, called) =>
    called === 0 ? calling('file_write', { path: `part-${at}.md`, text: `${at}\n` }) : `Text of part ${at}.`
  await tasks.task('write three parts, stop after each')
  await tasks.press('Continue')
  await tasks.press('Roll back to …')
  await tasks.press('Step 1')
  await tasks.press('Roll back')
  return tasks
}

test('a rollback sets steps aside, and what leads to where the task stands stays', async () => {
  const tasks = await rolledBack()
  const [own, graph] = [await tasks.own(), await tasks.graph()]
  const steps = toSteps(graph, own)
  expect(steps.map(({ status, output }) => [status, output?.generation])).toEqual([
    ['done', 1],
    ['done', 2],
    ['pending', undefined],
  ])
  expect(
    toPoints(graph, own).map(({ step, generation, isHere, isAside, common }) => [
      step,
      generation,
      isHere,
      isAside,
      common,
    ]),
  ).toEqual([
    [0, 1, false, false, 0],
    [1, 1, false, false, 1],
    [2, 1, false, true, 1],
    [2, 2, true, false, 2],
  ])
  expect(toOutlook(own, steps)).toEqual({ kind: 'waits', waits: 'checkpoint', step: 2 })
})

test('steps are printed with their calls, the one at work as far as it is, and those set aside by themselves', async () => {
  const tasks = await rolledBack()
  const [own, graph] = [await tasks.own(), await tasks.graph()]
  const heads = await tasks.stage.kernel.listArtifacts(toTask(conversation, 1))
  const names = heads.flatMap(({ name }) => (name.startsWith('log-') ? [name] : []))
  const logs = await Promise.all(names.map(async (name) => readLog((await tasks.kept(name)) ?? '')))
  expect(logs.map(({ what, number, generation }) => [what, number, generation])).toEqual([
    ['plan', 0, 1],
    ['step', 1, 1],
    ['step', 2, 1],
    ['step', 2, 2],
  ])
  const running = { begunAt: 1000, at: 5000, tokens: 7, left: 3, calls: [{ name: 'search_web', how: 'open' }] } as const
  const atWork = { ...own, waits: 'nothing', outcome: 'none', node: toOurs('N-003') } as const
  const shown = { own: atWork, title: '*bold* order', graph, running, endsAt: undefined, nowMs: 61_000 }
  const text = printSteps({ ...shown, logs }, 'en')
  expect(text).toContain(String.raw`· \*bold\* order`)
  expect(text).toContain(String.raw`- **2\. Part 2** · done`)
  expect(text).toContain(String.raw`- **2\. Part 2 (set aside, plan 1)**`)
  expect(text).toContain('  - Now: for 1 min 0 s, 7 tokens so far\n  - … 3 more\n  - ▶️ search_web')
  expect(text.match(/✅ file_write/g)).toHaveLength(3)
  expect(printSteps({ ...shown, logs }, 'zh')).toContain('（搁置的，第 1 版计划）')
  expect(printWhere(shown, 'en')).toContain('At step 3. For 1 min 0 s so far, with 4 calls of tools.')
  expect(printWhere({ ...shown, own, endsAt: 61_000 + 7_200_000 }, 'zh')).toContain('还等 2 小时 0 分，之后会暂停。')
})

test('a log has a bound: the calls in its middle go first, and are counted', () => {
  const head = 'x'.repeat(160)
  const callLines = () =>
    Array.from({ length: 500 }, (_, at) => ({ name: `tool_${at}`, ok: at % 2 === 0, head, ms: at }))
  const slice = { phase: 'step', node: toOurs('N-002'), generation: 3 }
  const turn = { slice, ending: 'answered', begunAt: 5, tokens: 9, callLines }
  const kept = keepLog(turn as unknown as Parameters<typeof keepLog>[0], 1000)
  const text = kept.kind === 'artifact' ? kept.text : ''
  expect(text.length).toBeLessThanOrEqual(4000)
  const log: StepLog = readLog(text)
  expect(log).toMatchObject({ number: 2, generation: 3, begunAt: 5, endedAt: 1000 })
  expect([log.calls[0]?.name, log.calls.at(-1)?.name]).toEqual(['tool_0', 'tool_499'])
  expect(log.left + log.calls.length).toBe(500)
  expect(() => readLog('{"v":2}')).toThrow('unknown shape')
})

describe('files', () => {
  const hash = 'a'.repeat(64)
  test('their names are shown inert, and a name that platforms refuse becomes one that they take', () => {
    const tree = [{ path: '@all [x](http://evil)/笔记.md', hash, bytes: 3000 }]
    expect(printFiles(tree, 3, 'en')).not.toContain('[x](')
    expect(printFiles([], 3, 'zh')).toContain('还没有文件')
    expect(toFileMessage({ path: 'a/笔记.md', text: '```\nx', caption: 'c' }, 'en')).toEqual({
      text: 'c\n\n````\n```\nx\n````',
      file: { name: '__.md', caption: 'c', text: '```\nx' },
    })
    expect(toFileMessage({ path: '笔记', text: 'x', caption: 'c' }, 'zh').file.name).toBe('file.txt')
  })

  test('all of them stand under headings, as far as they fit', () => {
    const long = { path: 'long.txt', text: 'x'.repeat(999_990) }
    expect(
      joinFiles([
        { path: 'a', text: '1' },
        { path: 'b', text: '2\n' },
      ]),
    ).toEqual({
      text: '===== a =====\n1\n\n===== b =====\n2\n\n',
      left: 0,
    })
    expect(joinFiles([{ path: 'a', text: '1' }, long]).left).toBe(1)
    const { text, file } = toFileMessage({ path: 'l', text: long.text, caption: 'c' }, 'en')
    expect(text.length).toBeLessThan(31_000)
    expect(file.text).toHaveLength(999_990)
  })
})

test('what is written after /task: a look never begins anything, whatever tasks there are', () => {
  const isTask = (number: number): boolean => number === 3
  const read = (args: string) => readCommand(args, isTask)
  expect(read('3')).toEqual({ kind: 'look', number: 3, what: 'where', text: '' })
  expect(read('#3 步骤')).toEqual({ kind: 'look', number: 3, what: 'steps', text: '' })
  expect(read('3 files a/b c.md')).toEqual({ kind: 'look', number: 3, what: 'files', text: 'a/b c.md' })
  expect(read('4 files about rain')).toEqual({ kind: 'order', text: '4 files about rain' })
  expect(read('3 plan a trip')).toMatchObject({ kind: 'steer', verb: 'note', text: 'plan a trip' })
  expect(read('3 poems')).toMatchObject({ kind: 'steer', verb: 'note' })
  const looks = ['3', '#7', '3 plan', '9 文件', '3 result']
  expect(looks.filter((args) => !onlyLooks(args))).toEqual([])
  expect(['', '3 pause', '3 poems', 'plan', '3 files a.md', '3 note x'].filter(onlyLooks)).toEqual([])
})

test('spans are told in their largest two units', () => {
  expect([400, 59_000, 61_000, 3_660_000, 86_400_000, 3 * 86_400_000].map((ms) => toSpan(ms, 'en'))).toEqual([
    'less than 1 s',
    '59 s',
    '1 min 1 s',
    '1 h 1 min',
    '1 day',
    '3 days',
  ])
  expect([toLeft(undefined, 0, 'en'), toLeft(5, 9, 'en')]).toEqual(['', ''])
})

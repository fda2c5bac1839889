// Looking at a task from its conversation: where it is, its plan, its steps, its files and its result. Everybody of the chat may. Nothing is asked of the task
// itself, so that it is answered while a step runs.
import type { Language } from '#shared/chat/message.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import { peek, rework, tell, type Kept } from '#shared/feature/kept.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { say } from '#shared/feature/say.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Tree } from '#services/tasks/files/tree.ts'
import type { TaskGraph } from '#services/tasks/graph/graph.ts'
import type { StepLog } from '#services/tasks/run/step-log.ts'
import { outputName, outputsOf, resultName } from '#services/tasks/run/texts.ts'
import { toResult } from '#services/tasks/run/to-result.ts'
import { findFiles, joinParts } from '#services/tasks/view/find-files.ts'
import { findLogs, findTree, openTask, type OpenTask } from '#services/tasks/view/open-task.ts'
import { joinFiles, printFiles } from '#services/tasks/view/print-files.ts'
import { printPlan, printSteps, printWhere, type Shown } from '#services/tasks/view/print-task.ts'
import { mostTextChars, tellFile, tellResult, toFileMessage } from '#services/tasks/files/tell-file.ts'
import type { RunningTurn, TaskPlace, TaskReader } from '#services/tasks/view/task-reader.ts'
import { pick, resultWord, toName } from '#services/tasks/words.ts'
import type { Look } from './read-command.ts'
import { findTask, type Home } from './slice.ts'

export type LookDeps = { readonly tasks: TaskReader; readonly clock: { now(): number } }
type Effects = readonly StepEffect<never>[]
type Context = Pick<CommandContext<Home>, 'slice' | 'language' | 'conversation' | 'principal'>

const nameChars = 120

export async function look(
  { tasks, clock }: LookDeps,
  context: Context,
  wish: { readonly number: number; readonly what: Look; readonly text: string },
): Promise<Effects> {
  const { slice, language, conversation: home, principal } = context
  const { number, what, text } = wish
  const place = { home, number, principal }
  const listed = findTask(slice, number)
  const task = listed && (await openTask(tasks, place))
  if (!listed || !task) return listed ? sayNotBegun(language, number) : sayNone(language, number)
  const parts = toParts(task, listed.title)
  const compose = (all: readonly Part[]): Shown => toShown(all, task, clock.now())
  switch (what) {
    case 'where':
      return [tell(parts, (all) => printWhere(compose(all), language))]
    case 'plan':
      return task.graph
        ? [tell([task.graph], ([graph]) => (graph ? printPlan(graph, number, language) : ''))]
        : sayNoPlan(language, number)
    case 'steps': {
      const logs = (await findLogs(tasks, place)).map((log) => rework(log, (one): Part => ({ kind: 'log', log: one })))
      const toText = (all: readonly Part[]): string =>
        printSteps({ ...compose(all), logs: all.flatMap((one) => (one.kind === 'log' ? [one.log] : [])) }, language)
      const isLong = peek([...parts, ...logs], (all) => toText(all).length > mostTextChars)
      if (!isLong) return [tell([...parts, ...logs], toText)]
      const caption = toName(number, language)
      return tellFile([...parts, ...logs], (all) =>
        toFileMessage({ path: `task-${number}-steps.md`, text: toText(all), caption }, language),
      )
    }
    case 'files':
      return await showFiles(tasks, place, { task, wanted: text, language })
    case 'result':
      return await showResult(tasks, place, { task, language })
    default:
      return what satisfies never
  }
}

type Part =
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'graph'; readonly graph: TaskGraph }
  | { readonly kind: 'running'; readonly running: RunningTurn }
  | { readonly kind: 'log'; readonly log: StepLog }

const toParts = ({ graph, running }: OpenTask, title: Kept): readonly Kept<Part>[] => [
  rework(title, (one): Part => ({ kind: 'title', title: one })),
  ...(graph ? [rework(graph, (one): Part => ({ kind: 'graph', graph: one }))] : []),
  ...(running ? [rework(running, (one): Part => ({ kind: 'running', running: one }))] : []),
]

const toShown = (all: readonly Part[], { own, endsAt }: OpenTask, nowMs: number): Shown => ({
  own,
  title: all.flatMap((one) => (one.kind === 'title' ? [one.title] : [])).join(''),
  graph: all.flatMap((one) => (one.kind === 'graph' ? [one.graph] : []))[0],
  running: all.flatMap((one) => (one.kind === 'running' ? [one.running] : []))[0],
  endsAt,
  nowMs,
})

type Showing = { readonly task: OpenTask; readonly language: Language }

async function showFiles(
  tasks: TaskReader,
  place: TaskPlace,
  { task, wanted, language }: Showing & { readonly wanted: string },
): Promise<Effects> {
  const { number } = place
  const tree = await findTree(tasks, place, task.own.tree)
  if (!tree) return say(language, `任务 #${number} 还没有文件。`, `Task #${number} has no files yet.`)
  if (wanted === '') return [tell([tree], ([all = []]) => printFiles(all, number, language))]
  if (['all', '全部'].includes(wanted.toLowerCase())) return await showAllFiles(tasks, place, { tree, language })
  const at = peek([tree], ([all = []]) => all.findIndex(({ path }) => path === wanted))
  if (at < 0)
    return say(
      language,
      `任务 #${number} 没有这个文件。/task ${number} files 列出所有文件。`,
      `Task #${number} has no such file. /task ${number} files lists them.`,
    )
  const parts = await findFiles(
    tasks,
    place,
    rework(tree, (all) => all.slice(at, at + 1)),
  )
  if (parts.length < 2) return sayGone(language)
  return tellFile(parts, (all) => {
    const [{ path, text } = { path: '', text: '' }] = joinParts(all)
    const caption = `${toName(number, language)} · ${toInertLine(path, nameChars)}`
    return toFileMessage({ path, text: text || emptyWord(language), caption }, language)
  })
}

const emptyWord = (language: Language): string => pick(language, { zh: '（空文件）', en: '(This file is empty.)' })

async function showAllFiles(
  tasks: TaskReader,
  place: TaskPlace,
  { tree, language }: { readonly tree: Kept<Tree>; readonly language: Language },
): Promise<Effects> {
  const parts = await findFiles(tasks, place, tree)
  if (parts.length < 2) return sayGone(language)
  const name = toName(place.number, language)
  return tellFile(parts, (all) => {
    const files = joinParts(all)
    const { text, left } = joinFiles(files)
    const count = files.length - left
    const more = left > 0 ? pick(language, { zh: `，还有 ${left} 个放不下`, en: `; ${left} more found no room` }) : ''
    const caption = `${name} · ${pick(language, { zh: `${count} 个文件`, en: count === 1 ? '1 file' : `${count} files` })}${more}`
    return toFileMessage({ path: `task-${place.number}-files.txt`, text: text || caption, caption }, language)
  })
}

/** Before the end what its steps came to so far. */
async function showResult(tasks: TaskReader, place: TaskPlace, { task, language }: Showing): Promise<Effects> {
  const { number } = place
  const outputs = task.graph ? peek([task.graph], ([graph]) => (graph ? outputsOf(graph) : [])) : []
  const found = await Promise.all(outputs.map((output) => tasks.findText(place, outputName(output))))
  const results = found.flatMap((one) => one ?? [])
  const isDone = task.own.machine.current_state === 'COMPLETED'
  const answer = isDone ? await tasks.findText(place, resultName) : undefined
  if (!answer && results.length === 0)
    return say(language, `任务 #${number} 还没有结果。`, `Task #${number} has no result yet.`)
  const so = { zh: '到目前为止', en: 'so far' }
  const head = `${toName(number, language)} · ${pick(language, answer ? resultWord : so)}`
  const compose = (all: readonly string[]): string => {
    const [said = '', ...rest] = all
    return answer ? toResult(said, rest) : all.join('\n\n')
  }
  const parts = answer ? [answer, ...results] : results
  return tellResult(parts, compose, { number, head, language })
}

export const sayNone = (language: Language, number: number): Effects =>
  say(language, `没有任务 #${number}。/tasks 列出所有任务。`, `There is no task #${number}. /tasks lists them all.`)
const sayNotBegun = (language: Language, number: number): Effects =>
  say(language, `任务 #${number} 正要开始。`, `Task #${number} is about to begin.`)
const sayNoPlan = (language: Language, number: number): Effects =>
  say(language, `任务 #${number} 还没有计划。`, `Task #${number} has no plan yet.`)
const sayGone = (language: Language): Effects =>
  say(language, '这些文件已经不再保留。', 'These files are kept no more.')

// What the page of tasks is told: their list, one of them whole, and what one step came to.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import { peek, rework, type Kept } from '#shared/feature/kept.ts'
import type { TaskGraph } from '#services/tasks/graph/graph.ts'
import type { Listed } from './listed.ts'
import { outputName, outputsOf, resultName, type Output } from '#services/tasks/run/texts.ts'
import { toResult } from '#services/tasks/run/to-result.ts'
import { findLogs, findTree, openTask } from './open-task.ts'
import type { TaskPlace, TaskReader } from './task-reader.ts'
import { isAtWork, toOutlook, toPoints, toSteps } from './task-view.ts'

const mostListed = 100
/** So many conversations are read at once. */
const atOnce = 10

type ListedTask = Listed & { readonly conversation: ConversationId }

/** The newest first. */
export async function showList(
  reader: TaskReader,
  homes: readonly ConversationId[],
  nowMs: number,
): Promise<{ readonly now: number; readonly tasks: readonly ListedTask[] }> {
  const found: ListedTask[] = []
  for (let at = 0; at < homes.length; at += atOnce) {
    const some = homes.slice(at, at + atOnce)
    const lists = await Promise.all(some.map((home) => listOrNone(reader, home)))
    found.push(...lists.flatMap((list, i) => list.map((one) => ({ ...one, conversation: some[i] ?? '' }))))
  }
  return { now: nowMs, tasks: found.toSorted((a, b) => b.begunAt - a.begunAt).slice(0, mostListed) }
}

/** What this release cannot read in one conversation hides nothing of the others. */
async function listOrNone(reader: TaskReader, home: ConversationId): Promise<readonly Listed[]> {
  try {
    return await reader.list(home)
  } catch (error) {
    if (error instanceof BotError && (error.code === 'store-newer' || error.code === 'store-corrupt')) return []
    throw error
  }
}

export async function showTask(reader: TaskReader, place: TaskPlace, nowMs: number) {
  const task = await openTask(reader, place)
  if (!task) throw notThere(place)
  const { own, order, graph, running, endsAt } = task
  const [logs, tree] = await Promise.all([findLogs(reader, place), findTree(reader, place, own.tree)])
  const { number, machine, waits, phase, generation, tokens, workMs, begunAt, every, notes } = own
  return {
    now: nowMs,
    conversation: place.home,
    number,
    state: machine.current_state,
    waits,
    phase,
    generation,
    tokens,
    workMs,
    begunAt,
    every,
    endsAt,
    isAtWork: isAtWork(own),
    order,
    notes,
    outlook: graph ? peekOutlook(graph, own) : toOutlook(own, []),
    steps: graph && rework(graph, (one) => toSteps(one, own)),
    points: graph ? peekPoints(graph, own) : toPoints(undefined, own).map(toShown),
    running,
    logs,
    files: tree,
  }
}

type Own = Parameters<typeof toSteps>[1]
/** Numbers and names of ours. */
const peekOutlook = (graph: Kept<TaskGraph>, own: Own) => {
  const steps = peek([graph], ([one]) => (one ? toSteps(one, own).map(({ number, id }) => ({ number, id })) : []))
  return toOutlook(
    own,
    steps.map((step) => ({ ...step, status: 'pending' as const })),
  )
}

/** Where the files differ is asked by the place of a point; the names of states stay here. */
const toShown = ({ tree, ...point }: ReturnType<typeof toPoints>[number]) => ({ ...point, hasFiles: tree !== '' })

const peekPoints = (graph: Kept<TaskGraph>, own: Own) => peek([graph], ([one]) => toPoints(one, own).map(toShown))

/** What a step came to; with number 0 the result. */
export async function showStep(
  reader: TaskReader,
  place: TaskPlace,
  output: Output,
): Promise<{ readonly text: Kept | undefined; readonly parts: readonly Kept[] }> {
  if (output.number > 0) return { text: await reader.findText(place, outputName(output)), parts: [] }
  const [task, text] = await Promise.all([openTask(reader, place), reader.findText(place, resultName)])
  if (!task) throw notThere(place)
  // The answer may say no more than that the steps' results are the result.
  const isWhole = text && peek([text], ([said = '']) => toResult(said, ['']) === said)
  if (!text || isWhole || !task.graph) return { text, parts: [] }
  const outputs = peek([task.graph], ([graph]) => (graph ? outputsOf(graph) : []))
  const found = await Promise.all(outputs.map((one) => reader.findText(place, outputName(one))))
  const parts = found.flatMap((one) => one ?? [])
  const isAll = peek([text], ([said = '']) => toResult(said, ['first', 'last']).startsWith('first'))
  return {
    text: rework(text, (said) => toResult(said, ['']).trim()),
    parts: isAll ? parts : parts.slice(-1),
  }
}

export const notThere = ({ number }: TaskPlace): BotError =>
  new BotError('not-found', `There is no task #${number} any more, or not yet.`)

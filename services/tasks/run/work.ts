// What the steps of a task's own work share: where a rule of its feature is asked, and what it may want done.
import type { Effect, StepEffect } from '#shared/feature/effect.ts'
import type { Asking } from '#shared/feature/feature.ts'
import type { Access } from '#shared/feature/ports.ts'
import { peek, rework, toOurs, type Kept, type Ours } from '#shared/feature/kept.ts'
import { toId, type TaskGraph } from '#services/tasks/graph/graph.ts'
import { next } from '#services/tasks/graph/states.ts'
import { change, type TaskChange, type TaskOwn } from './own.ts'
import { findGraph, graphName, orderName } from './texts.ts'

export type TaskDeps = {
  /** ms since 1970. */
  now(): number
  /** Whether a person may use the bot in a conversation. */
  mayTalk: Access['mayTalk']
  isClosed: Access['isClosed']
}
export type Work = Asking<TaskOwn>
export type TaskEffect = Effect<TaskChange>
export type TaskStep = StepEffect<TaskChange>

/**
 * The task goes on once this step is stored: by an event of its own, so that what people said meanwhile comes first. It carries nothing, so that it comes of
 * no message. `again`: instead, the card that the task waits with is shown once more.
 */
export const goOnLater = ({ asker }: Pick<TaskOwn, 'asker'>, letter: 'next' | 'again' = 'next'): TaskStep => ({
  kind: 'signal',
  to: 'self',
  letter,
  payload: '',
  serves: asker,
})

/** Who answers a card of a paused task wants it to go on: the card that told of the pause is over then. */
export const woken = ({ machine }: Pick<TaskOwn, 'machine'>): Woken =>
  machine.current_state === 'PAUSED'
    ? { machine: next(machine, 'user_resume'), effects: [{ kind: 'cancel', which: { topic: 'paused' } }] }
    : { machine, effects: [] }
type Woken = { readonly machine: TaskOwn['machine']; readonly effects: readonly TaskStep[] }

/** How each turn of the task begins: for whom ordered it, where others read along or not. */
export const toTurn = (about: Work['about'], { asker, group }: Pick<TaskOwn, 'asker' | 'group'>) =>
  ({ about, serves: asker, isOwn: true, depth: 'deep', ...(group ? { group } : {}) }) as const

/** The order as people gave it. Empty where it is kept no more. */
export async function findOrder(work: Work): Promise<Kept> {
  return (await work.findArtifact(orderName)) ?? work.keep('')
}

/** What work needs of its task's texts. */
export type Papers = { readonly order: Kept; readonly graph: Kept<TaskGraph> }

/** Undefined before there is a plan, and where it is kept no more, since a message that it came of was forgotten. */
export async function findPapers(work: Work): Promise<Papers | undefined> {
  const isThere = work.slice.generation > 0 && (await work.findArtifact(graphName)) !== undefined
  return isThere ? await openPapers(work) : undefined
}

/** For a task whose plan is kept: `findPapers` says whether it is. */
export async function openPapers(work: Work): Promise<Papers> {
  const [order, graph] = await Promise.all([findOrder(work), findGraph(work)])
  return { order, graph }
}

/** The id of the node that this finds, by its place in the plan; ids are ours. */
export function nodeAt(graph: Kept<TaskGraph>, find: (graph: TaskGraph) => string | undefined): Ours | undefined {
  const number = peek([graph], ([one]) => {
    const id = one && find(one)
    return id === undefined ? undefined : Number(id.slice(2))
  })
  return number === undefined ? undefined : toOurs(toId(number))
}

/** How many steps are done, and how many there are. */
export const countSteps = (graph: Kept<TaskGraph>): { readonly done: number; readonly all: number } =>
  peek([graph], ([one]) => ({
    done: one?.nodes.filter(({ status }) => status === 'done' || status === 'skipped').length ?? 0,
    all: one?.nodes.length ?? 0,
  }))

/** The same where there may be no plan. */
export const countOf = (papers: Papers | undefined): ReturnType<typeof countSteps> =>
  papers ? countSteps(papers.graph) : { done: 0, all: 0 }

export const moved = (graph: Kept<TaskGraph>, move: (graph: TaskGraph) => TaskGraph): Kept<TaskGraph> =>
  rework(graph, move)

export const set = (changed: TaskChange): TaskStep => change(changed)

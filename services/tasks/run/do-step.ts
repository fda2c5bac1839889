// One step of a task: the turn that does it, with a context of its own (the order, the plan, what the steps came to that it builds on, what people said),
// and what is kept of its end.
import type { TurnEffect } from '#shared/feature/effect.ts'
import type { OutsideWrite } from '#shared/feature/left.ts'
import { mostUnsure } from '#shared/run/approval.ts'
import { peek, rework, tellTurn, type Kept, type Ours } from '#shared/feature/kept.ts'
import { toId, type TaskGraph } from '#services/tasks/graph/graph.ts'
import { begin } from '#services/tasks/graph/progress.ts'
import type { TaskOwn } from './own.ts'
import { showProgress } from './progress-card.ts'
import { cutMiddle } from './cut-middle.ts'
import { toStepPrompt, type Done } from './prompts.ts'
import { tellHome } from './tell-home.ts'
import type { Whiteboard } from '#services/tasks/graph/whiteboard.ts'
import { findBoard, findWrites, keepGraph, outputName, outputsOf, type Output } from './texts.ts'
import { toWhiteboard } from './whiteboard-now.ts'
import { countSteps, moved, set, toTurn, type Papers, type TaskDeps, type TaskEffect, type Work } from './work.ts'

/** Of what the nearest step before it came to, and of each other that it builds on. */
const nearChars = 6000
const farChars = 1500
const wholeChars = 4000
const mostBuiltOn = 12
/** What features look for, characters. */
export const mostSought = 2000

export type Part =
  | { readonly kind: 'order'; readonly text: string }
  | { readonly kind: 'graph'; readonly graph: TaskGraph }
  | { readonly kind: 'result'; readonly id: string; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'board'; readonly board: Whiteboard }
  | { readonly kind: 'made'; readonly writes: readonly OutsideWrite[] }

export async function doStep(
  { now }: TaskDeps,
  work: Work,
  { order, graph }: Papers,
  { id, own }: { readonly id: Ours; readonly own: TaskOwn },
): Promise<readonly TaskEffect[]> {
  const { slice, about, language } = work
  const begun = moved(graph, (one) => begin(one, id, now()))
  const isAgain = slice.node === id && slice.outcome !== 'done'
  const parts: readonly Kept<Part>[] = [
    rework(order, (text): Part => ({ kind: 'order', text })),
    rework(begun, (one): Part => ({ kind: 'graph', graph: one })),
    ...(await findResults(work, builtOn(begun, id))),
    rework(await findBoard(work), (board): Part => ({ kind: 'board', board })),
    ...slice.notes.map((note) => rework(note, (text): Part => ({ kind: 'note', text }))),
    ...(isAgain ? await findMade(work) : []),
  ]
  return [
    keepGraph(begun, work),
    ...showProgress(work, { order, graph: begun }, own),
    set({
      phase: 'step',
      outcome: 'none',
      waits: 'nothing',
      node: id,
      tries: isAgain ? slice.tries : 0,
      writingSince: isAgain ? slice.writingSince : slice.writing,
      loop: slice.loop + 1,
      isMarked: false,
      noted: slice.notes.length,
    }),
    tellHome(own, countSteps(begun)),
    tellTurn(parts, toTurn(about, slice), (all) => ({
      text: toPrompt(all, { id, slice, language }),
      seeks: toSought(all, id),
      ...toUnsure(all),
    })),
  ]
}

/** What earlier tries of the step have changed outside. */
async function findMade(work: Work): Promise<readonly Kept<Part>[]> {
  const { writes, writingSince } = work.slice
  const made = writes.filter(({ nth }) => nth >= writingSince)
  const found = await Promise.all(made.map(async ({ nth }) => await findWrites(work, nth)))
  return found.flatMap((one) => (one ? [rework(one, (all): Part => ({ kind: 'made', writes: all }))] : []))
}

const madeIn = (all: readonly Part[]): readonly OutsideWrite[] =>
  all.flatMap((one) => (one.kind === 'made' ? one.writes : []))

/** Made again as they were, these have the keys that they had, or wait for a person: nothing is done twice. */
function toUnsure(all: readonly Part[]): Pick<TurnEffect, 'unsure'> {
  const unsure = madeIn(all).flatMap(({ name, again }) =>
    again ? [{ name, arguments: again.arguments, key: again.key }] : [],
  )
  return unsure.length > 0 ? { unsure: unsure.slice(-mostUnsure.calls) } : {}
}

export const toOrder = (all: readonly Part[]): string =>
  all.flatMap((one) => (one.kind === 'order' ? [one.text] : [])).join('')

/** What is looked for in memory: what this step is about, and not all that its prompt has. */
function toSought(all: readonly Part[], id: string): string {
  const nodes = all.flatMap((one) => (one.kind === 'graph' ? one.graph.nodes : []))
  const found = nodes.find((one) => one.id === id)
  return [found?.title, found?.task].join('\n').slice(0, mostSought).toWellFormed()
}

function toPrompt(
  all: readonly Part[],
  { id, slice, language }: Pick<Work, 'slice' | 'language'> & { id: string },
): string {
  const order = toOrder(all)
  const graph = all.flatMap((one) => (one.kind === 'graph' ? [one.graph] : []))[0]
  const node = graph?.nodes.find((one) => one.id === id)
  if (!graph || !node) return order
  const results = toDone(all, graph)
  const notes = all.flatMap((one) => (one.kind === 'note' ? [one.text] : []))
  const written = all.flatMap((one) => (one.kind === 'board' ? [one.board] : []))[0]
  const whiteboard = toWhiteboard(slice, { graph, order, written })
  return toStepPrompt(
    { number: slice.number, order, graph, node, results, notes, made: madeIn(all), whiteboard },
    language,
  )
}

/** Results with the titles of their steps, in the order of the plan. */
export const toDone = (all: readonly Part[], { nodes }: TaskGraph): readonly Done[] =>
  nodes.flatMap(({ id, title }, at) =>
    all.flatMap((one) => (one.kind === 'result' && one.id === id ? [{ number: at + 1, title, text: one.text }] : [])),
  )

/** What the done steps came to that it builds on, all the way, the nearest last. */
function builtOn(graph: Kept<TaskGraph>, id: string): readonly Output[] {
  return peek([graph], ([one]) => {
    if (!one) return []
    const wanted = new Set([id])
    for (const node of one.nodes.toReversed())
      if (wanted.has(node.id)) for (const { from, to } of one.edges) if (to === node.id) wanted.add(from)
    return outputsOf({ ...one, nodes: one.nodes.filter((node) => node.id !== id && wanted.has(node.id)) })
  })
}

/** Their texts; `whole` where each is of the same weight. What is kept no more is left out. */
export async function findResults(
  work: Work,
  outputs: readonly Output[],
  { whole = false }: { readonly whole?: boolean } = {},
): Promise<readonly Kept<Part>[]> {
  const chosen = whole ? outputs : outputs.slice(-mostBuiltOn)
  const found = await Promise.all(
    chosen.map(async (output, at) => {
      const text = await work.findArtifact(outputName(output))
      const chars = whole ? wholeChars : at === chosen.length - 1 ? nearChars : farChars
      const id = toId(output.number)
      return text && [rework(text, (all): Part => ({ kind: 'result', id, text: cutMiddle(all, chars) }))]
    }),
  )
  return found.flatMap((one) => one ?? [])
}

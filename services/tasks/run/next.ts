// What a task does next: decided by its state and its plan alone, at an event that the task sends itself once a step of it is stored. So what people said
// meanwhile comes before it, and a worker that dies leaves an event for the next one.
import type { LetterContext } from '#shared/feature/feature.ts'
import { peek, toOurs } from '#shared/feature/kept.ts'
import type { TaskGraph } from '#services/tasks/graph/graph.ts'
import {
  begin as beginNode,
  fail,
  finish,
  interrupt,
  lookAhead,
  retry,
  setAside,
} from '#services/tasks/graph/progress.ts'
import { planAgain } from './begin.ts'
import { askChange } from './change.ts'
import { showCheckpoint, toVerifying } from './checkpoint.ts'
import { doStep } from './do-step.ts'
import { findHindrance, hindrances, type Hindrance } from './hindrance.ts'
import { deliver, finishTask } from './finish.ts'
import { lookNow, type Point, type TaskOwn } from './own.ts'
import { showProgress } from './progress-card.ts'
import { endAtLimits, isOverLimits } from './limits.ts'
import { next } from '#services/tasks/graph/states.ts'
import { tellHome } from './tell-home.ts'
import { askRecovery, planIsGone } from './recover.ts'
import { askUndo, takenBack } from './undo.ts'
import { withPoint } from './ways.ts'
import { pick, toName } from '#services/tasks/words.ts'
import { keepGraph, outputKey, outputName, pointName } from './texts.ts'
import {
  countOf,
  countSteps,
  findPapers,
  goOnLater,
  moved,
  nodeAt,
  openPapers,
  set,
  type Papers,
  type TaskDeps,
  type TaskEffect,
  type Work,
} from './work.ts'

const mostTries = 3

/** A task that stood still for so long says that it goes on. */
const interruptedMs = 600_000

export async function goOn(deps: TaskDeps, work: LetterContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const effects = await decide(deps, work)
  const stoodMs = deps.now() - work.event.at
  if (stoodMs < interruptedMs || effects.length === 0) return effects
  return [...toInterrupted(work, stoodMs), ...effects]
}

function toInterrupted({ slice, language }: Work, stoodMs: number): readonly TaskEffect[] {
  const minutes = Math.round(stoodMs / 60_000)
  const text = pick(language, {
    zh: `${toName(slice.number, language)} 停了 ${minutes} 分钟，现在从做完的地方接着做。`,
    en: `${toName(slice.number, language)} stood still for ${minutes} minutes. It goes on now from what was done.`,
  })
  return [{ kind: 'send', text }]
}

const isAtRest = ({ machine }: TaskOwn): boolean => ['COMPLETED', 'ERROR', 'PAUSED'].includes(machine.current_state)

async function decide(deps: TaskDeps, work: LetterContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { slice } = work
  if (isAtRest(slice)) return []
  if (slice.waits !== 'nothing' || slice.outcome === 'waits' || slice.outcome === 'none') return []
  const hindrance = await findHindrance(deps, work)
  if (hindrance !== undefined) return await pauseFor(work, hindrance)
  if (slice.phase === 'plan') return slice.outcome === 'done' ? await startWork(deps, work) : await planOrAsk(work)
  const papers = await findPapers(work)
  if (!papers) return await planIsGone(work)
  if (slice.phase === 'undo') return await takenBack(work)
  if (slice.undos.length > 0) return await askUndo(work)
  if (isOverLimits(slice)) return await endAtLimits(work, papers)
  if (slice.outcome === 'failed') return await tryAgain(deps, work, papers)
  if (slice.phase === 'result')
    return slice.outcome === 'done' ? await deliver(work, papers) : await finishTask(work, papers)
  return slice.outcome === 'done' ? await afterStep(deps, work, papers) : await onward(deps, work, papers)
}

async function pauseFor(work: Work, hindrance: Hindrance): Promise<readonly TaskEffect[]> {
  const { slice, language } = work
  const why = pick(language, hindrances[hindrance])
  const text = pick(language, {
    zh: `${toName(slice.number, language)} 已暂停：${why}。/task ${slice.number} resume 可以继续。`,
    en: `${toName(slice.number, language)} is paused: ${why}. /task ${slice.number} resume goes on.`,
  })
  const own = { ...slice, machine: next(slice.machine, 'user_interrupt') }
  const counted = countOf(await findPapers(work))
  return [{ kind: 'send', text }, set({ machine: own.machine }), tellHome(own, counted)]
}

/** The card that people went away from, or that was open when the task was paused. */
export async function showWhatWaits(work: Work): Promise<readonly TaskEffect[]> {
  const { slice } = work
  if (isAtRest(slice) || slice.waits === 'nothing') return []
  if (slice.waits === 'words') return [askChange(work)]
  if (slice.waits === 'recovery' && slice.phase === 'plan') return await askRecovery(work, undefined)
  const papers = await findPapers(work)
  if (!papers) return await planIsGone(work)
  if (slice.waits === 'recovery') return await askRecovery(work, papers)
  if (slice.waits === 'undo') return await askUndo(work)
  return slice.waits === 'checkpoint' ? await showCheckpoint(work, papers, slice) : []
}

const planOrAsk = async (work: Work): Promise<readonly TaskEffect[]> =>
  work.slice.outcome !== 'failed' || work.slice.tries + 1 < mostTries
    ? await planAgain(work)
    : await askRecovery(work, undefined)

/** The plan stands: its card is shown, and the first step begins. */
async function startWork(deps: TaskDeps, work: Work): Promise<readonly TaskEffect[]> {
  const papers = await openPapers(work)
  const { generation, tree, writing } = work.slice
  const point: Point = { step: 0, generation, tree, writes: writing }
  const kept = [keepGraph(papers.graph, work, pointName(point)), set({ outcome: 'taken', node: toOurs('') })]
  const own = { ...work.slice, points: withPoint(work.slice, point) }
  return await begin(deps, work, { papers, own, kept })
}

/** A step is done: what it leads to is a checkpoint, the next step, or the end. */
async function afterStep(deps: TaskDeps, work: Work, { order, graph }: Papers): Promise<readonly TaskEffect[]> {
  const { slice } = work
  const outputs = {
    named: [
      { name: outputKey, artifact: outputName({ number: Number(slice.node.slice(2)), generation: slice.generation }) },
    ],
  }
  const metrics = { costUsd: 0, tokens: 0, nowMs: deps.now() }
  const done = moved(graph, (one) =>
    finish(atWork(one, slice.node, deps.now()), slice.node, { summary: '', outputs, metrics }),
  )
  const papers = { order, graph: done }
  const { done: step } = countSteps(done)
  const { generation, tree, writing } = slice
  const point: Point = { step, generation, tree, writes: writing }
  const kept = [keepGraph(done, work), keepGraph(done, work, pointName(point)), set({ outcome: 'taken' })]
  const own = { ...slice, since: slice.since + 1, points: withPoint(slice, point) }
  const counted = { since: own.since, points: own.points }
  if (isDue(own, papers))
    return [
      ...kept,
      set(counted),
      ...showProgress(work, papers, { ...own, machine: toVerifying(own.machine) }),
      ...(await showCheckpoint(work, papers, own)),
    ]
  return await begin(deps, work, { papers, own, kept })
}

/** One that was given up is done after all, since what it waited for came late. */
function atWork(graph: TaskGraph, id: string, nowMs: number): TaskGraph {
  const hasFailed = graph.nodes.some((node) => node.id === id && node.status === 'failed')
  return hasFailed ? beginNode(retry(graph, id), id, nowMs) : graph
}

/** Whether people are to look now: since the plan says so, the model did, so many steps are done, or they wanted this step otherwise. */
function isDue({ every, since, isMarked, node }: TaskOwn, { graph }: Papers): boolean {
  const isPlanned = peek([graph], ([one]) => one?.nodes.find(({ id }) => id === node)?.checkpoint === true)
  return isPlanned || isMarked || since >= (every > 0 ? every : lookNow)
}

/** The next step that may begin; the end where none is left. */
async function begin(
  deps: TaskDeps,
  work: Work,
  { papers, own, kept = [] }: { readonly papers: Papers; readonly own: TaskOwn; readonly kept?: readonly TaskEffect[] },
): Promise<readonly TaskEffect[]> {
  const id = nodeAt(papers.graph, (graph) => {
    const outlook = lookAhead(graph)
    return outlook.kind === 'ready' ? outlook.ids[0] : undefined
  })
  const counted = set({ since: own.since, points: own.points })
  const isComplete = peek([papers.graph], ([graph]) => graph !== undefined && lookAhead(graph).kind === 'completed')
  if (id !== undefined) {
    const step = await doStep(deps, work, papers, { id, own })
    return [...kept, counted, ...step]
  }
  if (!isComplete) return [...kept, counted, ...(await askRecovery(work, papers))]
  return [...kept, counted, ...(await finishTask(work, papers))]
}

/** After a checkpoint, a pause or a rollback: the next step begins, which is the same once more where people want it otherwise or stopped it. */
async function onward(deps: TaskDeps, work: Work, papers: Papers): Promise<readonly TaskEffect[]> {
  const { slice } = work
  const graph = moved(papers.graph, (one) => toStart(one, slice))
  return await begin(deps, work, { papers: { ...papers, graph }, own: slice })
}

function toStart(graph: TaskGraph, { node, outcome }: TaskOwn): TaskGraph {
  const place = graph.nodes.findIndex(({ id }) => id === node)
  const status = graph.nodes[place]?.status
  if (status === 'running') return interrupt(graph, node)
  if (outcome === 'stopped' && status === 'failed') return retry(graph, node)
  const isAgain = (outcome === 'again' && status === 'done') || (outcome === 'stopped' && status === 'skipped')
  return isAgain ? setAside(graph, place).graph : graph
}

/** The step has failed, and people are asked. */
async function giveUp(deps: TaskDeps, work: Work, { order, graph }: Papers): Promise<readonly TaskEffect[]> {
  const { slice } = work
  const failure = { text: slice.why, isRetryable: false, metrics: { costUsd: 0, tokens: 0, nowMs: deps.now() } }
  const isRunning = (one: TaskGraph): boolean =>
    one.nodes.some(({ id, status }) => id === slice.node && status === 'running')
  const failed = moved(graph, (one) => (isRunning(one) ? fail(one, slice.node, failure).graph : one))
  return [keepGraph(failed, work), ...(await askRecovery(work, { order, graph: failed }))]
}

/** A step that failed is tried again, so often; then people are asked. */
async function tryAgain(deps: TaskDeps, work: Work, papers: Papers): Promise<readonly TaskEffect[]> {
  const { slice } = work
  if (slice.tries + 1 >= mostTries) return await giveUp(deps, work, papers)
  const tries = slice.tries + 1
  if (slice.phase === 'result') return [...(await finishTask(work, papers)), set({ tries })]
  const graph = moved(papers.graph, (one) => interrupt(one, slice.node))
  return [...(await doStep(deps, work, { ...papers, graph }, { id: slice.node, own: slice })), set({ tries })]
}

/** What the task was doing ended its workers again and again, and was set aside: people say how it goes on. */
export async function lose(deps: TaskDeps, work: Work): Promise<readonly TaskEffect[]> {
  const { slice } = work
  const isEnd = slice.machine.current_state === 'COMPLETED' || slice.machine.current_state === 'ERROR'
  if (slice.number === 0 || isEnd) return []
  const own = { ...slice, outcome: 'failed' as const, why: toOurs('set-aside') }
  const lost = { ...work, slice: own }
  const changed = set({ outcome: own.outcome, why: own.why })
  if (slice.generation === 0) return [changed, ...(await askRecovery(lost, undefined))]
  const papers = await findPapers(lost)
  return [changed, ...(papers ? await giveUp(deps, lost, papers) : await planIsGone(lost))]
}

/** Nobody approved or answered what a step asked for: people say how it goes on. */
export async function stopWaiting(deps: TaskDeps, work: Work): Promise<readonly TaskEffect[]> {
  const { slice } = work
  if (slice.outcome !== 'waits' || slice.machine.current_state === 'PAUSED') return []
  const failed = { outcome: 'failed', why: toOurs('waited') } as const
  const papers = slice.phase === 'step' ? await findPapers(work) : undefined
  if (!papers) return [set(failed), goOnLater(slice)]
  return [set(failed), ...(await giveUp(deps, { ...work, slice: { ...slice, ...failed } }, papers))]
}

// A task that cannot go on by itself asks (seed 000 §6.5): what failed, what was tried, and what each button does.
import type { AnswerContext } from '#shared/feature/feature.ts'
import { peek, rework, tellAsking } from '#shared/feature/kept.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { toChosen, toWho } from '#shared/feature/who-answered.ts'
import { next } from '#services/tasks/graph/states.ts'
import type { TaskGraph } from '#services/tasks/graph/graph.ts'
import { lookAhead, skip, unblock } from '#services/tasks/graph/progress.ts'
import { labels, pick, toName, toOption, toWhy } from '#services/tasks/words.ts'
import type { TaskOwn } from './own.ts'
import { showProgress } from './progress-card.ts'
import { recoveries, type Trouble } from './recovery-words.ts'
import { askWhere, beginAnew } from './rollback.ts'
import { cancel } from './steer.ts'
import { findGraph, graphName, keepGraph, resultName } from './texts.ts'
import { tellHome } from './tell-home.ts'
import { countSteps, goOnLater, moved, set, woken, type Papers, type TaskEffect, type Work } from './work.ts'

const deadlineMs = 30 * 86_400_000
const titleChars = 120

/** `papers` are undefined where no plan came about. */
export async function askRecovery(work: Work, papers: Papers | undefined): Promise<readonly TaskEffect[]> {
  const { slice, language, keep } = work
  const trouble = papers ? findTrouble(slice, papers) : (await hadPlan(work)) ? 'forgotten' : 'plan'
  const title = papers ? rework(papers.graph, (graph) => toTitle(graph, slice.node, trouble)) : keep('')
  const { what, help, options } = recoveries[trouble]
  const tried =
    trouble === 'blocked' || trouble === 'forgotten'
      ? []
      : [
          pick(language, {
            zh: `试了 ${slice.tries + 1} 次；最后一次：${toWhy(slice.why, 'zh')}。`,
            en: `Tried ${slice.tries === 0 ? 'once' : `${slice.tries + 1} times; the last time`}: ${toWhy(slice.why, 'en')}.`,
          }),
        ]
  const asked = {
    question: 'recovery',
    options: options.map((row) => row.map((id) => toOption(id, language))),
    payload: '',
    owner: slice.asker,
    admins: true,
    topic: 'recovery',
    deadlineMs,
  } as const
  const own = { ...slice, waits: 'recovery' as const }
  return [
    ...(papers ? showProgress(work, papers, own) : []),
    tellAsking([title], asked, ([name = '']) =>
      [
        `**${toName(slice.number, language)}**`,
        [pick(language, what), ...(name === '' ? [] : [toInertLine(name, titleChars)])].join(
          pick(language, { zh: '：', en: ': ' }),
        ),
        ...tried,
        pick(language, help),
      ].join('\n\n'),
    ),
    set({ waits: 'recovery' }),
    tellHome(own, papers ? countSteps(papers.graph) : { done: 0, all: 0 }),
  ]
}

/** The plan went with a message that it came of, and what the steps came to may have gone, too: people are told, and may have it planned anew. */
export async function planIsGone(work: Work): Promise<readonly TaskEffect[]> {
  const { machine: before } = work.slice
  const isPlanning = before.current_state === 'PLANNING' || before.current_state === 'REPLANNING'
  const machine = isPlanning ? before : next(before, 'replanning_requested')
  const changed = { phase: 'plan', outcome: 'failed', machine, undos: [], notes: [] } as const
  const own = { ...work.slice, ...changed, waits: 'recovery' as const }
  return [
    ...(await askRecovery({ ...work, slice: own }, undefined)),
    set(changed),
    { kind: 'cancel', which: { topic: 'checkpoint' } },
    { kind: 'cancel', which: { topic: 'rollback' } },
  ]
}

/** Its plan was forgotten. */
const hadPlan = async (work: Work): Promise<boolean> =>
  work.slice.generation > 0 && (await work.findArtifact(graphName)) === undefined

const statusOf = ({ nodes }: TaskGraph, id: string) => nodes.find((node) => node.id === id)?.status

/** A step that was left out keeps those that build on it from being done. */
function findTrouble({ phase, node }: TaskOwn, { graph }: Papers): Trouble {
  if (phase === 'result') return 'result'
  const hasFailed = peek([graph], ([one]) => one !== undefined && statusOf(one, node) === 'failed')
  const isStuck = peek([graph], ([one]) => one !== undefined && lookAhead(one).kind === 'stuck')
  return hasFailed ? 'step' : isStuck ? 'blocked' : 'between'
}

function toTitle({ nodes }: TaskGraph, node: string, trouble: Trouble): string {
  if (trouble === 'result' || trouble === 'between') return ''
  const found = nodes.find(({ id, status }) => (trouble === 'blocked' ? status === 'blocked' : id === node))
  return found?.title ?? ''
}

export async function answerRecovery(context: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, slice, language } = context
  const choice = (['retry', 'skip', 'without', 'rollback', 'restart', 'cancel'] as const).find(
    (one) => one === event.choice,
  )
  if (slice.waits !== 'recovery' || choice === undefined) return []
  if (choice === 'rollback') return await askWhere(context)
  if (choice === 'restart') return await beginAnew(context)
  const end: TaskEffect = {
    kind: 'send',
    text: toChosen(toWho(context), labels[choice][language], language),
    inPlace: true,
  }
  if (choice === 'cancel') {
    const [, ...rest] = await cancel(context)
    return [end, ...rest]
  }
  const { machine, effects } = woken(slice)
  const begun = [end, ...effects, goOnLater(slice)]
  if (slice.phase === 'plan') return [...begun, set({ machine, waits: 'nothing', outcome: 'again' })]
  if (choice === 'retry') return [...begun, set({ machine, waits: 'nothing', outcome: 'stopped', tries: 0 })]
  // What the steps came to is given out as it is.
  if (slice.phase === 'result')
    return [
      ...begun,
      { kind: 'artifact', name: resultName, text: '[ALL]' },
      set({ machine, waits: 'nothing', outcome: 'done' }),
    ]
  const graph = moved(await findGraph(context), (one) =>
    choice === 'skip' ? skip(one, slice.node).graph : unblockAll(one),
  )
  return [...begun, keepGraph(graph, context), set({ machine, waits: 'nothing', outcome: 'taken' })]
}

/** Those that were blocked do without what was left out. */
function unblockAll(graph: TaskGraph): TaskGraph {
  let free = graph
  for (;;) {
    const outlook = lookAhead(free)
    const [first] = outlook.kind === 'stuck' ? outlook.blocked : []
    if (first === undefined) return free
    free = unblock(free, first)
  }
}

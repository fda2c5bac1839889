// A task that cannot go on by itself asks (seed 000 §6.5): which step failed, what was tried, and what each button does.
import type { AnswerContext } from '#shared/feature/feature.ts'
import { rework, tellAsking } from '#shared/feature/kept.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { toChosen, toWho } from '#shared/feature/who-answered.ts'
import { skip } from '#services/tasks/graph/progress.ts'
import { next } from '#services/tasks/graph/states.ts'
import { labels, toName, toOption, type Label } from '#services/tasks/words.ts'
import type { TaskOwn } from './own.ts'
import { askWhere } from './rollback.ts'
import { findGraph, keepGraph } from './texts.ts'
import { tellHome } from './tell-home.ts'
import { countSteps, goOnLater, moved, set, type Papers, type TaskEffect, type Work } from './work.ts'

const deadlineMs = 30 * 86_400_000

/** `papers` are undefined where no plan came about. */
export async function askRecovery(work: Work, papers: Papers | undefined): Promise<readonly TaskEffect[]> {
  const { slice, language, keep } = work
  const title = papers
    ? rework(papers.graph, ({ nodes }) => nodes.find(({ id }) => id === slice.node)?.title ?? '')
    : keep('')
  const isPlan = slice.phase === 'plan'
  const options: readonly Label[][] = isPlan
    ? [['retry', 'cancel']]
    : [
        ['retry', 'skip'],
        ['rollback', 'cancel'],
      ]
  const what = isPlan
    ? { zh: '没有得到能用的计划。', en: 'No plan that can be used came of it.' }
    : { zh: '这一步没有做成', en: 'This step did not succeed' }
  const tried = {
    zh: `试了 ${slice.tries + 1} 次，最后一次：${slice.why || '—'}。`,
    en: `Tried ${slice.tries + 1} times; the last one ended as: ${slice.why || '—'}.`,
  }
  const help = isPlan
    ? { zh: '重试：再定一次计划。取消：结束任务。', en: 'Try again: plans once more. Cancel: ends the task.' }
    : {
        zh: '重试：再做这一步。跳过：不做它，依赖它的步骤会卡住。回滚：回到之前的步骤。取消：结束任务，已有的结果留着。',
        en: 'Try again: does this step once more. Skip: leaves it out, and what builds on it is blocked. Roll back: goes to an earlier step. Cancel: ends the task, and keeps what there is.',
      }
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
    tellAsking([title], asked, ([name = '']) =>
      [
        `**${toName(slice.number, language)}**`,
        [what[language], ...(name === '' ? [] : [toInertLine(name, 120)])].join(language === 'zh' ? '：' : ': '),
        tried[language],
        help[language],
      ].join('\n\n'),
    ),
    set({ waits: 'recovery' }),
    tellHome(own, papers ? countSteps(papers.graph) : { done: 0, all: 0 }),
  ]
}

export async function answerRecovery(context: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, slice, language } = context
  const choice = (['retry', 'skip', 'rollback', 'cancel'] as const).find((one) => one === event.choice)
  if (slice.waits !== 'recovery' || choice === undefined) return []
  const end: TaskEffect = {
    kind: 'send',
    text: toChosen(toWho(context), labels[choice][language], language),
    inPlace: true,
  }
  if (choice === 'cancel')
    return [
      end,
      set({ waits: 'nothing', machine: next(slice.machine, 'user_cancel') }),
      tellHome({ ...slice, machine: next(slice.machine, 'user_cancel') }, { done: 0, all: 0 }),
    ]
  if (choice === 'rollback') return await askWhere(context)
  if (slice.phase === 'plan') return [end, set({ waits: 'nothing', outcome: 'failed', tries: 0 }), goOnLater(slice)]
  if (choice === 'retry') return [end, set({ waits: 'nothing', outcome: 'stopped', tries: 0 }), goOnLater(slice)]
  const graph = moved(await findGraph(context), (one) => skip(one, slice.node).graph)
  return [end, keepGraph(graph, context), set({ waits: 'nothing', outcome: 'taken' }), goOnLater(slice)]
}

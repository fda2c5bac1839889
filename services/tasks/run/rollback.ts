// The way back (seed 000 §6.2): people choose a step, are shown what would be set aside, and confirm. Nothing is deleted: the plan forks, and what is set
// aside can be gone back to.
import { z } from 'zod'
import type { AnswerContext } from '#shared/feature/feature.ts'
import { peek, rework, tellAsking, toOurs } from '#shared/feature/kept.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { toChosen, toWho } from '#shared/feature/who-answered.ts'
import { readStored } from '#shared/stored-json.ts'
import { next } from '#services/tasks/graph/states.ts'
import { labels, toName, toOption } from '#services/tasks/words.ts'
import { withPoint, type Point, type TaskOwn } from './own.ts'
import { findGraph, keepGraph, pointName } from './texts.ts'
import { tellWrites, toUndos } from './undo.ts'
import { goOnLater, set, showAgain, woken, type TaskEffect, type Work } from './work.ts'

const deadlineMs = 30 * 86_400_000
const mostShown = 8
const titleChars = 40

const wanted = z.object({ step: z.number().int().nonnegative(), generation: z.number().int() })

/** Points that are not where the task stands now, the newest last. */
const pointsOf = ({ points, generation }: TaskOwn, step: number): readonly Point[] =>
  points.filter((one) => one.step !== step || one.generation !== generation).slice(-mostShown)

/** Asks to which step. */
export async function askWhere(work: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { slice, language } = work
  const graph = await findGraph(work)
  const step = peek([graph], ([one]) => one?.nodes.filter(({ status }) => status === 'done').length ?? 0)
  const points = pointsOf(slice, step)
  const name = toName(slice.number, language)
  if (points.length === 0)
    return [
      {
        kind: 'send',
        text: language === 'zh' ? `${name} 还没有可以回到的步骤。` : `${name} has no step to go back to yet.`,
      },
    ]
  const options = points.map((one) => [{ id: toChoice(one), label: toLabel(one, slice, language) }])
  const titles = rework(graph, ({ nodes }) =>
    points
      .map(
        (one) =>
          `- ${toLabel(one, slice, language)}${one.step > 0 ? ` — ${toInertLine(nodes[one.step - 1]?.title ?? '', titleChars)}` : ''}`,
      )
      .join('\n'),
  )
  const asked = {
    question: 'rollback',
    options: [...options, [toOption('back', language)]],
    payload: '',
    owner: slice.asker,
    admins: true,
    topic: 'rollback',
    deadlineMs,
    inPlace: false,
  } as const
  return [
    tellAsking([titles], asked, ([list = '']) =>
      [language === 'zh' ? `${name}：回到哪一步之后？` : `${name}: back to after which step?`, list].join('\n\n'),
    ),
  ]
}

const toChoice = ({ step, generation }: Point): string => `g${generation}s${step}`
const toLabel = ({ step, generation }: Point, own: TaskOwn, language: Work['language']): string => {
  const aside = generation === own.generation ? '' : language === 'zh' ? '（搁置的）' : ' (set aside)'
  return (
    (language === 'zh' ? (step === 0 ? '最开始' : `第 ${step} 步`) : step === 0 ? 'The beginning' : `Step ${step}`) +
    aside
  )
}

/** Shows what a rollback would set aside. */
export async function answerWhere(context: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, slice, language } = context
  const point = slice.points.find((one) => toChoice(one) === event.choice)
  const who = toWho(context)
  if (!point) return [ended(toChosen(who, labels.back[language], language)), goOnLater(slice, showAgain)]
  const graph = await findGraph(context)
  const gone = rework(graph, ({ nodes }) =>
    nodes
      .slice(point.step)
      .filter(({ status }) => status !== 'pending')
      .map(({ title }, at) => `- ${point.step + at + 1}. ${toInertLine(title, titleChars)}`)
      .join('\n'),
  )
  const files =
    point.tree === slice.tree
      ? none(language)
      : language === 'zh'
        ? '工作区的文件回到那一步时的样子。'
        : 'The files of the workspace are as they were then.'
  const asked = {
    question: 'confirm',
    options: [[toOption('confirm', language), toOption('back', language)]],
    payload: JSON.stringify(point),
    owner: slice.asker,
    admins: true,
    topic: 'rollback',
    deadlineMs,
    inPlace: true,
  } as const
  const outside = await tellWrites(context, point)
  return [
    ...(outside ? [outside] : []),
    tellAsking([gone], asked, ([list = '']) =>
      [
        `**${toName(slice.number, language)}** · ${toLabel(point, slice, language)}`,
        list === ''
          ? language === 'zh'
            ? '不会搁置任何步骤。'
            : 'No step is set aside.'
          : `${language === 'zh' ? '这些步骤会被搁置，可以再回来：' : 'These steps are set aside, and can be gone back to:'}\n${list}`,
        files,
      ].join('\n\n'),
    ),
  ]
}

const none = (language: Work['language']): string => (language === 'zh' ? '文件不变。' : 'Files stay as they are.')

/** Goes back: the plan of that step in a new generation, with the workspace of then. */
export async function answerConfirm(context: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, slice, language } = context
  const who = toWho(context)
  if (event.choice !== 'confirm')
    return [ended(toChosen(who, labels.back[language], language)), goOnLater(slice, showAgain)]
  const { step, generation } = readStored('rollback', wanted.loose(), event.payload)
  const point = slice.points.find((one) => one.step === step && one.generation === generation)
  if (!point || isBusy(slice))
    return [
      ended(language === 'zh' ? '现在不能回滚：先暂停任务。' : 'This cannot be done now: pause the task first.'),
      goOnLater(slice, showAgain),
    ]
  const graph = await findGraph(context, pointName(point))
  const machine = next(slice.machine, 'rolled_back')
  const later = slice.generation + 1
  const there: Point = { step, generation: later, tree: point.tree, writes: slice.writing }
  const undos = toUndos(slice, point)
  return [
    ended(toChosen(who, `${labels.confirm[language]}: ${toLabel(point, slice, language)}`, language)),
    keepGraph(graph, context),
    keepGraph(graph, context, pointName(there)),
    set({
      machine,
      generation: later,
      tree: point.tree,
      points: withPoint(slice.points, there),
      phase: 'step',
      node: toOurs(''),
      outcome: 'taken',
      waits: 'nothing',
      undos,
      since: 0,
      notes: [],
    }),
    { kind: 'cancel', which: { topic: 'checkpoint' } },
    { kind: 'cancel', which: { topic: 'recovery' } },
    ...woken(slice).effects,
    goOnLater(slice),
  ]
}

/** A step runs, or has just ended, and what it came to is not in the plan yet. */
function isBusy({ outcome, waits, phase, machine }: TaskOwn): boolean {
  if (outcome === 'none' || outcome === 'waits') return true
  const isAtRest = waits !== 'nothing' || phase === 'none' || machine.current_state === 'PAUSED'
  return !isAtRest && (outcome === 'done' || outcome === 'failed')
}

const ended = (text: string): TaskEffect => ({ kind: 'send', text, inPlace: true })

// The way back (seed 000 §6.2): people choose a step, are shown what would be set aside, and confirm. Nothing is deleted: the plan forks, and what is set
// aside can be gone back to.
import { z } from 'zod'
import type { AnswerContext } from '#shared/feature/feature.ts'
import { rework, tellAsking, toOurs, type Kept } from '#shared/feature/kept.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { OutsideWrite } from '#shared/feature/left.ts'
import { toChosen, toWho } from '#shared/feature/who-answered.ts'
import { readStored } from '#shared/stored-json.ts'
import type { TaskGraph } from '#services/tasks/graph/graph.ts'
import { next } from '#services/tasks/graph/states.ts'
import { labels, pick, toName, toOption } from '#services/tasks/words.ts'
import { findTrees, tellFiles, type Trees } from './files-then.ts'
import { cardLivesMs, keepForks, type Point, type TaskOwn } from './own.ts'
import { findGraph, keepGraph, pointName } from './texts.ts'
import { commonStep, isOnWay } from './ways.ts'
import { toUndos, toWritesText, writesSince } from './undo.ts'
import { countSteps, goOnLater, set, woken, type TaskEffect, type Work } from './work.ts'

const [mostAside, mostBack] = [3, 8]
const titleChars = 40
const wanted = z.looseObject({ step: z.number().int().nonnegative(), generation: z.number().int() })

/** Where people may go: some of what was set aside, then the way back, the newest last. Not to where the task stands. */
function toPlaces(own: TaskOwn, step: number): readonly Point[] {
  const [back, aside] = [own.points.filter((one) => isOnWay(own, one)), own.points.filter((one) => !isOnWay(own, one))]
  return [...aside.slice(-mostAside), ...back.filter((one) => one.step < step).slice(-mostBack)]
}

const toColon = (language: Work['language']): string => pick(language, { zh: '：', en: ': ' })

const toChoice = ({ step, generation }: Pick<Point, 'step' | 'generation'>): string => `g${generation}s${step}`

function toLabel(point: Point, own: TaskOwn, language: Work['language']): string {
  const { step } = point
  const aside = isOnWay(own, point) ? '' : pick(language, { zh: '（搁置的）', en: ' (set aside)' })
  const name = step === 0 ? { zh: '最开始', en: 'The beginning' } : { zh: `第 ${step} 步`, en: `Step ${step}` }
  return `${pick(language, name)}${aside}`
}

/** Asks to which step. */
export async function askWhere(work: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { slice, language } = work
  const graph = await findGraph(work)
  const places = toPlaces(slice, countSteps(graph).done)
  const name = toName(slice.number, language)
  if (places.length === 0) {
    const text = pick(language, { zh: `${name} 还没有可以回到的步骤。`, en: `${name} has no step to go back to yet.` })
    return [{ kind: 'send', text }, goOnLater(slice, 'again')]
  }
  const toTitle = ({ step }: Point, { nodes }: TaskGraph): string =>
    step === 0 ? '' : ` — ${toInertLine(nodes[step - 1]?.title ?? '', titleChars)}`
  const list = rework(graph, (one) =>
    places.map((place) => `- ${toLabel(place, slice, language)}${toTitle(place, one)}`).join('\n'),
  )
  const asked = {
    question: 'rollback',
    options: [
      ...places.map((place) => [{ id: toChoice(place), label: toLabel(place, slice, language) }]),
      [toOption('back', language)],
    ],
    payload: '',
    owner: slice.asker,
    admins: true,
    topic: 'rollback',
    deadlineMs: cardLivesMs,
  } as const
  const head = pick(language, {
    zh: `${name}：回到哪一步做完的时候？`,
    en: `${name}: which step shall it go back to? Its plan and files will be as they were after that step.`,
  })
  return [tellAsking([list], asked, ([text = '']) => [head, text].join('\n\n'))]
}

type Part = { readonly steps: string } | { readonly writes: readonly OutsideWrite[] } | { readonly trees: Trees }

export async function answerWhere(context: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, slice, language } = context
  const point = slice.points.find((one) => toChoice(one) === event.choice)
  if (!point) return [end(context, labels.back[language]), goOnLater(slice, 'again')]
  return await askConfirm(context, point)
}

/** All of it is done once more, with the same plan. */
export async function beginAnew(context: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const start = context.slice.points.find(({ step }) => step === 0)
  return start ? await askConfirm(context, start) : await askWhere(context)
}

/** Shows what a rollback would set aside, and what it cannot change. */
async function askConfirm(context: AnswerContext<TaskOwn>, point: Point): Promise<readonly TaskEffect[]> {
  const { slice, language } = context
  const gone = rework(await findGraph(context), ({ nodes }): Part => {
    const done = nodes.map((node, at) => ({ ...node, at })).slice(commonStep(slice, point))
    const steps = done.filter(({ status }) => status !== 'pending' && status !== 'blocked')
    return { steps: steps.map(({ title, at }) => `- ${at + 1}. ${toInertLine(title, titleChars)}`).join('\n') }
  })
  const writes = (await writesSince(context, point)).map((one) => rework(one, (all): Part => ({ writes: all })))
  const asked = {
    question: 'confirm',
    options: [[toOption('confirm', language), toOption('back', language)]],
    payload: JSON.stringify(point),
    owner: slice.asker,
    admins: true,
    topic: 'rollback',
    deadlineMs: cardLivesMs,
    inPlace: true,
  } as const
  const trees = (await findTrees(context, point.tree)).map((one) => rework(one, (tree): Part => ({ trees: tree })))
  const all: readonly Kept<Part>[] = [gone, ...writes, ...trees]
  return [tellAsking(all, asked, (parts) => toWarning(parts, { point, slice, language }))]
}

function toWarning(
  parts: readonly Part[],
  { point, slice, language }: Pick<Work, 'slice' | 'language'> & { readonly point: Point },
): string {
  const steps = parts.flatMap((part) => ('steps' in part && part.steps !== '' ? [part.steps] : [])).join('\n')
  const writes = parts.flatMap((part) => ('writes' in part ? part.writes : []))
  const aside = pick(language, {
    zh: '这些步骤会被搁置，以后还可以回到它们：',
    en: 'These steps will be set aside; you can go back to them later:',
  })
  const files =
    point.tree === slice.tree
      ? { zh: '文件不变。', en: 'The files stay as they are.' }
      : { zh: '工作区的文件会回到那时的样子。', en: 'The files of the workspace will be as they were then.' }
  return [
    `**${toName(slice.number, language)}** · ${pick(language, { zh: '回到', en: 'Back to' })}${toColon(language)}${toLabel(point, slice, language)}`,
    steps === ''
      ? pick(language, { zh: '不会搁置任何步骤。', en: 'No step will be set aside.' })
      : `${aside}\n${steps}`,
    [
      pick(language, files),
      ...tellFiles(
        parts.flatMap((part) => ('trees' in part ? [part.trees] : [])),
        language,
      ),
    ].join('\n'),
    ...toWritesText(writes, language),
  ].join('\n\n')
}

/** Goes back: the plan as it stood there in a new generation, with the workspace of then. */
export async function answerConfirm(context: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, slice, language } = context
  if (event.choice !== 'confirm') return [end(context, labels.back[language]), goOnLater(slice, 'again')]
  const { step, generation } = readStored('rollback', wanted, event.payload)
  const point = slice.points.find((one) => one.step === step && one.generation === generation)
  const isKept = point !== undefined && (await context.findArtifact(pointName(point))) !== undefined
  if (!isKept || isBusy(slice)) {
    const text = pick(language, isKept ? busy : unkept)
    return [{ kind: 'send', text, inPlace: true }, goOnLater(slice, 'again')]
  }
  const graph = await findGraph(context, pointName(point))
  const later = Math.max(slice.generation, ...slice.forks.map((one) => one.generation)) + 1
  return [
    end(context, `${labels.confirm[language]}${toColon(language)}${toLabel(point, slice, language)}`),
    keepGraph(graph, context),
    set({
      machine: next(slice.machine, 'rolled_back'),
      generation: later,
      forks: keepForks([...slice.forks, { generation: later, from: generation, step }]),
      tree: point.tree,
      phase: 'step',
      node: toOurs(''),
      outcome: 'taken',
      waits: 'nothing',
      undos: toUndos(slice, point),
      since: 0,
      notes: [],
    }),
    { kind: 'cancel', which: { topic: 'checkpoint' } },
    { kind: 'cancel', which: { topic: 'recovery' } },
    ...woken(slice).effects,
    goOnLater(slice),
  ]
}

const busy = { zh: '现在不能回滚：先暂停任务。', en: 'This cannot be done now: pause the task first.' }
const unkept = {
  zh: '回不到这一步了：它用到的一条消息被删除或忘记了。',
  en: 'This step is gone: a message that it used was deleted or forgotten.',
}

/** A step runs, or has just ended, and what it came to is not in the plan yet. */
function isBusy({ outcome, waits, phase, machine }: TaskOwn): boolean {
  if (outcome === 'none' || outcome === 'waits') return true
  const isAtRest = waits !== 'nothing' || phase === 'none' || machine.current_state === 'PAUSED'
  return !isAtRest && (outcome === 'done' || outcome === 'failed')
}

const end = (context: AnswerContext<TaskOwn>, what: string): TaskEffect => ({
  kind: 'send',
  text: `**${toName(context.slice.number, context.language)}** · ${toChosen(toWho(context), what, context.language)}`,
  inPlace: true,
})

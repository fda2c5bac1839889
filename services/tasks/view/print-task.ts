// How a task is told in a chat: where it is, its plan, and its steps one by one. Pure. Titles and what tools found are anybody's words: they are shown inert.
import type { Language } from '#shared/chat/message.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { TaskGraph } from '#services/tasks/graph/graph.ts'
import { toLines, toMermaid } from '#services/tasks/graph/mermaid.ts'
import type { TaskOwn } from '#services/tasks/run/own.ts'
import type { LoggedCall, StepLog } from '#services/tasks/run/step-log.ts'
import { pick, toName, toStateName } from '#services/tasks/words.ts'
import { toCount, toLeft, toOutlookWords, toSpan } from './print-words.ts'
import type { RunningTurn } from './task-reader.ts'
import { isAskingPeople, toNext, toOutlook, toSteps, type StepView } from './task-view.ts'

const titleChars = 80
const headChars = 120
/** Of one turn. */
const mostCalls = 12

/** What is shown of it, and when. `endsAt` and `nowMs` are by Redis' clock. */
export type Shown = {
  readonly own: TaskOwn
  readonly title: string
  readonly graph: TaskGraph | undefined
  readonly running: RunningTurn | undefined
  readonly endsAt: number | undefined
  readonly nowMs: number
}

export function printWhere({ own, title, graph, running, endsAt, nowMs }: Shown, language: Language): string {
  const steps = graph ? toSteps(graph, own) : []
  const outlook = toOutlook(own, steps)
  const after = steps.find(({ number }) => number === toNext(steps, outlook.kind === 'paused'))
  const isOver = own.machine.current_state === 'COMPLETED' || own.machine.current_state === 'ERROR'
  const isStuck = outlook.kind === 'waits' && outlook.waits === 'recovery'
  const next = after && !isOver && !isStuck ? toAfter(after, language) : ''
  const busy = outlook.kind === 'work' && running ? toBusy(running, nowMs, language) : ''
  const left = outlook.kind === 'waits' ? toLeft(endsAt, nowMs, language) : ''
  return [
    toHead(own, title, steps, language),
    [toOutlookWords(outlook, own.number, language), busy, left].filter(Boolean).join(' '),
    next,
    toSpent(own, nowMs, language),
  ]
    .filter(Boolean)
    .join('\n\n')
}

export const printPlan = (graph: TaskGraph, number: number, language: Language): string =>
  [
    `**${toName(number, language)}**`,
    toLines(graph, language).join('\n'),
    `\`\`\`mermaid\n${toMermaid(graph)}\n\`\`\``,
  ].join('\n\n')

function toHead(own: TaskOwn, title: string, steps: readonly StepView[], language: Language): string {
  const done = steps.filter(({ status }) => status === 'done' || status === 'skipped').length
  const state = toStateName(own.machine.current_state, isAskingPeople(own), language)
  return [
    `**${toName(own.number, language)}**`,
    state,
    ...(steps.length > 0 ? [`${done}/${steps.length}`] : []),
    toInertLine(title, titleChars),
  ]
    .filter(Boolean)
    .join(' · ')
}

const toAfter = ({ number, title }: StepView, language: Language): string =>
  pick(language, {
    zh: `接下来：第 ${number} 步，${toInertLine(title, titleChars)}`,
    en: `Next: step ${number}, ${toInertLine(title, titleChars)}`,
  })

const toBusy = ({ begunAt, calls, left }: RunningTurn, nowMs: number, language: Language): string => {
  const count = calls.length + left
  const span = toSpan(Math.max(0, nowMs - begunAt), language)
  return pick(language, {
    zh: `已经 ${span}${count > 0 ? `，用了 ${count} 次工具` : ''}。`,
    en: `For ${span} so far${count > 0 ? `, with ${count} ${count === 1 ? 'call' : 'calls'} of tools` : ''}.`,
  })
}

const toSpent = ({ tokens, workMs, begunAt }: TaskOwn, nowMs: number, language: Language): string =>
  pick(language, {
    zh: `${toCount(tokens, language)} · 工作 ${toSpan(workMs, language)} · ${toSpan(Math.max(0, nowMs - begunAt), language)}前开始`,
    en: `${toCount(tokens, language)} · ${toSpan(workMs, language)} of work · started ${toSpan(Math.max(0, nowMs - begunAt), language)} ago`,
  })

/** Each step, with what its turns did; what is at work is told as far as it has come. */
export function printSteps(shown: Shown & { readonly logs: readonly StepLog[] }, language: Language): string {
  const { own, title, graph, logs } = shown
  const steps = graph ? toSteps(graph, own) : []
  const isOf = (step: StepView | undefined, { what, number, generation }: StepLog): boolean =>
    what === 'step' && number === step?.id && generation === (step.output?.generation ?? own.generation)
  const known = new Set(steps.flatMap((step) => logs.filter((log) => isOf(step, log))))
  const rest = (what: StepLog['what']) => logs.filter((log) => log.what === what && !known.has(log))
  return [
    `${toHead(own, title, steps, language)}\n`,
    ...printTurns(pick(language, { zh: '定计划', en: 'Planning' }), rest('plan'), language),
    ...steps.flatMap((step) => printStep(step, { ...shown, logs: logs.filter((log) => isOf(step, log)) }, language)),
    ...printTurns(pick(language, { zh: '撤销', en: 'Taking back' }), rest('undo'), language),
    ...printTurns(pick(language, { zh: '收尾', en: 'The result' }), rest('result'), language),
    ...printAside(rest('step'), steps, language),
    ...(own.phase === 'step' ? [] : printRunning(shown, language)),
  ].join('\n')
}

const statusNames: Readonly<Record<StepView['status'], { readonly zh: string; readonly en: string }>> = {
  pending: { zh: '还没开始', en: 'to come' },
  running: { zh: '进行中', en: 'at work' },
  done: { zh: '做完', en: 'done' },
  failed: { zh: '没有做成', en: 'failed' },
  blocked: { zh: '卡住', en: 'blocked' },
  skipped: { zh: '跳过', en: 'left out' },
}

function printStep(
  step: StepView,
  shown: Shown & { readonly logs: readonly StepLog[] },
  language: Language,
): readonly string[] {
  const { logs } = shown
  const name = `${step.number}\\. ${toInertLine(step.title, titleChars)}`
  const facts = [statusNames[step.status][language], ...toFacts(logs, language)]
  const running = step.isNow ? printRunning(shown, language) : []
  return [`- **${name}** · ${facts.join(' · ')}`, ...logs.flatMap((log) => printCalls(log, language)), ...running]
}

/** How long, how much, and how often it was tried. */
function toFacts(logs: readonly StepLog[], language: Language): readonly string[] {
  if (logs.length === 0) return []
  const ms = logs.reduce((sum, { begunAt, endedAt }) => sum + endedAt - begunAt, 0)
  const tokens = logs.reduce((sum, log) => sum + log.tokens, 0)
  const often = pick(language, { zh: `${logs.length} 次`, en: `${logs.length} times` })
  return [toSpan(ms, language), toCount(tokens, language), ...(logs.length > 1 ? [often] : [])]
}

const printTurns = (name: string, logs: readonly StepLog[], language: Language): readonly string[] =>
  logs.length === 0
    ? []
    : [`- **${name}** · ${toFacts(logs, language).join(' · ')}`, ...logs.flatMap((log) => printCalls(log, language))]

/** Steps of plans that were left, each of them alone. */
function printAside(logs: readonly StepLog[], steps: readonly StepView[], language: Language): readonly string[] {
  const groups = Map.groupBy(logs, ({ generation, number }) => `${generation} ${number}`)
  return [...groups.values()].flatMap((some) => {
    const [first] = some
    if (!first) return []
    const { number, generation } = first
    const step = steps.find(({ id }) => id === number)
    const name = step
      ? `${step.number}\\. ${toInertLine(step.title, titleChars)}`
      : pick(language, { zh: `第 ${number} 步`, en: `Step ${number}` })
    const aside = pick(language, { zh: `搁置的，第 ${generation} 版计划`, en: `set aside, plan ${generation}` })
    return printTurns(pick(language, { zh: `${name}（${aside}）`, en: `${name} (${aside})` }), some, language)
  })
}

function printRunning({ running, nowMs }: Shown, language: Language): readonly string[] {
  if (!running) return []
  const span = toSpan(Math.max(0, nowMs - running.begunAt), language)
  const now = pick(language, {
    zh: `现在：已经 ${span}，${toCount(running.tokens, language)}`,
    en: `Now: for ${span}, ${toCount(running.tokens, language)} so far`,
  })
  return [`  - ${now}`, ...printCalls(running, language)]
}

function printCalls({ calls, left }: Pick<StepLog, 'calls' | 'left'>, language: Language): readonly string[] {
  const shown = calls.slice(-mostCalls)
  const more = left + calls.length - shown.length
  return [
    ...(more > 0 ? [`  - ${pick(language, { zh: `……还有 ${more} 次`, en: `… ${more} more` })}`] : []),
    ...shown.map((call) => `  - ${printCall(call, language)}`),
  ]
}

const marks: Readonly<Record<LoggedCall['how'], string>> = {
  ok: '✅',
  failed: '❌',
  refused: '🚫',
  unmade: '⏹',
  open: '▶️',
}

function printCall({ name, how, head, ms }: LoggedCall, language: Language): string {
  const said = head === undefined ? '' : `: ${toInertLine(head, headChars)}`
  return `${marks[how]} ${toInertLine(name, titleChars)}${ms === undefined ? '' : ` (${toSpan(ms, language)})`}${said}`
}

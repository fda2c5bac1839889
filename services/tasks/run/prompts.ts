// What the model is told in a task: to plan it, to do one step of it, and to finish it. The order, the plan and what steps came to stand in these as they
// are; whose words they are goes with the turn.
import type { Language } from '#shared/chat/message.ts'
import type { OutsideWrite } from '#shared/feature/left.ts'
import type { TaskGraph, TaskNode } from '#services/tasks/graph/graph.ts'

const lines = (all: readonly (string | undefined)[]): string => all.filter((one) => one !== undefined).join('\n')
const quote = (text: string): string => text.replaceAll(/^/gm, '> ')

const planning = {
  zh: (order: string) =>
    lines([
      '下面是一件要一步一步做的事。请调用一次工具 task_plan，给出它的步骤；除此之外不要回答别的。',
      '- 步骤按需要来，越少越好，最多 12 步。每一步是一件单独的活，它的结果可以给人看。',
      '- 每一步写明标题和要做什么，要写完整：做这一步的人只看得到任务、计划和它所依赖的步骤的结果。',
      '- 对方想看一看的地方，或出错代价大的地方，标上 checkpoint；会改动外部东西的，标上 writes_outside。',
      '任务：',
      quote(order),
    ]),
  en: (order: string) =>
    lines([
      'Below is work that is to be done step by step. Call the tool task_plan once with its steps, and answer nothing else.',
      '- As few steps as the order needs, and at most 12. Each is one piece of work whose result can be shown to a person.',
      '- Give each a title and what is to be done, complete in itself: whoever does it sees only the order, the plan, and the results of the steps that it needs.',
      '- Mark "checkpoint" where the person wants to look, or where a mistake costs much, and "writes_outside" where a step changes something outside.',
      'The order:',
      quote(order),
    ]),
}
const simpler = {
  zh: '上次没有得到能用的计划。请再调用 task_plan，最多三步，每步只写 title 和 task。',
  en: 'No plan that can be used came of it. Call task_plan again with at most three steps, each with "title" and "task" alone.',
}
const changed = {
  zh: (wish: string) => lines(['对方对计划的意见：', quote(wish)]),
  en: (wish: string) => lines(['What the person wants changed in the plan:', quote(wish)]),
}

const madeBefore = {
  zh: '之前的计划已经在外部做了下面这些，不要再安排做一遍：',
  en: 'The plan before has done this outside already. Do not plan to do it once more:',
}

export function toPlanPrompt(
  {
    order,
    wish,
    made = [],
    tries,
  }: Pick<StepPrompt, 'order'> & {
    readonly wish?: string | undefined
    readonly made?: StepPrompt['made']
    readonly tries: number
  },
  language: Language,
): string {
  return lines([
    planning[language](order),
    wish === undefined ? undefined : changed[language](wish),
    ...(made.length > 0 ? [madeBefore[language], ...made.map((one) => quoteCall(one, language))] : []),
    tries > 0 ? simpler[language] : undefined,
  ])
}

export type Done = { readonly number: number; readonly title: string; readonly text: string }
type StepPrompt = {
  readonly number: number
  readonly order: string
  readonly graph: TaskGraph
  readonly node: TaskNode
  readonly results: readonly Done[]
  readonly notes: readonly string[]
  /** Calls of earlier tries that changed something outside. */
  readonly made: readonly OutsideWrite[]
  /** JSON. */
  readonly whiteboard: string
}

const step = {
  zh: {
    head: (task: number, at: number, of: number, title: string) => `任务 #${task}，第 ${at} 步，共 ${of} 步：${title}`,
    now: '现在要做的：',
    order: '整个任务：',
    plan: '计划：',
    results: '前面步骤的结果：',
    notes: '对方对这一步的意见，请照做：',
    made: '这一步之前试过，下面这些在外部已经做了，不要再做一遍；不确定的，用完全一样的参数再调用一次是安全的：',
    perhaps: '（不确定）',
    unknown: '（没有人知道是否做成；不要再调用，告诉对方）',
    board: '任务白板：',
    rule: '只做这一步，直接回答它的完整结果，就像给对方看的那样：不要开场白，不要谈别的步骤。如果下一步之前应该让对方看一看，最后单独写一行 [CHECKPOINT]。',
  },
  en: {
    head: (task: number, at: number, of: number, title: string) => `Task #${task}, step ${at} of ${of}: ${title}`,
    now: 'What is to be done now:',
    order: 'The whole order:',
    plan: 'The plan:',
    results: 'Results of the steps before:',
    notes: 'What people said to this step. Do as they say:',
    made: 'This step was tried before, and this is done outside already. Do not do it once more; where it says perhaps, calling again with the very same arguments is safe:',
    perhaps: ' (perhaps)',
    unknown: ' (nobody knows whether it took effect: do not call it again, and tell the person)',
    board: 'The whiteboard of the task:',
    rule: 'Do this step alone, and answer with its whole result, as the person is to read it: no introduction, no word on other steps. Where the person should look before the next step, end with a line [CHECKPOINT].',
  },
}

export function toStepPrompt(
  { number, order, graph, node, results, notes, made, whiteboard }: StepPrompt,
  language: Language,
): string {
  const words = step[language]
  const at = graph.nodes.indexOf(node) + 1
  return lines([
    words.head(number, at, graph.nodes.length, node.title),
    words.now,
    quote(node.task),
    words.order,
    quote(order),
    words.plan,
    ...graph.nodes.map(({ title, status }, n) => `${n + 1}. ${title} (${status})`),
    ...(results.length > 0 ? [words.results, ...results.map(toResult)] : []),
    ...(notes.length > 0 ? [words.notes, ...notes.map((note) => quote(note))] : []),
    ...(made.length > 0 ? [words.made, ...made.map((one) => quoteCall(one, language))] : []),
    words.board,
    whiteboard,
    words.rule,
  ])
}

const quoteCall = ({ name, what, isSure, again }: OutsideWrite, language: Language): string =>
  quote(`${name} ${what ?? ''}${isSure ? '' : step[language][again?.asks ? 'unknown' : 'perhaps']}`)

const toResult = ({ number, title, text }: Done): string => `${number}. ${title}\n${quote(text)}`

const final = {
  zh: {
    head: (task: number) => `任务 #${task} 的步骤都做完了。请对照任务检查结果，再给出最后的回答。`,
    rule: [
      '- 如果把各步结果依次放在一起就是成品，只回答 [ALL]。',
      '- 如果最后一步的结果就是成品，只回答 [LAST]。',
      '- 否则写出成品，要完整。',
      '如果任务要求的东西有缺少或不确定的，最后另起一段，以“缺少：”开头说明。',
    ],
  },
  en: {
    head: (task: number) =>
      `All steps of task #${task} are done. Check their results against the order, and give the final answer.`,
    rule: [
      '- Where the results of all steps, one after another, are the finished work, answer [ALL] alone.',
      '- Where the result of the last step is the finished work, answer [LAST] alone.',
      '- Else write the finished work, whole.',
      'Where something that was ordered is missing or not sure, say so in a last paragraph that begins with "Missing:".',
    ],
  },
}

export function toFinalPrompt(
  {
    number,
    order,
    results,
    missing,
  }: Pick<StepPrompt, 'number' | 'order' | 'results'> & { readonly missing: readonly string[] },
  language: Language,
): string {
  const words = final[language]
  return lines([
    words.head(number),
    step[language].order,
    quote(order),
    step[language].results,
    ...results.map(toResult),
    ...missing,
    ...words.rule,
  ])
}

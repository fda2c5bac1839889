// Tasks, in the conversation that ordered them: `/task …` begins one or steers one, `/tasks` lists them. The work is done in the task itself, so that the
// conversation stays free.
import type { CommandContext, CommandInfo, Feature, LetterContext, TimerContext } from '#shared/feature/feature.ts'
import { tell } from '#shared/feature/kept.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { say } from '#shared/feature/say.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Listed } from '#services/tasks/view/listed.ts'
import { readStored } from '#shared/stored-json.ts'
import { noteChars } from '#services/tasks/run/own.ts'
import type { Steering } from '#services/tasks/run/steer.ts'
import { news } from '#services/tasks/run/tell-home.ts'
import type { TaskPagePorts } from '#services/tasks/view/routes.ts'
import { toName, toStateName } from '#services/tasks/words.ts'
import { beginTask, createStartTool } from './order.ts'
import { settings } from './settings.ts'
import { createPlanTaker } from './take-plan.ts'
import { tellGoing, watch, watchMs } from './watch.ts'
import { look, sayNone, type LookDeps } from './look.ts'
import { onlyLooks, readCommand, type Wish } from './read-command.ts'
import { findTask, homeSlice, isOver, type Home, type HomeChange } from './slice.ts'

type Effects = readonly StepEffect<HomeChange>[]

const keptMs = 30 * 86_400_000
const titleChars = 60

const commands: readonly CommandInfo[] = [
  {
    name: 'task',
    help: { zh: '交给我一件要做很多步的事', en: 'give me work of many steps' },
    more: {
      zh: [
        '- `/task 写一份三部分的指南，每步停一下` — 开始一件任务',
        '- `/task 3` — 看任务 3 做到哪儿了',
        '- `/task 3 plan`、`steps`、`files`、`result` — 看它的计划、每一步、文件、结果',
        '- `/task 3 files a.md` — 给出一个文件；`/task 3 files all` — 给出全部',
        '- `/task 3 pause`、`resume`、`cancel` — 暂停、恢复、取消',
        '- `/task 3 note 语气轻松些` — 给下一步留话',
      ].join('\n'),
      en: [
        '- `/task write a guide in three parts, stop after each` — begins a task',
        '- `/task 3` — shows how far task 3 is',
        '- `/task 3 plan`, `steps`, `files`, `result` — show its plan, steps, files or result',
        '- `/task 3 files a.md` — gives one file; `/task 3 files all` — gives all',
        '- `/task 3 pause`, `resume`, `cancel` — do what they say',
        '- `/task 3 note a lighter tone` — says something to its next step',
      ].join('\n'),
    },
  },
  {
    name: 'tasks',
    help: { zh: '这个聊天的任务', en: 'the tasks of this chat' },
    more: {
      zh: '`/tasks` 列出这个聊天的任务：做到第几步，等什么。',
      en: '`/tasks` lists the tasks of this chat: how far each is, and what it waits for.',
    },
  },
]

export const tasksCapability: Capability<LookDeps, TaskPagePorts> = {
  commands,
  page: {
    name: 'tasks',
    title: { zh: '任务', en: 'Tasks' },
    files: new URL('../page/', import.meta.url),
    open: async (ports) => (await import('#services/tasks/view/routes.ts')).toRoutes(ports),
  },
  create: createTasks,
}

function createTasks({ tasks: reader, clock }: LookDeps): Feature<Home, HomeChange> {
  const [task, tasks] = commands
  if (!task || !tasks) throw new Error('The commands of tasks are two.')
  return {
    name: 'tasks',
    slice: homeSlice,
    settings,
    commands: [
      { ...task, readsOnly: onlyLooks, run: (context) => run({ tasks: reader, clock }, context) },
      { ...tasks, readsOnly: true, run: async (context) => list(context) },
    ],
    tools: [createStartTool(clock)],
    plans: createPlanTaker(clock),
    letters: { news: { came: async (context) => hear(context) } },
    timers: {
      gone: { due: async (context) => drop(context) },
      watch: { due: async (context) => await watch({ tasks: reader, clock }, context) },
    },
    ended: (turn) => tellGoing(turn),
  }
}

async function run(deps: LookDeps, context: CommandContext<Home>): Promise<Effects> {
  const { args, slice, language } = context
  const wish = readCommand(args, (number) => findTask(slice, number) !== undefined)
  switch (wish.kind) {
    case 'help':
      return [...say(language, commands[0]?.more?.zh ?? '', commands[0]?.more?.en ?? '')]
    case 'order':
      return begin(deps.clock, context, wish.text)
    case 'look':
      return await look(deps, context, wish)
    case 'steer':
      return steer(context, wish)
    default:
      return wish satisfies never
  }
}

function list({ slice, language }: CommandContext<Home>): Effects {
  const { tasks } = slice
  if (tasks.length === 0)
    return say(
      language,
      '这个聊天还没有任务。`/task` 加上要做的事就开始一件。',
      'This chat has no tasks. To begin one, write `/task` and what is to be done.',
    )
  return [
    tell(
      tasks.map(({ title }) => title),
      (titles) => tasks.map((one, at) => `- ${toLine(one, titles[at] ?? '', language)}`).join('\n'),
    ),
  ]
}

function toLine(one: Listed, title: string, language: CommandContext['language']): string {
  const steps = one.all > 0 ? ` · ${one.done}/${one.all}` : ''
  return `**${toName(one.number, language)}** · ${toState(one, language)}${steps} · ${toInertLine(title, titleChars)}`
}

const toState = (one: Listed, language: CommandContext['language']): string =>
  toStateName(one.state, one.waits !== 'nothing' && !isOver(one) && one.state !== 'PAUSED', language)

/** The number of a new task is told at once; its plan comes as the task makes it. */
function begin(clock: LookDeps['clock'], context: CommandContext<Home>, order: string): Effects {
  const { server, group } = context.event
  const begun = beginTask({ ...context, nowMs: clock.now(), order, server, group })
  if (begun.kind === 'refused') return [{ kind: 'send', text: begun.why }]
  const { number } = begun
  const { language } = context
  return [
    ...begun.effects,
    ...say(
      language,
      `已开始，是任务 #${number}。我先定个计划。`,
      `Started as task #${number}. I am making a plan first.`,
    ),
  ]
}

/** Who asked for it, administrators and owners steer it. */
function steer(context: CommandContext<Home>, { number, verb, text }: Extract<Wish, { kind: 'steer' }>): Effects {
  const { slice, language, principal, owner, event } = context
  const found = findTask(slice, number)
  if (!found) return sayNone(language, number)
  if (found.asker !== principal && !owner && event.senderIsAdmin !== true)
    return say(
      language,
      `任务 #${number} 只有提出它的人、管理员和主人可以指挥。`,
      `Only the person who ordered task #${number}, administrators and owners can steer it.`,
    )
  if (verb === 'note' && text.trim() === '')
    return say(language, `要对任务 #${number} 说什么？`, `What do you want to say to task #${number}?`)
  if (verb === 'note' && found.state === 'COMPLETED')
    return say(language, `任务 #${number} 已经完成，没有下一步了。`, `Task #${number} is done. There is no next step.`)
  const order: Steering =
    verb === 'note' ? { what: 'note', text: text.slice(0, noteChars).toWellFormed() } : { what: verb }
  const stops = verb === 'pause' || verb === 'cancel'
  const told = {
    kind: 'signal',
    to: number,
    letter: 'steer',
    payload: JSON.stringify(order),
    serves: found.asker,
  } as const
  const isNoted = say(language, `任务 #${number} 的下一步会照做。`, `The next step of task #${number} will follow it.`)
  return [{ ...told, ...(stops ? { stops } : {}) }, ...(verb === 'note' ? isNoted : [])]
}

/** A task told how it stands. */
function hear({ event, slice }: LetterContext<Home>): Effects {
  const told = readStored('news of a task', news, event.payload)
  const found = findTask(slice, told.number)
  if (!found) return []
  const isNowOver = isOver({ ...found, state: told.state })
  const key = String(told.number)
  const isAtWork = !isNowOver && told.state !== 'PAUSED' && told.waits === 'nothing'
  return [
    { kind: 'change', change: { news: told } },
    isAtWork
      ? { kind: 'timer', timer: 'watch', key, inMs: watchMs, payload: key }
      : { kind: 'disarm', timer: 'watch', key },
    isNowOver
      ? { kind: 'timer', timer: 'gone', key, inMs: keptMs, payload: key }
      : { kind: 'disarm', timer: 'gone', key },
  ]
}

/** A month after its end a task goes, with all that it kept. */
const drop = ({ event }: TimerContext<Home>): Effects => {
  const number = Number(event.payload)
  return [
    { kind: 'drop-task', task: number },
    { kind: 'change', change: { drop: number } },
  ]
}

// A task is ordered: by `/task …`, or by the model, which may propose work of many steps as one. It begins where there is room for it.
import { z } from 'zod'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { toOurs, type Keep } from '#shared/feature/kept.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { Brief } from '#services/tasks/run/begin.ts'
import { readStops } from '#services/tasks/run/read-stops.ts'
import type { Listed } from '#services/tasks/view/listed.ts'
import { pick } from '#services/tasks/words.ts'
import { usualStops } from './settings.ts'
import { isOver, makeRoom, mostAtWork, mostOfOne, type Home, type HomeChange } from './slice.ts'

type Effects = readonly StepEffect<HomeChange>[]
export type Ordered = {
  readonly slice: Home
  readonly language: Language
  readonly principal: PrincipalId
  readonly keep: Keep
  readonly nowMs: number
  readonly order: string
  /** Its steps, where they are known. */
  readonly plan?: readonly string[]
  /** The platform's group of chats that it was said in, where there is one. */
  readonly server?: ConversationId | undefined
  /** Others read what is said here. */
  readonly group: boolean
}
export type Begun =
  | { readonly kind: 'begun'; readonly number: number; readonly effects: Effects }
  /** For people. */
  | { readonly kind: 'refused'; readonly why: string }

const mostOrderChars = 16_000
/** One more is kept, by which the list knows that it is cut. */
const titleChars = 60

export function beginTask({ slice, language, principal, keep, nowMs, order, plan, server, group }: Ordered): Begun {
  const refused = (zh: string, en: string): Begun => ({ kind: 'refused', why: pick(language, { zh, en }) })
  const atWork = slice.tasks.filter((one) => !isOver(one))
  const own = atWork.filter(({ asker }) => asker === principal)
  if (own.length >= mostOfOne || atWork.length >= mostAtWork)
    return refused(
      `现在已有 ${atWork.length} 件任务没有结束（每人最多 ${mostOfOne} 件，每个聊天 ${mostAtWork} 件）。先结束一件：/tasks`,
      `${atWork.length} tasks are not finished yet (at most ${mostOfOne} a person and ${mostAtWork} a chat). Finish or cancel one first: /tasks`,
    )
  if (order.length > mostOrderChars)
    return refused(
      `任务最多 ${mostOrderChars} 个字符。请写短一些。`,
      `An order may have ${mostOrderChars} characters at most. Please make it shorter.`,
    )
  const number = slice.last + 1
  const every = readStops(order) ?? usualStops(slice)
  const known = { ...(plan ? { plan } : {}), ...(server === undefined ? {} : { server }) }
  const brief: Brief = { number, order, every, group, ...known }
  const title = keep(
    order
      .trim()
      .split('\n', 1)[0]
      ?.slice(0, titleChars + 1)
      .toWellFormed() ?? '',
  )
  const begun = { state: 'PLANNING', waits: 'nothing', done: 0, all: 0, tokens: 0, begunAt: nowMs } as const
  const listed: Listed = { number, title, asker: toOurs(principal), ...begun }
  const gone = makeRoom(slice, listed)
  if (!gone)
    return refused(
      '这里的任务太多了，记不下新的。先取消一件：/tasks',
      'There are too many tasks here to keep another one. Cancel one first: /tasks',
    )
  const effects: Effects = [
    ...gone.flatMap(forget),
    { kind: 'change', change: { add: listed } },
    { kind: 'signal', to: number, letter: 'begin', payload: JSON.stringify(brief), begins: true },
  ]
  return { kind: 'begun', number, effects }
}

const forget = (number: number): Effects => [
  { kind: 'drop-task', task: number },
  { kind: 'change', change: { drop: number } },
  { kind: 'disarm', timer: 'gone', key: String(number) },
]

const wanted = z.object({ order: z.string().trim().min(1) })

export const startTool = 'task_start'

/** By which the model makes a task of what is too much for one turn. */
export const createStartTool = (clock: { now(): number }): Tool<Home, HomeChange> => ({
  name: startTool,
  summary: { zh: '把要做很多步的事交给一件任务。', en: 'Gives work of many steps to a task.' },
  description:
    'Begins a task of its own for work of three steps or more that needs tools or writing of several parts. It plans, works step by step, and shows checkpoints while this conversation goes on. What one answer can do is answered at once instead.',
  parameters: {
    type: 'object',
    properties: { order: { type: 'string', description: 'the whole order, in the words of the person' } },
    required: ['order'],
  },
  effect: 'write-local',
  listing: 'rare',
  onCrash: 'rerun',
  async run(input, context) {
    if (context.isPrivate)
      return { text: 'No task is begun while this turn works on what a person answered in private.', source: 'own' }
    const begun = beginTask({ ...context, nowMs: clock.now(), order: wanted.parse(input).order })
    if (begun.kind === 'refused') return { text: begun.why, source: 'own' }
    const text = `Started as task #${begun.number}. Tell the person so in one short sentence; its plan comes by itself.`
    return { text, source: 'own', effects: begun.effects }
  },
})

// How people steer a task: by the buttons of its card, and by `/task 3 …` in its conversation, which comes here as a letter. A pause and a cancel end at once
// what the task is doing; what it has done stays.
import { z } from 'zod'
import type { AnswerContext, LetterContext } from '#shared/feature/feature.ts'
import { toChosen, toWho } from '#shared/feature/who-answered.ts'
import { readStored } from '#shared/stored-json.ts'
import { next, type Machine } from '#services/tasks/graph/states.ts'
import { labels, pick, stateNames, toName, toOption } from '#services/tasks/words.ts'
import { cardLivesMs, noteChars, withNote, type TaskOwn } from './own.ts'
import { toWaited } from './ended.ts'
import { showProgress } from './progress-card.ts'
import { tellHome } from './tell-home.ts'
import { countOf, findPapers, goOnLater, set, type TaskEffect, type Work } from './work.ts'

export const steering = z.discriminatedUnion('what', [
  z.object({ what: z.enum(['pause', 'resume', 'cancel']) }),
  z.object({ what: z.literal('note'), text: z.string().min(1).max(noteChars) }),
])
export type Steering = z.infer<typeof steering>

export async function steer(context: LetterContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, slice, keep } = context
  const order = readStored('letter to a task', steering, event.payload)
  switch (order.what) {
    case 'pause':
      return await pause(context)
    case 'resume':
      return await resume(context)
    case 'cancel':
      return await cancel(context)
    case 'note':
      return [set(withNote(slice, keep(order.text)))]
    default:
      return order satisfies never
  }
}

export const isEnd = ({ current_state: state }: Machine): boolean => state === 'COMPLETED' || state === 'ERROR'

export async function pause(work: Work): Promise<readonly TaskEffect[]> {
  const { slice, language } = work
  if (isEnd(slice.machine) || slice.machine.current_state === 'PAUSED') return [sayState(work)]
  const own = { ...slice, machine: next(slice.machine, 'user_interrupt') }
  const papers = await findPapers(work)
  const text = pick(language, {
    zh: `${toName(slice.number, language)} 已暂停，做完的都留着。`,
    en: `${toName(slice.number, language)} is paused. What is done stays.`,
  })
  const options = [[toOption('resume', language), toOption('cancel', language)]]
  const asked = {
    question: 'paused',
    options,
    payload: '',
    owner: slice.asker,
    admins: true,
    topic: 'paused',
    deadlineMs: cardLivesMs,
  } as const
  return [
    { ...asked, kind: 'ask', text },
    set({ machine: own.machine }),
    ...(papers ? showProgress(work, papers, own) : []),
    tellHome(own, countOf(papers)),
  ]
}

export async function resume(work: Work): Promise<readonly TaskEffect[]> {
  const { slice, language } = work
  const isPaused = slice.machine.current_state === 'PAUSED' || slice.machine.why === 'limits'
  if (!isPaused)
    return slice.number === 0 || slice.outcome === 'waits' || isEnd(slice.machine) ? [sayState(work)] : wake(work)
  const grants = slice.machine.why === 'limits' ? slice.grants + 1 : slice.grants
  const own = { ...slice, machine: next(slice.machine, 'user_resume') }
  const papers = await findPapers(work)
  const text = pick(language, {
    zh: `${toName(slice.number, language)} 接着做。`,
    en: `${toName(slice.number, language)} goes on.`,
  })
  return [
    { kind: 'send', text },
    set({ machine: own.machine, grants }),
    { kind: 'cancel', which: { topic: 'paused' } },
    ...(papers ? showProgress(work, papers, own) : []),
    tellHome(own, countOf(papers)),
    ...toWaited(slice.outcome),
    goOnLater(slice, slice.waits === 'nothing' ? 'next' : 'again'),
  ]
}

/** It stands still, perhaps since a worker was lost. No turn of it is open while it hears this, so one that has not told its end never will. */
function wake({ slice, language }: Work): readonly TaskEffect[] {
  const text = pick(language, {
    zh: `${toName(slice.number, language)} 接着做。`,
    en: `${toName(slice.number, language)} goes on.`,
  })
  return [
    { kind: 'send', text },
    ...(slice.outcome === 'none' ? [set({ outcome: 'stopped' })] : []),
    goOnLater(slice, slice.waits === 'nothing' ? 'next' : 'again'),
  ]
}

export async function cancel(work: Work): Promise<readonly TaskEffect[]> {
  const { slice, language } = work
  if (isEnd(slice.machine) && slice.machine.why !== 'limits') return [sayState(work)]
  const own = { ...slice, machine: next(slice.machine, 'user_cancel'), waits: 'nothing' as const }
  const papers = await findPapers(work)
  const text = pick(language, {
    zh: `${toName(slice.number, language)} 已取消。已有的结果留 30 天。`,
    en: `${toName(slice.number, language)} is cancelled. What there is of it is kept for 30 days.`,
  })
  return [
    { kind: 'send', text },
    set({ machine: own.machine, waits: 'nothing', phase: 'none' }),
    { kind: 'cancel', which: { all: true } },
    ...(papers ? showProgress(work, papers, own) : []),
    tellHome(own, countOf(papers)),
  ]
}

export const sayState = ({ slice, language }: Work): TaskEffect => ({
  kind: 'send',
  text: pick(language, {
    zh: `${toName(slice.number, language)} 现在不能这样做，它的状态是：${stateNames[slice.machine.current_state].zh}。`,
    en: `${toName(slice.number, language)} cannot do that now. Its state is: ${stateNames[slice.machine.current_state].en}.`,
  }),
})

export async function answerPaused(context: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, language } = context
  const label = event.choice === 'resume' ? 'resume' : 'cancel'
  const end: TaskEffect = {
    kind: 'send',
    text: toChosen(toWho(context), labels[label][language], language),
    inPlace: true,
  }
  const [, ...rest] = label === 'resume' ? await resume(context) : await cancel(context)
  return [end, ...rest]
}

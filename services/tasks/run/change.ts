// The card of a task's progress, which has two buttons: stop, and change the plan, which asks in what; while the task is paused it has one that resumes it. Words in reply to it are a note to the next step.
import type { AnswerContext } from '#shared/feature/feature.ts'
import { toChosen, toWho } from '#shared/feature/who-answered.ts'
import { next } from '#services/tasks/graph/states.ts'
import { labels, pick, toName, toOption } from '#services/tasks/words.ts'
import { cardLivesMs, noteChars, withNote, type TaskOwn } from './own.ts'
import { isEnd, pause, resume, sayState } from './steer.ts'
import { goOnLater, set, woken, type TaskEffect, type Work } from './work.ts'

/** What the task was doing has been stopped by the press. A card that it waits with stays open beside the question. */
export async function answerCard(context: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, slice } = context
  if (isEnd(slice.machine)) return [sayState(context)]
  if (event.choice === '') return takeNote(context)
  if (event.choice === 'stop') return await pause(context)
  if (event.choice === 'resume') return await resume(context)
  if (slice.machine.current_state === 'PAUSED') return [sayState(context)]
  return [askChange(context), ...(slice.waits === 'nothing' ? [set({ waits: 'words' })] : [])]
}

/** Asks what is to change in the plan. */
export function askChange({ slice, language }: Work): TaskEffect {
  const text = pick(language, {
    zh: `${toName(slice.number, language)}：计划要怎么改？回复这条消息说明。`,
    en: `${toName(slice.number, language)}: what should change in the plan? Reply to this message and say it.`,
  })
  const asked = {
    question: 'change',
    options: [[toOption('back', language)]],
    payload: '',
    owner: slice.asker,
    admins: true,
    words: true,
    topic: 'change',
    deadlineMs: cardLivesMs,
  } as const
  return { ...asked, kind: 'ask', text }
}

function takeNote({ event, slice, language, keep }: AnswerContext<TaskOwn>): readonly TaskEffect[] {
  const note = event.words?.trim().slice(0, noteChars).toWellFormed() ?? ''
  if (note === '') return []
  const text = pick(language, {
    zh: `${toName(slice.number, language)} 的下一步会照做。`,
    en: `The next step of ${toName(slice.number, language).toLowerCase()} will follow it.`,
  })
  return [set(withNote(slice, keep(note))), { kind: 'send', text }]
}

export async function answerChange(context: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, slice, language, keep } = context
  const wish = event.words?.trim().slice(0, noteChars).toWellFormed() ?? ''
  const isLeft = wish === '' || event.choice === 'back'
  const end: TaskEffect = {
    kind: 'send',
    text: toChosen(toWho(context), labels[isLeft ? 'back' : 'change'][language], language),
    inPlace: true,
  }
  if (isEnd(slice.machine)) return [end, sayState(context)]
  if (isLeft) return slice.waits === 'words' ? [end, set({ waits: 'nothing' }), goOnLater(slice)] : [end]
  const { machine, effects } = woken(slice)
  // It has gone on since it was asked: the plan is not changed under a step that runs.
  if (slice.waits === 'nothing') return [end, set(withNote(slice, keep(wish)))]
  const { current_state: state } = machine
  const isPlanning = state === 'PLANNING' || state === 'REPLANNING'
  return [
    end,
    ...effects,
    ...open.map((topic): TaskEffect => ({ kind: 'cancel', which: { topic } })),
    set({
      waits: 'nothing',
      machine: isPlanning ? machine : next(machine, 'replanning_requested'),
      phase: 'plan',
      outcome: 'again',
      notes: [keep(wish)],
    }),
    goOnLater(slice),
  ]
}

/** What the old plan waited with. */
const open = ['checkpoint', 'recovery', 'rollback']

// The card of a task: what it is, how far its plan is, and what it has cost. One message, edited as the task goes on. Who replies to it says something to
// the next step.
import { rework, tell, tellAsking } from '#shared/feature/kept.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { Language } from '#shared/chat/message.ts'
import { toLines } from '#services/tasks/graph/mermaid.ts'
import { toName, toOption, toStateName, toTokens } from '#services/tasks/words.ts'
import { cardLivesMs, type TaskOwn } from './own.ts'
import { set, type Papers, type TaskStep, type Work } from './work.ts'

const titleChars = 80

/** The first line of its order. */
const toTitle = (order: string): string => toInertLine(order.trimStart().split('\n', 1)[0] ?? '', titleChars)

/** Shows how far it is now: `own` is the task as this step leaves it. */
export function showProgress(work: Work, { order, graph }: Papers, own: TaskOwn, note = ''): readonly TaskStep[] {
  const { language, slice } = work
  const lines = rework(graph, (one) => toLines(one, language).join('\n'))
  const compose = ([title = '', plan = '']: readonly string[]): string =>
    [
      `**${toHead(own, language)}** · ${toTitle(title)}`,
      plan,
      [toTokens(own.tokens, language), note].filter(Boolean).join(' · '),
    ].join('\n\n')
  const how = { named: `card-${slice.edits}`, ...(slice.edits > 0 ? { replaces: 'card-0' } : {}) }
  const isOver = own.machine.current_state === 'COMPLETED' || own.machine.current_state === 'ERROR'
  const isPaused = own.machine.current_state === 'PAUSED'
  const options = isPaused
    ? [[toOption('resume', language)]]
    : [[toOption('stop', language), toOption('change', language)]]
  const topic = 'card'
  const whose = { owner: own.asker, admins: true, topic, deadlineMs: cardLivesMs } as const
  const asked = {
    ...how,
    ...whose,
    question: 'card',
    options,
    payload: '',
    words: true,
    ...(isPaused ? {} : { stops: true as const }),
  } as const
  const shown: readonly TaskStep[] = isOver
    ? [tell([order, lines], compose, how), { kind: 'cancel', which: { topic } }]
    : [tellAsking([order, lines], asked, compose)]
  return [...shown, set({ edits: slice.edits + 1 })]
}

const toHead = ({ number, machine, waits }: TaskOwn, language: Language): string =>
  `${toName(number, language)} · ${toStateName(machine.current_state, waits === 'recovery', language)}`

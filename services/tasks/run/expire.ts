// A card of a task that nobody answers in time: the task is paused, and says so once. Nothing of it is lost.
import type { ExpiredContext } from '#shared/feature/feature.ts'
import { next } from '#services/tasks/graph/states.ts'
import { pick, toName } from '#services/tasks/words.ts'
import type { TaskOwn } from './own.ts'
import { findGraph } from './texts.ts'
import { tellHome } from './tell-home.ts'
import { countSteps, set, type TaskEffect } from './work.ts'

const atRest = ['PAUSED', 'COMPLETED', 'ERROR']

/** For a card with which the task waits as one of these. A card that was called off is none of its waits any more. */
export const pauseWhere =
  (...waits: readonly TaskOwn['waits'][]) =>
  async (context: ExpiredContext<TaskOwn>): Promise<readonly TaskEffect[]> => {
    const { event, slice, language } = context
    const { current_state: state } = slice.machine
    if (event.why !== 'deadline' || !waits.includes(slice.waits) || atRest.includes(state)) return []
    const own = { ...slice, machine: next(slice.machine, 'user_interrupt') }
    const counted = slice.generation === 0 ? { done: 0, all: 0 } : countSteps(await findGraph(context))
    const text = pick(language, {
      zh: `${toName(slice.number, language)} 已暂停：30 天没有人回答。/task ${slice.number} resume 可以继续。`,
      en: `${toName(slice.number, language)} is paused: nobody answered for 30 days. /task ${slice.number} resume goes on.`,
    })
    return [{ kind: 'send', text }, set({ machine: own.machine }), tellHome(own, counted)]
  }

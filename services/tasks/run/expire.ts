// A card of a task that ends without an answer: nobody gave one in time, or it could not be shown. The task is paused, and says so once. Nothing of it is lost.
import type { ExpiredContext } from '#shared/feature/feature.ts'
import { next } from '#services/tasks/graph/states.ts'
import { pick, toName } from '#services/tasks/words.ts'
import type { TaskOwn } from './own.ts'
import { tellHome } from './tell-home.ts'
import { countOf, findPapers, goOnLater, set, type TaskEffect, type Work } from './work.ts'

const unanswered = { zh: '30 天没有人回答', en: 'nobody answered for 30 days' }
const unshown = { zh: '它的卡片没能显示，或者已经失效', en: 'its card could not be shown, or is no longer valid' }
const atRest = ['PAUSED', 'COMPLETED', 'ERROR']

/** For a card with which the task waits as one of these. A card that was called off is none of its waits any more. */
export const pauseWhere =
  (...waits: readonly TaskOwn['waits'][]) =>
  async (context: ExpiredContext<TaskOwn>): Promise<readonly TaskEffect[]> => {
    const { event, slice, language } = context
    const { current_state: state } = slice.machine
    if (event.why === 'replaced' || !waits.includes(slice.waits) || atRest.includes(state)) return []
    const own = { ...slice, machine: next(slice.machine, 'user_interrupt') }
    const why = pick(language, event.why === 'deadline' ? unanswered : unshown)
    const text = pick(language, {
      zh: `${toName(slice.number, language)} 已暂停：${why}。/task ${slice.number} resume 可以继续。`,
      en: `${toName(slice.number, language)} is paused: ${why}. /task ${slice.number} resume goes on.`,
    })
    const counted = countOf(await findPapers(context))
    return [{ kind: 'send', text }, set({ machine: own.machine }), tellHome(own, counted)]
  }

/** A message that its card repeated is forgotten: what is left is shown. */
export const showLeft = async ({ slice }: Work): Promise<readonly TaskEffect[]> =>
  slice.waits === 'nothing' ? [] : [goOnLater(slice, 'again')]

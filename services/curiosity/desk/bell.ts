// What waits for a person, for the bell of a page: how many questions `/questions now` would ask, none where no card is to come.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { findBook } from './book.ts'
import { wantsCards, type MomentDeps } from './moment.ts'
import { findWaiting } from './waiting.ts'

type BellDeps = Pick<MomentDeps, 'sources' | 'desks' | 'now' | 'settings' | 'isQuiet'>

/** `isStopped`: an owner has all questions stopped, so none is counted. */
export async function countWaiting(
  deps: BellDeps,
  principal: PrincipalId,
): Promise<{ readonly count: number; readonly isStopped: boolean }> {
  const isStopped = await deps.isQuiet()
  if (!(await wantsCards(deps, principal))) return { count: 0, isStopped }
  const { sources, desks, now } = deps
  const waiting = await findWaiting(sources, principal, { book: await findBook(desks, principal), nowMs: now() })
  return { count: waiting.length, isStopped }
}

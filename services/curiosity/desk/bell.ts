// The bell of a page counts the questions that `/questions now` would ask its person. It counts none where no card is to come. It counts none while a card is
// open or waits its turn: the bell lists that card, and leads there.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { findBook, findOpen } from './book.ts'
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
  const [book, nowMs] = [await findBook(desks, principal), now()]
  if (findOpen(book, nowMs).length > 0) return { count: 0, isStopped }
  return { count: (await findWaiting(sources, principal, { book, nowMs })).length, isStopped }
}

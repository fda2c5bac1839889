// How many questions wait for a person, for the bell of a page: those that `/questions now` would ask. None where no card is to come, and none while one is
// open or waits its turn: the bell lists that one, and leads there.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { findBook, findOpen } from './book.ts'
import { wantsCards, type MomentDeps } from './moment.ts'
import { findWaiting } from './waiting.ts'

type BellDeps = Pick<MomentDeps, 'sources' | 'desks' | 'now' | 'settings' | 'isQuiet'>

export async function countWaiting(deps: BellDeps, principal: PrincipalId): Promise<number> {
  if (!(await wantsCards(deps, principal))) return 0
  const { sources, desks, now } = deps
  const [book, nowMs] = [await findBook(desks, principal), now()]
  if (findOpen(book, nowMs).length > 0) return 0
  return (await findWaiting(sources, principal, { book, nowMs })).length
}

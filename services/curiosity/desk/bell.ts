// How many questions wait for a person, for the bell of a page: those that `/questions now` would ask. None where no card is to come.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { findBook } from './book.ts'
import { wantsCards, type MomentDeps } from './moment.ts'
import { findWaiting } from './waiting.ts'

type BellDeps = Pick<MomentDeps, 'sources' | 'desks' | 'now' | 'settings' | 'isQuiet'>

export async function countWaiting(deps: BellDeps, principal: PrincipalId): Promise<number> {
  if (!(await wantsCards(deps, principal))) return 0
  const { sources, desks, now } = deps
  return (await findWaiting(sources, principal, { book: await findBook(desks, principal), nowMs: now() })).length
}

// Texts that are kept whole beside what is claimed, as features and tools read them.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { keeper, type Kept } from '#shared/feature/kept.ts'
import type { RunStore } from './run-store.ts'

/** A text that is kept whole, with whose words it is. The bot's own words are among those of the history: `said` gives these. */
export async function findArtifact(
  store: Pick<RunStore, 'findArtifact'>,
  principal: PrincipalId,
  name: string,
): Promise<Kept | undefined> {
  const found = await store.findArtifact(name)
  if (found === undefined || found.kind === 'history') return undefined
  if (found.for !== undefined && found.for !== principal) return undefined
  const { text, source, by, taint = [], about } = found
  return keeper({ source, ...(by ? { by } : {}), taint, about })(text)
}

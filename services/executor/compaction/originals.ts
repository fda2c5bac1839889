// What was said before it was summed up, word for word: an artifact for each exchange, so that each goes with its own messages.
import { z } from 'zod'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { keeper, type Kept } from '#shared/feature/kept.ts'
import { joinTaint, toTainted } from '#shared/model/taint.ts'
import type { Artifact } from '#shared/run/artifact.ts'
import { toKeptText } from '#shared/run/artifact.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { findTaint } from '#services/executor/context/find-taint.ts'
import { aboutHistory, historyItem, visibleTo, type HistoryItem } from '#services/executor/state/history-item.ts'
import type { RunStore } from '#services/executor/run/run-store.ts'
import { boundAbout } from '#services/executor/state/state.ts'
import { toExchanges, type Exchange } from '#services/executor/context/exchanges.ts'

export function toOriginals(
  exchanges: readonly Exchange[],
  { session, work, principal }: { readonly session: string; readonly work: string; readonly principal: PrincipalId },
): Artifact[] {
  return exchanges.flatMap((items, i): Artifact[] => {
    const { text, cut } = toKeptText(JSON.stringify(items))
    // What cannot be read again is of no use. An item of a history has 8,000 characters, so only hundreds of calls come to that.
    if (cut) return []
    const taint = joinTaint(findTaint({ items, parts: [] }, principal))
    const about = boundAbout(aboutHistory(items))
    const name = `history-${work}-${String(i).padStart(4, '0')}`
    return [
      {
        name,
        kind: 'history',
        session,
        source: taint.length > 0 ? 'others' : 'person',
        about,
        text,
        ...toTainted(taint),
      },
    ]
  })
}

const exchange = z.array(historyItem)

/** Those of a session that are kept, oldest first; without what cannot be read. */
export async function readOriginals(
  store: Pick<RunStore, 'listArtifacts' | 'findArtifact'>,
  session: string,
): Promise<Exchange[]> {
  const heads = (await store.listArtifacts()).filter((one) => one.kind === 'history' && one.session === session)
  const inOrder = heads.toSorted((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
  // Each is read as it comes: all at once would hold up whoever else this process serves.
  const found = inOrder.map(async ({ name }) => {
    const one = await store.findArtifact(name)
    const read = one && exchange.safeParse(JSON.parse(one.text))
    return read?.success ? [read.data] : []
  })
  return (await Promise.all(found)).flat()
}

/** What was said in the session before the turn that runs, summed up or not. */
export async function findSaid(
  { store, state }: Pick<Claim, 'state'> & { readonly store: Pick<RunStore, 'listArtifacts' | 'findArtifact'> },
  principal: PrincipalId,
): Promise<Kept[]> {
  const all = [...(await readOriginals(store, state.session.id)), ...toExchanges(state.history)]
  // The bot's own words are among them: what stands in them is not taken for what others said.
  return all.map((items) =>
    keeper({ source: 'own', taint: findTaint({ items, parts: [] }, principal), about: aboutHistory(items) })(
      visibleTo(items, principal).flatMap(toSaid).join('\n'),
    ),
  )
}

const toSaid = (item: HistoryItem): string[] =>
  item.text === '' ? [] : [`${item.role === 'user' ? (item.name ?? 'user') : item.role}: ${item.text}`]

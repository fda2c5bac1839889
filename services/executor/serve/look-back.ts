// What an earlier turn was asked with, as it began: what stood in the history before it, and what was said in it. What was summed up since is read where it
// is kept whole. What features gave then is not kept.
import { BotError } from '#shared/errors.ts'
import { listModels } from '#shared/model/model-port.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { readOriginals } from '#services/executor/compaction/originals.ts'
import { toExchanges } from '#services/executor/context/exchanges.ts'
import type { Asked } from '#services/executor/model/prepare-prompt.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import type { RunStore } from '#services/executor/run/run-store.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

/** What a prompt is asked for with, and of what moment that is, in words. */
export type LookedAt = { readonly asked: Asked; readonly moment: string }

export type Then = {
  readonly turn: string
  readonly record: TurnRecord | undefined
  /** Platform ids of the messages that the turn came of. */
  readonly about: readonly string[]
  /** Names of the newest turns on record, the newest first. */
  readonly turns: readonly string[]
}

type Now = { readonly state: ConversationState; readonly kept: Pick<RunStore, 'listArtifacts' | 'findArtifact'> }

export async function lookBack(
  { model, clock }: Pick<ExecutorDeps, 'model' | 'clock'>,
  { state: now, kept }: Now,
  { turn, record, about, turns }: Then,
): Promise<LookedAt> {
  if (!record) {
    const known = turns.length === 0 ? 'No turn is on record there.' : `On record are ${turns.join(', ')}.`
    throw new BotError('bad-input', `There is no record of a turn "${turn.slice(0, 64)}". ${known}`)
  }
  const isSame = record.session === now.session.id
  const isOwn = ({ messageId }: UserItem): boolean => messageId !== undefined && about.includes(messageId)
  const isAbout = (item: UserItem): boolean => item.about?.some((id) => about.includes(id)) === true
  const stands = isSame && findBegin(now.history, isOwn) >= 0
  const state = stands ? now : await withOriginals({ state: now, kept }, record.session)
  const own = findBegin(state.history, isOwn)
  const first = own < 0 ? findBegin(state.history, isAbout) : own
  if (first < 0)
    throw new BotError(
      'bad-input',
      isSame
        ? `What was said in turn ${turn} does not stand in the history any more: it was forgotten, or did not fit.`
        : `Turn ${turn} belongs to session ${record.session}, and what was said in it is not kept any more; now it is ${now.session.id}.`,
    )
  const length = state.history.slice(first).findIndex((item) => item.role !== 'user')
  const summed = stands ? '' : '; what a summary stood for stands word for word'
  return {
    moment: `as turn ${turn} began; what features gave to its prompt is not kept${summed}`,
    asked: {
      state: { ...state, history: state.history.slice(0, first), context: [] },
      principal: record.principal,
      class: record.class,
      items: state.history.slice(first, length < 0 ? undefined : first + length),
      clock: clock(record.begunAt),
      anchor: undefined,
      turn,
      role: listModels(model).find(({ name }) => name === record.model)?.role ?? 'main',
    },
  }
}

/** The history of a session from its beginning, without a summary. */
async function withOriginals({ state, kept }: Now, session: string): Promise<ConversationState> {
  const before = (await readOriginals(kept, session)).flat()
  const since = session === state.session.id ? state.history : []
  return { ...state, history: [...before, ...since], summary: undefined }
}

/**
 * Where a turn begins: the last words that are its own, or else that are about the same; -1 where there are none. Later turns may be about its messages,
 * too: by what they have found again of them.
 */
function findBegin(history: readonly HistoryItem[], isOf: (item: UserItem) => boolean): number {
  const exchanges = toExchanges(history)
  const at = exchanges.findLastIndex((exchange) => exchange.some((item) => item.role === 'user' && isOf(item)))
  return at < 0 ? -1 : exchanges.slice(0, at).flat().length
}
type UserItem = Extract<HistoryItem, { role: 'user' }>

// The items of a turn as the history keeps them: without marks of ours, and long messages as the prompt had them, or shorter.
import { cutForHistory } from '#services/executor/context/long-messages.ts'
import { itemsOf } from '#services/executor/context/turn-items.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { unmarkedTurn } from '#services/executor/context/marks.ts'
import { messageLimit } from '#services/executor/model/prepare-prompt.ts'
import type { OpenTurn } from '#services/executor/run/open-turn.ts'

export function keptItems(deps: ExecutorDeps, { mailbox, state }: Claim, turn: OpenTurn): readonly HistoryItem[] {
  const { turn: id } = turn.start
  const items = itemsOf(unmarkedTurn(deps, turn, false), mailbox.find, state)
  return cutForHistory(id, items, messageLimit(deps, turn.start))
}

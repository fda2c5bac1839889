// Messages of people that are too long for the prompt or the history: head and tail stand, and name the whole, which is kept as an artifact. Pure:
// the same message has the same words in each prompt of its turn, and in the history after it.
import { toKeptText, type Artifact } from '#shared/run/artifact.ts'
import { toMark } from '#shared/chat/spoken.ts'
import { toTainted } from '#shared/model/taint.ts'
import type { OpenTurn } from '#services/executor/run/open-turn.ts'
import { headAndTail, maxItemChars } from '#services/executor/state/fit-items.ts'
import type { Estimate, HistoryItem } from '#services/executor/state/history-item.ts'

const inHistory = { most: maxItemChars, estimate: (text: string): number => text.length }

export type Limit = { readonly most: number; readonly estimate: Estimate }

/** The items, of which no message is longer than this. */
export function cutMessages(turn: string, items: readonly HistoryItem[], { most, estimate }: Limit): HistoryItem[] {
  let number = 0
  return items.map((item) => {
    if (item.role !== 'user') return item
    const name = toName(turn, number++)
    if (item.text.length <= most / 4 || estimate(item.text) <= most) return item
    const all = toMark(`only a part; all ${item.text.length} characters: artifact_read {"name":"${name}"}`)
    return { ...item, text: `${headAndTail(item.text, Math.max(0, most - estimate(all) - 1), estimate)}\n${all}` }
  })
}

/** As the history keeps them: as the prompt had them, or shorter. */
export function cutForHistory(turn: string, items: readonly HistoryItem[], asked: Limit): readonly HistoryItem[] {
  const isLong = ({ role, text }: HistoryItem): boolean =>
    role === 'user' && text.length > Math.min(asked.most, inHistory.most) / 4
  if (!items.some(isLong)) return items
  const short = cutMessages(turn, items, inHistory)
  return cutMessages(turn, items, asked).map((item, i) =>
    inHistory.estimate(item.text) > inHistory.most ? (short[i] ?? item) : item,
  )
}

/** The whole of each message that is cut in the prompt or in the history. */
export function findLong(
  turn: OpenTurn,
  items: readonly HistoryItem[],
  { about, session, asked }: { readonly about: readonly string[]; readonly session: string; readonly asked: Limit },
): readonly Artifact[] {
  const limits = [asked, inHistory]
  return items
    .filter((item) => item.role === 'user')
    .flatMap((item, number): Artifact[] => {
      if (limits.every(({ most, estimate }) => item.text.length <= most / 4 || estimate(item.text) <= most)) return []
      const { source, by = turn.start.principal, taint, for: eyes } = item
      const quotes = source === 'others' ? ['a quotation'] : taint
      const { text } = toKeptText(item.text)
      const name = toName(turn.start.turn, number)
      return [
        {
          name,
          kind: 'message',
          text,
          about: [...about],
          source,
          by,
          ...toTainted(quotes),
          ...(eyes ? { for: eyes } : {}),
          session,
        },
      ]
    })
}

const toName = (turn: string, number: number): string => `message.${turn}-${number}`

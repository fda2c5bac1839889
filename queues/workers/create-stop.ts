// The Stop button of a reply being written.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { toEndRow, toFirstRow } from '#shared/run/out-row.ts'
import { raise, stopKind, type Raised } from '#shared/run/question.ts'

const stopLivesMs = 2 * 3_600_000
const stopLabels: Readonly<Record<Language, string>> = { zh: '停止', en: 'Stop' }

/** A press does at once what /stop by `owner` does, and nothing once the turn has ended. */
export function createStop(
  id: string,
  { owner, turn, language }: { readonly owner: PrincipalId; readonly turn: string; readonly language: Language },
): Raised {
  const options = [[{ id: 'stop', label: stopLabels[language] }]]
  return raise(
    id,
    { options, payload: '' },
    {
      kind: stopKind,
      owner,
      admins: true,
      card: toFirstRow(turn),
      livesMs: stopLivesMs,
      acts: 'stop',
      until: toEndRow(turn),
    },
  )
}

// The Stop button of a reply being written.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { toEndRow, toFirstRow } from '#shared/run/out-row.ts'
import { raise, type Asked, type Raised } from '#shared/run/question.ts'

const stopLivesMs = 2 * 3_600_000
const stopLabels: Readonly<Record<Language, string>> = { zh: '停止', en: 'Stop' }

/** A press does at once what /stop by `owner` does, and nothing once the turn has ended. */
export function createStop(
  id: string,
  { owner, turn, language }: { readonly owner: PrincipalId; readonly turn: string; readonly language: Language },
): Raised {
  const options = [[{ id: 'stop', label: stopLabels[language] }]]
  const asked: Asked = { question: 'stop', options, payload: toEndRow(turn) }
  return raise(id, asked, { owner, card: toFirstRow(turn), admins: true, livesMs: stopLivesMs })
}

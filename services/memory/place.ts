// Which records are read and written where: in a direct chat those of its person, in a group those of the chat, everywhere those for all. A person's own
// records are never read where others are.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { ofAll, ofChat, ofPerson, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'

export type Place = {
  /** Where what is said here is kept. */
  readonly own: MemoryScope
  /** All that may be read here. */
  readonly reads: readonly MemoryScope[]
}

type Where = {
  readonly conversation: ConversationId
  readonly principal: PrincipalId
  /** Others read what is said. */
  readonly group: boolean
}

export function toPlace({ conversation, principal, group }: Where): Place {
  const own = group ? ofChat(conversation) : ofPerson(principal)
  return { own, reads: [own, ofAll] }
}

/** How a record is called here: `3`, and `g3` where it is for all. */
export const toLabel = ({ scope, number }: Pick<MemoryRecord, 'scope' | 'number'>): string =>
  scope === ofAll ? `g${number}` : String(number)

/** Undefined for what names no record. */
export function readLabel(text: string, { own }: Place): { scope: MemoryScope; number: number } | undefined {
  const [, global = '', digits] = /^#?(g?)(\d{1,9})$/i.exec(text.trim()) ?? []
  if (digits === undefined || Number(digits) === 0) return undefined
  return { scope: global === '' ? own : ofAll, number: Number(digits) }
}

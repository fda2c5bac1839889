// Which records are read and written where: in a direct chat those of its person, in a group those of the chat, everywhere those for all. A person's own
// records are never read where others are.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { MemorySettings } from './settings.ts'
import { ofAll, ofChat, ofPerson, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'

export type Place = {
  /** Where what is said here is kept. */
  readonly own: MemoryScope
  /** All that may be read here. */
  readonly reads: readonly MemoryScope[]
}

export type Where = {
  readonly conversation: ConversationId
  readonly principal: PrincipalId
  /** Others read what is said. */
  readonly group: boolean
}

export function toPlace({ conversation, principal, group }: Where): Place {
  const own = group ? ofChat(conversation) : ofPerson(principal)
  return { own, reads: [own, ofAll] }
}

/** What is read of memory. */
export type Reads = {
  /** All that is kept there. */
  readonly scopes: readonly MemoryScope[]
  /** Of these only what their person allows to be told in groups. */
  readonly allowedOf: readonly MemoryScope[]
}

/** All that may be read for whom a turn serves: in a group of their own records those that they allowed, or all where they allowed that. */
export async function findReads({ groups }: Pick<MemorySettings, 'groups'>, where: Where): Promise<Reads> {
  const { reads } = toPlace(where)
  if (!where.group) return { scopes: reads, allowedOf: [] }
  const own = ofPerson(where.principal)
  const isAllAllowed = (await groups.find(where.principal)) === 'on'
  return isAllAllowed ? { scopes: [...reads, own], allowedOf: [] } : { scopes: reads, allowedOf: [own] }
}

/** Others may read what is kept there: more is refused of it. */
export const isShared = (scope: MemoryScope): boolean => scope === ofAll || scope.startsWith('chat:')

/** How a record is called here: `3`; `g3` where it is for all, and `p3` where it is a person's own and is told in a group. */
export function toLabel({ scope, number }: Pick<MemoryRecord, 'scope' | 'number'>, place: Pick<Place, 'own'>): string {
  if (scope === ofAll) return `g${number}`
  return scope === place.own ? String(number) : `p${number}`
}

/** Undefined for what names no record. */
export function readLabel(text: string, { own }: Place): { scope: MemoryScope; number: number } | undefined {
  const [, global = '', digits] = /^(?:#|第 ?)?(g?)(\d{1,9})(?: ?条)?$/i.exec(text.trim()) ?? []
  if (digits === undefined || Number(digits) === 0) return undefined
  return { scope: global === '' ? own : ofAll, number: Number(digits) }
}

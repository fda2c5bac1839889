// Looks up what is known of the people and things that a text names, two relations far, in scopes that are named.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { GraphItem, MemoryGraph } from '#shared/memory/graph.ts'
import type { MemoryScope } from '#shared/memory/record.ts'
import { onOneLine, tellTeller, toDay } from '#services/memory/words.ts'
import { findNames } from './names.ts'
import { toStatements, type Statement } from './statements.ts'

export type LookUp = {
  readonly scopes: readonly MemoryScope[]
  readonly text: string
  readonly principal: PrincipalId
}

/** `score`: 0–1, of this search alone; the best first. */
export type FoundStatement = { readonly statement: Statement; readonly score: number }

/** How much counts that is so far away. */
const near = [0.9, 0.6, 0.3]

export async function lookUp(
  graph: Pick<MemoryGraph, 'walk'>,
  { scopes, text, principal }: LookUp,
): Promise<readonly FoundStatement[]> {
  const names = findNames(text, principal)
  const walked = await Promise.all(scopes.map((scope) => graph.walk(scope, names)))
  const named = new Set(names)
  const found = walked.flatMap(toStatements).map((statement): FoundStatement => {
    const { hop, confidence, validTo } = statement
    const isMeant = named.has(statement.item.key.toLowerCase())
    const past = validTo === undefined ? 1 : 0.5
    return { statement, score: Math.min(1, (near[hop] ?? 0) * confidence * past * (isMeant ? 1.2 : 1)) }
  })
  return found.toSorted((a, b) => b.score - a.score)
}

type Reader = { readonly principal: PrincipalId; readonly timeZone: string }

/** `- Bob works at Acme (said by Ada on 2026-03-01, not confirmed)` */
export function toGraphLine({ item, isConfirmed, validTo }: Statement, reader: Reader): string {
  const { principal, timeZone } = reader
  const says = item.kind === 'fact' ? onOneLine(item.value) : toName(item, item.to, principal)
  const who = tellTeller(item, principal)
  const notes = [
    `said by ${who} on ${toDay(item.saidAt, timeZone)}`,
    ...(validTo === undefined ? [] : [`until ${toDay(validTo, timeZone)}`]),
    ...(isConfirmed ? [] : ['not confirmed']),
  ]
  return `- ${toName(item, item.entity, principal)}: ${onOneLine(item.key)} ${says} (${notes.join(', ')})`
}

function toName({ name }: GraphItem, entity: GraphItem['entity'], principal: PrincipalId): string {
  if (entity.principal === undefined) return onOneLine(entity.name)
  return tellTeller({ speaker: entity.principal, ...(name === undefined ? {} : { name }) }, principal)
}

// Once a month at most, whoever has more than 50 KB kept is offered what was not used for the longest time. Nothing goes by itself.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Asking } from '#shared/feature/feature.ts'
import { ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import type { MemoryDeps } from './ports.ts'
import { offerToTidy } from './sources.ts'

type TidyContext = Pick<Asking, 'principal' | 'language' | 'zone'>

const mostBytes = 50_000
const monthMs = 30 * 86_400_000
/** Records are numbered in their order: the first of those that are left are looked at, so many numbers at once. */
const looked = 400
const mostLooks = 25
const mostOffered = 5
/** Kept with the choices of a person: when they were offered that last, ms. */
const offeredAt = 'memory_tidied'

export async function mayTidy(deps: MemoryDeps, principal: PrincipalId): Promise<boolean> {
  const read = await deps.memory.read(ofPerson(principal))
  if (read === 'same' || measure(read.records) * (read.count / Math.max(1, read.records.length)) <= mostBytes)
    return false
  const last = Number((await deps.findChoice(principal, offeredAt)) ?? 0)
  return Math.abs(deps.now() - last) >= monthMs
}

/** Notes are no semantic memory: they have a bound of their own. */
const measure = (records: readonly MemoryRecord[]): number =>
  records.reduce((sum, { kind, text }) => (kind === 'note' ? sum : sum + encoder.encode(text).length), 0)
const encoder = new TextEncoder()

export async function tidy(deps: MemoryDeps, context: TidyContext): Promise<readonly StepEffect<never>[]> {
  const { principal } = context
  if (!(await mayTidy(deps, principal))) return []
  await deps.setChoice(principal, offeredAt, String(deps.now()))
  const oldest = await findOldest(deps, principal)
  const unused = oldest.toSorted((a, b) => lastOf(a) - lastOf(b))
  return unused.length > 0 ? await offerToTidy(deps, context, unused.slice(0, mostOffered)) : []
}

/** Numbers are never used again: of who forgot much the first hundreds may be gone. */
async function findOldest({ memory }: MemoryDeps, principal: PrincipalId): Promise<readonly MemoryRecord[]> {
  const found: MemoryRecord[] = []
  for (let look = 0; look < mostLooks && found.length < mostOffered; look += 1) {
    const numbers = Array.from({ length: looked }, (_, at) => look * looked + at + 1)
    const some = await memory.find(ofPerson(principal), numbers)
    found.push(...some.filter(({ kind, pinned }) => kind !== 'note' && pinned !== true))
  }
  return found
}

/** What something newer took the place of is not used any more. */
const lastOf = ({ supersededBy, lastUsedAt, saidAt }: MemoryRecord): number =>
  supersededBy === undefined ? (lastUsedAt ?? saidAt) : 0

// What a person does with a record on the page. Each deed names the record as it was seen: what somebody else changed meanwhile is shown instead of being
// written over.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Localised } from '#shared/chat/message.ts'
import { BotError } from '#shared/errors.ts'
import type { Access } from '#shared/feature/ports.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { ofAll, ofPerson, type MemoryRecord, type NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { toMarks } from './marks.ts'
import { findRefusal } from './refuse.ts'
import { refusals } from './refusal-words.ts'
import { putInPlace, skillWords } from './rewrite.ts'
import { onOneLine } from './words.ts'
import { toShown, type ShownRecord } from './page-find.ts'

export type DeedDeps = {
  readonly access: Pick<Access, 'isOwner'>
  readonly memory: MemoryStore
  readonly clock: { now(): number }
}

/** `label`: `3`, or `g3` of what is kept for everybody; `id`: as what it was seen. */
export type Named = { readonly label: string; readonly id: string; readonly principal: PrincipalId }

export type Done =
  | { readonly kind: 'kept'; readonly record: ShownRecord }
  /** Nothing was done: it is another one now. */
  | { readonly kind: 'changed'; readonly record: ShownRecord }
  | { readonly kind: 'forgotten' }
  /** Memory keeps that of nobody. */
  | { readonly kind: 'refused'; readonly why: Localised }

/** Throws BotError `forbidden` or `not-found`. */
async function findNamed({ access, memory }: DeedDeps, { label, principal }: Named): Promise<MemoryRecord> {
  const isForAll = label.startsWith('g')
  if (isForAll && !(await access.isOwner(principal, 'web:main')))
    throw new BotError('forbidden', 'Only an owner changes what is kept for everybody.')
  const scope = isForAll ? ofAll : ofPerson(principal)
  const [record] = await memory.find(scope, [Number(label.replace('g', ''))])
  return record ?? sayGone()
}

function sayGone(): never {
  throw new BotError('not-found', 'That is not kept any more.')
}

/** Their words take the place of the record's. Throws BotError `bad-input` too, for no words. */
export async function edit(deps: DeedDeps, named: Named, words: string): Promise<Done> {
  const record = await findNamed(deps, named)
  const { principal } = named
  const own = ofPerson(principal)
  if (record.id !== named.id || record.supersededBy !== undefined)
    return { kind: 'changed', record: toShown(record, own) }
  if (record.kind === 'skill') throw new BotError('bad-input', skillWords.en)
  const text = onOneLine(words).toWellFormed()
  if (text === '') throw new BotError('bad-input', 'Write what is to be kept.')
  if (text === record.text) return { kind: 'kept', record: toShown(record, own) }
  const refusal = findRefusal(text, { group: record.scope === ofAll })
  if (refusal) return { kind: 'refused', why: refusals[refusal] }
  const made = toEdited(record, { text, principal, atMs: deps.clock.now() })
  const written = await putInPlace(deps.memory, record, made)
  return written.kind === 'kept' ? { kind: 'kept', record: toShown(written.record, own) } : sayGone()
}

/** It goes with the messages that the old words came of: they were made of those. */
const toEdited = (
  record: MemoryRecord,
  { text, principal, atMs }: { readonly text: string; readonly principal: PrincipalId; readonly atMs: number },
): NewRecord => ({
  id: toEventId('edited', 'web:main', `${record.scope} ${record.id} ${text}`),
  kind: record.kind,
  speaker: principal,
  text,
  saidAt: atMs,
  status: 'confirmed',
  confirmedBy: principal,
  origin: 'said',
  from: record.from,
  ...toMarks(record),
})

export async function forget(deps: DeedDeps, named: Named): Promise<Done> {
  const record = await findNamed(deps, named)
  if (record.id !== named.id) return { kind: 'changed', record: toShown(record, ofPerson(named.principal)) }
  await deps.memory.drop(record.scope, [record.id], 'for-good')
  return { kind: 'forgotten' }
}

export const pin = (deps: DeedDeps, named: Named, isPinned: boolean): Promise<Done> =>
  change(deps, named, (before) => ({ ...before, pinned: isPinned }))

/** Whether answers to them in groups may tell it: only of what is theirs. */
export const allow = (deps: DeedDeps, named: Named, isAllowed: boolean): Promise<Done> =>
  change(deps, named, ({ groups: _groups, ...before }) =>
    isAllowed && before.scope === ofPerson(named.principal) ? { ...before, groups: true } : before,
  )

export const confirm = (deps: DeedDeps, named: Named): Promise<Done> =>
  change(deps, named, (before) => ({ ...before, status: 'confirmed', confirmedBy: named.principal }))

async function change(deps: DeedDeps, named: Named, toChanged: (before: MemoryRecord) => MemoryRecord): Promise<Done> {
  const { scope, number, id } = await findNamed(deps, named)
  const own = ofPerson(named.principal)
  const changed =
    id === named.id
      ? await deps.memory.change(scope, number, (before) => (before.id === id ? toChanged(before) : undefined))
      : undefined
  if (changed) return { kind: 'kept', record: toShown(changed, own) }
  return { kind: 'changed', record: toShown(await findNamed(deps, named), own) }
}

// Writes one record. Its unit says which records resemble it; what that means is decided here; and the unit writes only where these records are still the
// same, so that of two writers at once the second one decides anew.
import type { MemoryRecord, NewRecord } from '#shared/memory/record.ts'
import type { Written } from '#shared/memory/store.ts'
import { integer, list, text } from '#queues/reply.ts'
import { changeRecord } from './change-record.ts'
import { toLikeness, type Likeness } from './like.ts'
import { mergeRepeat } from './merge-repeat.ts'
import { mostTries, toBusy, toFades, toRecord, type Memory } from './open-memory.ts'
import { callAt, type Place } from './place.ts'
import { point, unpoint } from './pointers.ts'
import { settle, toChanges, toConflict, type Settled } from './settle.ts'

/** Of one scope. */
export const mostRecords = 5000

/** `most`: how many records the scope may have. */
type Placed = { readonly place: Place; readonly record: NewRecord; readonly most: number }
/** The record is written without a comparison. `heir`: the record that superseded it. */
export type Alone = { readonly heir: MemoryRecord | undefined }
type New = Settled & { readonly kind: 'new' }

export async function writeRecord(memory: Memory, place: Place, record: NewRecord, alone?: Alone): Promise<Written> {
  // A scope without room must not fill the pointers of a chat: all people of the chat share them. The record may still be a repeat.
  const most = (await memory.count(place.at)) < mostRecords ? mostRecords : 0
  const pointed = most === 0 ? 'pointed' : await point(memory.call, place.at, record)
  if (pointed !== 'pointed') return { kind: pointed === 'full' ? 'full' : 'gone' }
  const likeness = toLikeness(memory.comparing, record, place.at)
  const placed = { place, record, most }
  let seen = alone ? '*' : ';'
  const heir = alone?.heir
  let settled: New = { kind: 'new', replaces: [], ...(heir && { behind: heir }) }
  let changes: readonly string[] = []
  for (let tries = 0; tries < mostTries; tries++) {
    const args = toArgs(placed, likeness, settled)
    const answer = list(await callAt(memory.call, 'memoryWrite', place, [...args, seen, ...changes]))
    const [kind, what = '', ...rest] = answer.map(text)
    if (kind === 'FULL') return { kind: 'full' }
    if (kind === 'GONE') return { kind: 'gone' }
    if (kind === 'NEW') return await toWritten(memory, placed, { kind: 'new', number: Number(what), settled })
    if (kind === 'SAME') return await toSame(memory, placed, [what, ...rest].map(Number))
    const [likes = '', ...found] = rest
    const decided = decide(memory, record, found, integer(likes))
    if (decided.kind === 'repeat') {
      const merged = await merge(memory, placed, decided.of)
      // Undefined: it went meanwhile, and is written anew.
      if (merged) return merged
      ;[seen, settled, changes] = [';', { kind: 'new', replaces: [] }, []]
    } else [seen, settled, changes] = [what, decided, decided.changes]
  }
  throw toBusy(place.at)
}

/** The unit alone knows the number that a new record has. */
function toArgs(
  { place, record, most }: Placed,
  { words, slot }: Likeness,
  { behind }: New,
): readonly (string | number)[] {
  const replaced = behind && { validTo: Math.max(behind.saidAt, record.saidAt), supersededBy: behind.number }
  const json = JSON.stringify({ v: 1, scope: place.at, ...record, ...replaced, uses: 0 })
  return [record.id, most, `${json.slice(0, -1)},"number":`, '}', words, slot, toFades(record)]
}

/** `found`: JSON of those like it, then of those in its slot. */
function decide(memory: Memory, record: NewRecord, found: readonly string[], likes: number) {
  const like = found.slice(0, likes).flatMap((json) => (json === '' ? [] : [toRecord(json)]))
  const mates = found.slice(likes).flatMap((json) => (json === '' ? [] : [{ json, record: toRecord(json) }]))
  const settled = settle(memory.comparing, record, { like, mates: mates.map((one) => one.record) })
  if (settled.kind === 'repeat') return settled
  return { ...settled, changes: toChanges(mates, settled.replaces, { saidAt: record.saidAt, number: 0 }) }
}

type Unit = { readonly kind: 'new'; readonly number: number; readonly settled: New }

async function toWritten(memory: Memory, { place }: Placed, { kind, number, settled }: Unit): Promise<Written> {
  const { replaces, against } = settled
  const [found, ...replaced] = await memory.find(place.at, [number, ...replaces.map((one) => one.number)])
  if (found?.number !== number) return { kind: 'gone' }
  return against ? { kind: 'conflict', record: found, against } : { kind, record: found, replaced }
}

/** What its first writing came to, from what stands there now. */
async function toSame(memory: Memory, { place }: Placed, [number = 0, ...mates]: readonly number[]): Promise<Written> {
  const [record, ...others] = await memory.find(place.at, [number, ...mates])
  if (record?.number !== number) return { kind: 'gone' }
  const against = toConflict(memory.comparing, record, others)
  if (against) return { kind: 'conflict', record, against }
  return { kind: 'same', record, replaced: others.filter((one) => one.supersededBy === number) }
}

async function merge(memory: Memory, { place, record }: Placed, of: MemoryRecord): Promise<Written | undefined> {
  const { call } = memory
  // Before the record knows it: a message that is forgotten in between is found.
  const pointed = await point(call, place.at, { id: of.id, from: record.from })
  if (pointed !== 'pointed') return { kind: pointed === 'full' ? 'full' : 'gone' }
  const merged = await changeRecord(memory, { place, number: of.number }, (before) => mergeRepeat(before, record))
  if (!merged) return undefined
  await unpoint(call, place.at, record)
  await unpoint(call, place.at, { id: of.id, from: without([...of.from, ...record.from], merged.from) })
  return { kind: 'repeat', record: merged, replaced: [] }
}

/** Messages that are no source of it. */
function without(from: NewRecord['from'], known: NewRecord['from']): NewRecord['from'] {
  const stays = new Set(known.flatMap(({ conversation, messages }) => messages.map((id) => `${conversation} ${id}`)))
  return from.map(({ conversation, messages }) => ({
    conversation,
    messages: messages.filter((id) => !stays.has(`${conversation} ${id}`)),
  }))
}

// Records of memory on Redis. A pointer from each message to what is made of it stands in the conversation's partition before the record is written, and
// each record in that of its scope, so that a message that is forgotten takes along all of them, also those of writers that come late.
import { ofPerson, type MemoryRecord, type MemoryScope, type NewRecord } from '#shared/memory/record.ts'
import type { Comparing, MemoryStore, Merged, ScopeRead, Which, Written } from '#shared/memory/store.ts'
import type { RedisClient } from '#queues/connection.ts'
import { groups, integer, list, text } from '#queues/reply.ts'
import type { CallUnit } from '#queues/units.ts'
import { changeRecord } from './change-record.ts'
import { fadeRecords } from './fade-records.ts'
import { forgetMemory } from './forget-memory.ts'
import { findUnder, mergeRecords, type Wanted } from './merge-records.ts'
import { openMemory, toRecord, type Memory } from './open-memory.ts'
import { callAt, toAsked, toStanding, type Place } from './place.ts'
import { unpoint } from './pointers.ts'
import { writeRecord } from './write-record.ts'

/** By one unit: others wait for Redis meanwhile. */
const mostDropped = 500
/** As many records of one scope are read at once; of more, the newest. */
const mostAtOnce = 200

export function createRedisMemory(redis: RedisClient, call: CallUnit, comparing: Comparing): MemoryStore {
  const memory = openMemory(redis, call, comparing)
  const { places } = memory
  return {
    write: (scope, record) =>
      places.in(scope, async (place) => toAskedWritten(await writeUnbarred(memory, place, record), place)),
    read: (scope, known) => places.try(scope, (place) => readScope(memory, place, known)),
    async find(scope, numbers) {
      // Each turn asks so, and nearly always for none.
      if (numbers.length === 0) return []
      const place = await places.find(scope)
      return (await memory.find(place.at, numbers)).map((record) => toAsked(record, place))
    },
    async findBy(scope, ids) {
      if (ids.length === 0) return []
      const place = await places.find(scope)
      return (await memory.findBy(place.at, ids)).map((record) => toAsked(record, place))
    },
    change: (scope, number, change) => places.in(scope, (place) => changeAsked(memory, { place, number }, change)),
    merge: (scope, numbers, how) => places.in(scope, (place) => mergeAsked(memory, place, { ...how, numbers })),
    drop: (scope, which, how) => places.in(scope, (place) => drop(memory, place, { which, how })),
    async use(scope, numbers, atMs) {
      if (numbers.length > 0) await places.try(scope, (place) => callAt(call, 'memoryUse', place, [atMs, ...numbers]))
    },
    fade: (nowMs) => fadeRecords(memory, nowMs),
    forget: (conversation, messages) => forgetMemory(call, conversation, messages),
  }
}

/** Elsewhere a version is another one, so that nothing is taken for what stood in another place. */
async function readScope({ call }: Memory, place: Place, known?: string): Promise<ScopeRead | 'same'> {
  const mark = place.at === place.scope ? '' : `${place.at} `
  const version = known?.startsWith(mark) ? known.slice(mark.length) : '-'
  const answer = list(await callAt(call, 'memoryRead', place, [version, mostAtOnce]))
  if (answer.length === 1) return 'same'
  const [now, count, found] = answer
  const records = groups(list(found), 2).map(([, json]) => toAsked(toRecord(text(json)), place))
  return {
    version: `${mark}${text(now)}`,
    count: integer(count),
    records: records.toSorted((a, b) => b.number - a.number),
  }
}

type At = { readonly place: Place; readonly number: number }

async function changeAsked(
  memory: Memory,
  { place, number }: At,
  change: (record: MemoryRecord) => MemoryRecord | undefined,
): Promise<MemoryRecord | undefined> {
  const changed = await changeRecord(memory, { place, number }, (before) => {
    const wanted = change(toAsked(before, place))
    return wanted && toStanding(wanted, before, place)
  })
  return changed && toAsked(changed, place)
}

/** What was inferred asks whether it may be kept; what a person says to be kept may be inferred from then on, too. */
async function writeUnbarred(memory: Memory, place: Place, record: NewRecord): Promise<Written> {
  const { bars } = memory
  const isSaid = record.origin === 'said' && record.status === 'confirmed'
  if (isSaid) await bars.lift(place, record)
  else if ((await bars.findBarred(place, [record])).length > 0) return { kind: 'gone' }
  return await writeRecord(memory, place, record)
}

async function mergeAsked(memory: Memory, place: Place, wanted: Wanted): Promise<Merged> {
  const merged = await mergeRecords(memory, place, wanted)
  return merged.kind === 'merged' ? { ...merged, record: toAsked(merged.record, place) } : merged
}

type Dropped = { readonly which: readonly Which[]; readonly how: 'for-good' | 'apart' | undefined }

async function drop(memory: Memory, place: Place, { which, how }: Dropped): Promise<number> {
  const { call, find, findBy } = memory
  const numbers = which.flatMap((one) => (typeof one === 'number' ? [one] : []))
  const ids = which.flatMap((one) => (typeof one === 'string' ? [one] : []))
  const named = [...(await find(place.at, numbers)), ...(await findBy(place.at, ids))]
  const under = how === 'apart' ? [] : await findUnder(memory, place, named)
  const gone = [...named, ...under]
  // First: what is inferred in between is barred already.
  if (how === 'for-good') await bar(memory, place, gone)
  // What has the place of others goes first: these hold again for as long as the unit takes.
  const below = under.map(({ number }) => `#${number}`)
  const names = [...numbers.map((number) => `#${number}`), ...ids.map((id) => `@${id}`), ...below]
  let count = 0
  for (let from = 0; from < names.length; from += mostDropped)
    count += integer(await callAt(call, 'memoryDrop', place, names.slice(from, from + mostDropped)))
  for (const record of gone) await unpoint(call, place.at, record)
  if (how === 'for-good') for (const scope of toPeople(place.scope, gone)) await dropQuestions(memory, scope)
  return Math.max(0, count - under.length)
}

/** Bars it there. What somebody said in a group is barred in that person's own scope, too. */
async function bar({ bars, places }: Memory, place: Place, gone: readonly MemoryRecord[]): Promise<void> {
  await bars.add(place, gone)
  if (!place.scope.startsWith('chat:')) return
  for (const [speaker, said] of Map.groupBy(gone, (one) => one.speaker))
    await bars.add(await places.find(ofPerson(speaker)), said)
}

/** The own scopes of the people whom these records are about. */
const toPeople = (scope: MemoryScope, gone: readonly MemoryRecord[]): readonly MemoryScope[] => {
  if (scope.startsWith('user:')) return [scope]
  return scope.startsWith('chat:') ? [...new Set(gone.map(({ speaker }) => ofPerson(speaker)))] : []
}

/** Takes away the questions that wait for this person and say as much as what is barred for them. */
async function dropQuestions(memory: Memory, scope: MemoryScope): Promise<void> {
  await memory.places.in(`ask:${scope.slice('user:'.length)}`, async (asked) => {
    const read = await readScope(memory, asked)
    const waiting = read === 'same' ? [] : read.records
    const barred = await memory.bars.findBarred(asked, waiting)
    if (barred.length > 0) await drop(memory, asked, { which: barred.map((one) => one.id), how: undefined })
  })
}

function toAskedWritten(written: Written, place: Place): Written {
  if (written.kind === 'full' || written.kind === 'gone') return written
  const record = toAsked(written.record, place)
  if (written.kind === 'conflict') return { ...written, record, against: toAsked(written.against, place) }
  return { ...written, record, replaced: written.replaced.map((one) => toAsked(one, place)) }
}

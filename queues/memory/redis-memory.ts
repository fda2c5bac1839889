// Records of memory on Redis. A pointer from each message to what is made of it stands in the conversation's partition before the record is written, and
// each record in that of its scope, so that a message that is forgotten takes along all of them, also those of writers that come late.
import type { MemoryRecord, MemoryScope, NewRecord } from '#shared/memory/record.ts'
import type { Comparing, MemoryStore, Merged, ScopeRead, Written } from '#shared/memory/store.ts'
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
      const place = await places.find(scope)
      return (await memory.find(place.at, numbers)).map((record) => toAsked(record, place))
    },
    async findBy(scope, ids) {
      const place = await places.find(scope)
      return (await memory.findBy(place.at, ids)).map((record) => toAsked(record, place))
    },
    change: (scope, number, change) => places.in(scope, (place) => changeAsked(memory, { place, number }, change)),
    merge: (scope, numbers, how) => places.in(scope, (place) => mergeAsked(memory, place, { ...how, numbers })),
    drop: (scope, numbers, how) => places.in(scope, (place) => drop(memory, place, { numbers, how })),
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
  else if (await bars.isBarred(place, record)) return { kind: 'gone' }
  return await writeRecord(memory, place, record)
}

async function mergeAsked(memory: Memory, place: Place, wanted: Wanted): Promise<Merged> {
  const merged = await mergeRecords(memory, place, wanted)
  return merged.kind === 'merged' ? { ...merged, record: toAsked(merged.record, place) } : merged
}

type Dropped = { readonly numbers: readonly number[]; readonly how: 'for-good' | 'apart' | undefined }

async function drop(memory: Memory, place: Place, { numbers, how }: Dropped): Promise<number> {
  const { call, find, bars } = memory
  const named = await find(place.at, numbers)
  const under = how === 'apart' ? [] : await findUnder(memory, place, named)
  const gone = [...named, ...under]
  // First: what is inferred in between is barred already.
  if (how === 'for-good') await bars.add(place, gone, Date.now())
  // What has the place of others goes first: these hold again for as long as the unit takes.
  const names = [...numbers, ...under.map(({ number }) => number)].map((number) => `#${number}`)
  let count = 0
  for (let from = 0; from < names.length; from += mostDropped)
    count += integer(await callAt(call, 'memoryDrop', place, names.slice(from, from + mostDropped)))
  for (const record of gone) await unpoint(call, place.at, record)
  if (how === 'for-good' && place.scope.startsWith('user:')) await dropQuestions(memory, place.scope)
  return Math.max(0, count - under.length)
}

/** Takes away the questions that wait for this person and say as much as what is barred for them. */
async function dropQuestions(memory: Memory, scope: MemoryScope): Promise<void> {
  await memory.places.in(`ask:${scope.slice('user:'.length)}`, async (asked) => {
    const read = await readScope(memory, asked)
    const waiting = read === 'same' ? [] : read.records
    const isBarred = await Promise.all(waiting.map((one) => memory.bars.isBarred(asked, one)))
    const numbers = waiting.filter((_, nth) => isBarred[nth] === true).map((one) => one.number)
    if (numbers.length > 0) await drop(memory, asked, { numbers, how: undefined })
  })
}

function toAskedWritten(written: Written, place: Place): Written {
  if (written.kind === 'full' || written.kind === 'gone') return written
  const record = toAsked(written.record, place)
  if (written.kind === 'conflict') return { ...written, record, against: toAsked(written.against, place) }
  return { ...written, record, replaced: written.replaced.map((one) => toAsked(one, place)) }
}

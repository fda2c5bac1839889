// Moves records from one scope to another, so that each stands in one of them at least at any time. What begins again goes on: a record that is there
// already is known by its id.
import type { MemoryRecord, MemoryScope, NewRecord } from '#shared/memory/record.ts'
import type { Written } from '#shared/memory/store.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'
import { changeRecord } from './change-record.ts'
import { mostTries, toBusy, toRecord, type Memory } from './open-memory.ts'
import { callAt, toMoving, type Mover, type Place } from './place.ts'
import { unpoint } from './pointers.ts'
import { toReplacedBy, type Read } from './settle.ts'
import { scopePrefix } from './scope-key.ts'
import { writeRecord, type Alone } from './write-record.ts'

const mostAtOnce = 500

/** Of a record that moves: as it is to be where it goes, and what stays of it. */
export type Parted = { readonly goes: MemoryRecord; readonly stays?: MemoryRecord }
export type Move = {
  readonly mover: Mover
  readonly from: MemoryScope
  readonly to: MemoryScope
  /** Undefined: it does not move. */
  part(record: MemoryRecord): Parted | undefined
}

/** By the old number of each record: the record where it went. For a record that does not go: the one that has its place there. */
type Heirs = Map<number, MemoryRecord | undefined>

/** False where there was no room for some, which stay. Throws `Moved` once somebody else moves the records of that scope. */
export async function moveRecords(memory: Memory, redis: RedisClient, move: Move): Promise<boolean> {
  await copyGone(memory, redis, move)
  const all = Object.values(await fromStore(redis.hgetall(`${scopePrefix(move.from)}mr:${move.from}`)))
  const isFirst = (await memory.count(move.to)) === 0
  const heirs: Heirs = new Map()
  let isWhole = true
  for (const { json, record } of toHeirsFirst(all.map((one) => ({ json: one, record: toRecord(one) })))) {
    const heir = heirs.get(record.supersededBy ?? 0)
    // A superseded record is not compared: a part of a merged record would become a repeat of it, and could not hold again.
    const alone = isFirst || heir ? { heir } : undefined
    const there = await moveOne(memory, move, { json, alone })
    if (there === 'full') isWhole = false
    heirs.set(record.number, (there === 'full' ? undefined : there) ?? heir)
  }
  return isWhole
}

/** Each record comes behind the one that superseded it; else the oldest comes first. */
function toHeirsFirst(all: readonly Read[]): readonly Read[] {
  const byNumber = new Map(all.map((one) => [one.record.number, one]))
  const [ordered, known]: [Read[], Set<number>] = [[], new Set()]
  for (const read of all.toSorted((a, b) => a.record.number - b.record.number)) {
    const chain: Read[] = []
    for (let one: Read | undefined = read; one && !known.has(one.record.number);) {
      known.add(one.record.number)
      chain.push(one)
      one = byNumber.get(one.record.supersededBy ?? 0)
    }
    ordered.push(...chain.toReversed())
  }
  return ordered
}

type One = {
  readonly json: string
  /** Set where nothing stood there before, since these records were compared with each other already; and for a superseded record. */
  readonly alone: Alone | undefined
}

/** The record where it went. A record that changes meanwhile is parted again, since somebody else may have said it, too. */
async function moveOne(memory: Memory, move: Move, { json, alone }: One): Promise<MemoryRecord | 'full' | undefined> {
  const to = toMoving(move.to, move.mover)
  const { number } = toRecord(json)
  let now: string | undefined = json
  let there: MemoryRecord | undefined
  let made: MemoryRecord | undefined
  for (let tries = 0; tries < mostTries; tries++) {
    const record: MemoryRecord | undefined = now === undefined ? undefined : toRecord(now)
    const parted = record && move.part(record)
    if (now === undefined || !record || !parted) return there
    // Before it changed, it was written under another id.
    if (made && made.id !== parted.goes.id) await takeBack(memory, to, made.number)
    const written = await writeRecord(memory, to, toNew(parted.goes), alone)
    if (written.kind === 'full') return 'full'
    there = written.kind === 'gone' ? undefined : written.record
    made = written.kind === 'repeat' ? undefined : there
    if (written.kind !== 'gone') await restore(memory, to, { written, goes: parted.goes, heir: alone?.heir })
    if (await takeFrom(memory, move, { read: { json: now, record }, stays: parted.stays })) return there
    now = await memory.findJson(move.from, number)
  }
  throw toBusy(move.from)
}

/** Its id may come again. */
async function takeBack(memory: Memory, to: Place, number: number): Promise<void> {
  const json = await memory.findJson(to.at, number)
  if (json === undefined) return
  await callAt(memory.call, 'memoryMove', to, [number, json])
}

type Taken = { readonly read: Read; readonly stays: MemoryRecord | undefined }

/** Takes it away where it was. False where it has changed. */
async function takeFrom(memory: Memory, { mover, from: scope }: Move, { read, stays }: Taken): Promise<boolean> {
  const { json, record } = read
  const place = toMoving(scope, mover)
  const isTaken = stays
    ? (await changeRecord(memory, { place, number: record.number }, (now) =>
        JSON.stringify(now) === JSON.stringify(record) ? stays : undefined,
      )) !== undefined
    : (await callAt(memory.call, 'memoryMove', place, [record.number, json])) === 1
  if (!isTaken) return false
  const from = stays ? record.from.filter((one) => !stays.from.includes(one)) : record.from
  await unpoint(memory.call, scope, { id: record.id, from })
  return true
}

function toNew(record: MemoryRecord): NewRecord {
  const { v: _v, scope: _scope, number: _number, uses: _uses, lastUsedAt: _used, ...rest } = record
  const { validTo: _until, supersededBy: _by, ...made } = rest
  return made
}

type Restored = {
  readonly written: Extract<Written, { record: MemoryRecord }>
  readonly goes: MemoryRecord
  /** What took its place where it was, as it stands where it goes. */
  readonly heir: MemoryRecord | undefined
}

/** What a new record does not have: how often it was used, and that something took its place. */
async function restore(memory: Memory, place: Place, { written, goes, heir }: Restored): Promise<void> {
  await changeRecord(memory, { place, number: written.record.number }, (now) => {
    const uses = Math.max(now.uses, goes.uses)
    const lastUsedAt = Math.max(now.lastUsedAt ?? 0, goes.lastUsedAt ?? 0)
    const used = { ...now, uses, ...(lastUsedAt > 0 && { lastUsedAt }), ...(goes.pinned === true && { pinned: true }) }
    const isOld = heir && heir.number !== now.number && now.supersededBy === undefined && written.kind !== 'repeat'
    // It is told in groups only where both had allowed it.
    const { groups: _groups, ...untold } = used
    const joined = written.kind === 'repeat' ? (goes.groups ? used : untold) : used
    const changed = isOld ? toReplacedBy(joined, heir, heir.number) : joined
    return JSON.stringify(changed) === JSON.stringify(now) ? undefined : changed
  })
}

/** What was taken away in one scope does not come late in the other. */
async function copyGone({ call }: Memory, redis: RedisClient, { mover, from, to }: Move): Promise<void> {
  const gone = await fromStore(redis.zrange(`${scopePrefix(from)}mg:${from}`, '0', '-1'))
  for (let at = 0; at < gone.length; at += mostAtOnce) {
    const some = gone.slice(at, at + mostAtOnce)
    await callAt(call, 'memoryBar', toMoving(to, mover), some)
  }
}

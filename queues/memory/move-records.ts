// Moves records from one scope to another, so that each stands in one of them at least at any time. What begins again goes on: a record that is there
// already is known by its id.
import type { MemoryRecord, MemoryScope, NewRecord } from '#shared/memory/record.ts'
import type { Written } from '#shared/memory/store.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'
import { changeRecord } from './change-record.ts'
import { joinSources } from './merge-repeat.ts'
import { toRecord, type Memory } from './open-memory.ts'
import { callAt, toMoving, type Mover, type Place } from './place.ts'
import { unpoint } from './pointers.ts'
import { toReplacedBy } from './settle.ts'
import { scopePrefix } from './scope-key.ts'
import { writeRecord } from './write-record.ts'

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

/** By the number that each had: as it stands where it went; of what does not go, what took its place there. */
type Heirs = Map<number, MemoryRecord | undefined>

/** What there is no room for stays. Throws `Moved` once somebody else moves the records of that account. */
export async function moveRecords(memory: Memory, redis: RedisClient, move: Move): Promise<void> {
  await copyGone(memory, redis, move)
  const all = Object.values(await fromStore(redis.hgetall(`${scopePrefix(move.from)}mr:${move.from}`))).map(toRecord)
  const isFirst = (await memory.count(move.to)) === 0
  const heirs: Heirs = new Map()
  for (const record of toHeirsFirst(all)) {
    const heir = heirs.get(record.supersededBy ?? 0)
    const parted = move.part(record)
    const goes = parted && (await moveOne(memory, { move, record, parted, heir, isFirst }))
    heirs.set(record.number, goes ?? heir)
  }
}

/** Each behind what has its place, so that it finds that there; else the oldest first. */
function toHeirsFirst(all: readonly MemoryRecord[]): readonly MemoryRecord[] {
  const byNumber = new Map(all.map((one) => [one.number, one]))
  const [ordered, known]: [MemoryRecord[], Set<number>] = [[], new Set()]
  for (const record of all.toSorted((a, b) => a.number - b.number)) {
    const chain: MemoryRecord[] = []
    for (let one: MemoryRecord | undefined = record; one && !known.has(one.number);) {
      known.add(one.number)
      chain.push(one)
      one = byNumber.get(one.supersededBy ?? 0)
    }
    ordered.push(...chain.toReversed())
  }
  return ordered
}

type One = {
  readonly move: Move
  readonly record: MemoryRecord
  readonly parted: Parted
  /** What has its place where it goes. */
  readonly heir: MemoryRecord | undefined
  /** Nothing stood there: these were compared with each other where they were. */
  readonly isFirst: boolean
}

/** As it stands where it went. */
async function moveOne(
  memory: Memory,
  { move, record, parted, heir, isFirst }: One,
): Promise<MemoryRecord | undefined> {
  const { goes, stays } = parted
  const [from, to] = [toMoving(move.from, move.mover), toMoving(move.to, move.mover)]
  // What something has the place of repeats nothing: part of a merged record would else go up in it, and not hold again.
  const alone = isFirst || heir ? { heir } : undefined
  const written = await writeRecord(memory, to, toNew(goes), alone)
  if (written.kind === 'full') return undefined
  const there = written.kind === 'gone' ? undefined : written.record
  if (written.kind !== 'gone') await restore(memory, to, { written, goes, heir })
  if (stays) {
    await changeRecord(memory, { place: from, number: record.number }, (now) =>
      now.id === record.id ? { ...stays, text: now.text } : undefined,
    )
    await unpoint(memory.call, move.from, {
      id: record.id,
      from: record.from.filter((one) => !stays.from.includes(one)),
    })
    return there
  }
  await callAt(memory.call, 'memoryMove', from, [record.number])
  await unpoint(memory.call, move.from, record)
  return there
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

/** What a new record does not have: how often it was used, and that something took its place. One that stands there already takes its messages in, too. */
async function restore(memory: Memory, place: Place, { written, goes, heir }: Restored): Promise<void> {
  await changeRecord(memory, { place, number: written.record.number }, (now) => {
    const uses = Math.max(now.uses, goes.uses)
    const lastUsedAt = Math.max(now.lastUsedAt ?? 0, goes.lastUsedAt ?? 0)
    const used = { ...now, uses, ...(lastUsedAt > 0 && { lastUsedAt }), ...(goes.pinned === true && { pinned: true }) }
    const isOld = heir && heir.number !== now.number && now.supersededBy === undefined && written.kind !== 'repeat'
    const joined = written.kind === 'repeat' ? used : joinSources(used, goes)
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

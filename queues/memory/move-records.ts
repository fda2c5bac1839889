// Moves records from one scope to another, so that each stands in one of them at least at any time. What begins again goes on: a record that is there
// already is known by its id.
import type { MemoryRecord, MemoryScope, NewRecord } from '#shared/memory/record.ts'
import type { Written } from '#shared/memory/store.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'
import { changeRecord } from './change-record.ts'
import { toRecord, type Memory } from './open-memory.ts'
import { callAt, toRaw } from './place.ts'
import { unpoint } from './pointers.ts'
import { toReplacedBy } from './settle.ts'
import { scopePrefix } from './scope-key.ts'
import { writeRecord } from './write-record.ts'

const mostAtOnce = 500

/** Of a record that moves: as it is to be where it goes, and what stays of it. */
export type Parted = { readonly goes: MemoryRecord; readonly stays?: MemoryRecord }
export type Move = {
  readonly from: MemoryScope
  readonly to: MemoryScope
  /** Undefined: it does not move. */
  part(record: MemoryRecord): Parted | undefined
}

type Numbers = Map<number, MemoryRecord>

/** What there is no room for stays. */
export async function moveRecords(memory: Memory, redis: RedisClient, move: Move): Promise<void> {
  await copyGone(memory, redis, move)
  const all = Object.values(await fromStore(redis.hgetall(`${scopePrefix(move.from)}mr:${move.from}`))).map(toRecord)
  // What holds goes first, so that what it took the place of finds it there; the rest from the newest on, for the same reason.
  const current = all.filter((one) => one.supersededBy === undefined).toSorted((a, b) => a.number - b.number)
  const old = all.filter((one) => one.supersededBy !== undefined).toSorted((a, b) => b.number - a.number)
  const moved: Numbers = new Map()
  for (const record of [...current, ...old]) {
    const parted = move.part(record)
    if (parted) await moveOne(memory, { move, record, parted, moved })
  }
}

type One = {
  readonly move: Move
  readonly record: MemoryRecord
  readonly parted: Parted
  /** By the number that each had. */
  readonly moved: Numbers
}

async function moveOne(memory: Memory, { move, record, parted, moved }: One): Promise<void> {
  const { goes, stays } = parted
  const written = await writeRecord(memory, toRaw(move.to), toNew(goes))
  if (written.kind === 'full') return
  if (written.kind !== 'gone') {
    await restore(memory, move.to, { written, goes, heir: moved.get(goes.supersededBy ?? 0) })
    moved.set(record.number, written.record)
  }
  if (stays) {
    await changeRecord(memory, { place: toRaw(move.from), number: record.number }, (now) =>
      now.id === record.id ? { ...stays, text: now.text } : undefined,
    )
    return
  }
  await callAt(memory.call, 'memoryMove', toRaw(move.from), [record.number])
  await unpoint(memory.call, move.from, record)
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
async function restore(memory: Memory, to: MemoryScope, { written, goes, heir }: Restored): Promise<void> {
  await changeRecord(memory, { place: toRaw(to), number: written.record.number }, (now) => {
    const uses = Math.max(now.uses, goes.uses)
    const lastUsedAt = Math.max(now.lastUsedAt ?? 0, goes.lastUsedAt ?? 0)
    const used = { ...now, uses, ...(lastUsedAt > 0 && { lastUsedAt }), ...(goes.pinned === true && { pinned: true }) }
    const isOld = heir && heir.number !== now.number && now.supersededBy === undefined && written.kind !== 'repeat'
    const changed = isOld ? toReplacedBy(used, heir, heir.number) : used
    return JSON.stringify(changed) === JSON.stringify(now) ? undefined : changed
  })
}

/** What was taken away in one scope does not come late in the other. */
async function copyGone({ call }: Memory, redis: RedisClient, { from, to }: Move): Promise<void> {
  const gone = await fromStore(redis.zrange(`${scopePrefix(from)}mg:${from}`, '0', '-1'))
  for (let at = 0; at < gone.length; at += mostAtOnce) {
    const some = gone.slice(at, at + mostAtOnce)
    await callAt(call, 'memoryBar', toRaw(to), some)
  }
}

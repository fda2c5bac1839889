// Keeps an index of memory up to date, in one process at a time: what changed since it looked last is read from Redis as it is now, put in or taken out,
// and then passed. So a death repeats a page and loses none. An index that has not begun, or missed more than is kept, gets all there is.
// Where Redis lost its last seconds, it stands before what was passed already: what had changed then is read once more, as it is now.
import { setTimeout as sleep } from 'node:timers/promises'
import type { MemoryIndexWriter } from '#shared/memory/entry.ts'
import type { MemoryRecord, MemoryScope } from '#shared/memory/record.ts'
import { toEntry } from '#shared/memory/to-entry.ts'
import { runUnderLease, type LeaseOptions } from '#queues/fleet/lease.ts'
import { isBefore, type Change, type MemoryChanges } from '#queues/memory/changes.ts'
import type { CallUnit } from '#queues/units.ts'

export type IndexDeps = {
  readonly call: CallUnit
  readonly liveness: LeaseOptions['liveness']
  readonly changes: MemoryChanges
  readonly index: MemoryIndexWriter
  /** Of the lease; an index that is kept behind another has its own. */
  readonly lease?: string
  /** Names the index; another one, or one that was emptied, has another name. */
  identify(): Promise<string>
  readonly onTrouble: (what: string, error?: unknown) => void
  /** Told with each trouble, instead of the usual words. */
  readonly trouble?: string
  readonly everyMs: number
}

const page = 500
/** Changes that are known for a while after they were passed: Redis may lose its last seconds, and them with these. */
const mostPassed = 5000
const usualTrouble = 'The index of memory cannot be kept up to date now. It catches up later.'
const awayMs = 5000

/** Follows until `signal` aborts. */
export async function indexMemory(deps: IndexDeps, signal: AbortSignal): Promise<void> {
  const lease = { call: deps.call, liveness: deps.liveness, name: deps.lease ?? 'memory-index' }
  const passed: Passed[] = []
  await runUnderLease(lease, (held) => follow(deps, passed, held), signal)
}

/** `last`: how far its partition was read with it. */
type Passed = { readonly partition: number; readonly last: string; readonly changes: readonly Change[] }

async function follow(deps: IndexDeps, passed: Passed[], signal: AbortSignal): Promise<void> {
  const places = new Map<number, string>()
  let known: string | undefined
  while (!signal.aborted) {
    let waitMs = deps.everyMs
    try {
      const name = await deps.identify()
      if (name !== known) places.clear()
      known = name
      await followOnce(deps, name, { places, passed, signal })
    } catch (error) {
      deps.onTrouble(deps.trouble ?? usualTrouble, error)
      waitMs = awayMs
    }
    await sleep(waitMs, undefined, { signal }).catch(() => {})
  }
}

type At = { readonly places: Map<number, string>; readonly passed: Passed[]; readonly signal: AbortSignal }

/** A partition that fails does not hold up the others. Throws the first failure in the end. */
async function followOnce(deps: IndexDeps, name: string, { places, passed, signal }: At): Promise<void> {
  const last = await deps.changes.last()
  const failures: unknown[] = []
  for (const [partition, newest] of last.entries()) {
    if (places.get(partition) === newest || signal.aborted) continue
    try {
      await mend(deps, { partition, name, passed })
      if (newest === undefined) places.delete(partition)
      else places.set(partition, await readOn(deps, { partition, name, newest, passed, signal }))
    } catch (error) {
      // It may have been taken in and not passed: where Redis then loses it, too, nothing would look new.
      places.delete(partition)
      if (!signal.aborted) failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** Takes in once more what Redis has forgotten that it was passed. */
async function mend(
  deps: IndexDeps,
  { partition, name, passed }: Pick<Partition, 'partition' | 'name' | 'passed'>,
): Promise<void> {
  if (!passed.some((one) => one.partition === partition)) return
  const place = (await deps.changes.findPlace(partition, name)) ?? '0-0'
  const isLost = (one: Passed): boolean => one.partition === partition && isBefore(place, one.last)
  const lost = passed.filter(isLost)
  if (lost.length === 0) return
  await take(
    deps,
    lost.flatMap(({ changes }) => changes),
  )
  passed.splice(0, passed.length, ...passed.filter((one) => !isLost(one)))
}

type Partition = {
  readonly partition: number
  readonly name: string
  readonly newest: string
  readonly passed: Passed[]
  readonly signal: AbortSignal
}

/** One page, or all. Where it is then. */
async function readOn(deps: IndexDeps, { partition, name, newest, passed, signal }: Partition): Promise<string> {
  const { changes } = deps
  const place = await changes.findPlace(partition, name)
  const read = place === undefined ? undefined : await changes.read(partition, place, page)
  if (!read) {
    for (const scope of await changes.scopes(partition)) {
      // It is begun again by whoever follows next.
      signal.throwIfAborted()
      await putScope(deps, scope)
    }
    await changes.pass(partition, name, newest)
    return newest
  }
  // First: who fails amid it may have written some.
  remember(passed, { partition, last: read.last, changes: read.changes })
  await take(deps, read.changes)
  await changes.pass(partition, name, read.last)
  return read.last
}

function remember(passed: Passed[], one: Passed): void {
  passed.push(one)
  let count = passed.reduce((sum, { changes }) => sum + changes.length, 0)
  while (count > mostPassed) count -= passed.shift()?.changes.length ?? count
}

async function putScope(deps: IndexDeps, scope: MemoryScope): Promise<void> {
  for await (const records of deps.changes.readScope(scope)) await put(deps, scope, records)
}

/**
 * A record that was taken away while it was written goes at once: a process that was frozen meanwhile lost the lease, and another one has passed that change.
 */
async function put({ changes, index }: IndexDeps, scope: MemoryScope, records: readonly MemoryRecord[]): Promise<void> {
  if (records.length === 0) return
  await index.put(records.map(toEntry))
  const numbers = records.map(({ number }) => number)
  const there = new Set((await changes.find(scope, numbers)).map(({ number }) => number))
  const gone = numbers.filter((number) => !there.has(number))
  if (gone.length > 0) await index.drop(gone.map((number) => ({ scope, id: String(number) })))
}

async function take(deps: IndexDeps, all: readonly Change[]): Promise<void> {
  const { changes, index } = deps
  const byScope = Map.groupBy(all, ({ scope }) => scope)
  for (const [scope, own] of byScope) {
    const numbers = [...new Set(own.map(({ number }) => number))]
    const there = await changes.find(scope, numbers)
    const found = new Set(there.map(({ number }) => number))
    const gone = numbers.filter((number) => !found.has(number))
    await put(deps, scope, there)
    if (gone.length > 0) await index.drop(gone.map((number) => ({ scope, id: String(number) })))
  }
}

// Follows the records of all partitions for one reader, from where it had read to. Several processes may be asked to; a lease lets one at a time
// work, and what two believe to do is done once, for each passes a line only from where the other left it.
//
// A line here:  begun -taken in-> passed  |  -failed-> begun again, later  |  -failed three times-> set aside and passed
//               |  -its store is away, only a newer release can read it, or this process stops-> begun again, and not counted.
import { setTimeout as sleep } from 'node:timers/promises'
import { BotError } from '#shared/errors.ts'
import type { RecordLine } from '#shared/run/record.ts'
import type { Letter } from '#shared/run/step.ts'
import { runUnderLease } from '#queues/fleet/lease.ts'
import { partitions } from '#queues/partition.ts'
import type { GoneLine, Records } from '#queues/records/records.ts'
import type { CallUnit } from '#queues/units.ts'
import type { Carry } from './carry-letters.ts'
import { tellUnlessAway, type Tell } from './tell-unless-away.ts'

export type RecordReader = {
  /** `<feature>.<projection>`. */
  readonly name: string
  /** Takes a line in, and says which letters its passing writes. */
  take(line: RecordLine, signal: AbortSignal): Promise<readonly Letter[]>
}

export type FollowDeps = {
  readonly kernel: Pick<Records, 'lastRecords' | 'readRecords' | 'startReading' | 'passRecord'>
  readonly call: CallUnit
  readonly carry: Carry
  readonly onTrouble: Tell
  /** How often it looks for what is new, ms. */
  readonly everyMs: number
}

const leaseMs = 10_000
/** Of so many partitions at once, each in its order. */
const mostAtOnce = 8
const page = 100
const mostStarts = 3
/** Before the second and the third try. */
const againAfterMs = [1000, 5000]
const awayMs = 5000

/** Follows until `signal` aborts. */
export async function followRecords(deps: FollowDeps, reader: RecordReader, signal: AbortSignal): Promise<void> {
  const lease = { call: deps.call, name: `records-${reader.name}`, ttlMs: leaseMs }
  await runUnderLease(lease, (held) => follow(deps, reader, held), signal)
}

type Place = { readonly at?: string | undefined; readonly notBeforeMs: number }

async function follow(deps: FollowDeps, reader: RecordReader, signal: AbortSignal): Promise<void> {
  const places = new Map<number, Place>()
  const running = new Map<number, Promise<void>>()
  while (!signal.aborted) {
    const last = await deps.kernel.lastRecords().catch((): readonly undefined[] => [])
    const isNew = (partition: number): boolean => {
      const { at, notBeforeMs = 0 } = places.get(partition) ?? {}
      return last[partition] !== undefined && last[partition] !== at && notBeforeMs <= performance.now()
    }
    // Who waited longest comes first.
    const due = Array.from({ length: partitions }, (_, partition) => partition)
      .filter((partition) => !running.has(partition) && isNew(partition))
      .toSorted((a, b) => (places.get(a)?.notBeforeMs ?? 0) - (places.get(b)?.notBeforeMs ?? 0))
    for (const partition of due.slice(0, mostAtOnce - running.size)) {
      const reading = readOn(deps, reader, partition, signal).then((place) => {
        places.set(partition, place)
        running.delete(partition)
      })
      running.set(partition, reading)
    }
    const more = due.length > 0 && running.size < due.length
    const pause = sleep(deps.everyMs, undefined, { signal }).catch(() => {})
    await (more ? Promise.race([pause, ...running.values()]) : pause)
  }
  await Promise.all(running.values())
}

/** Reads on to the end of a partition; where that is, and when to look again. Never throws. */
async function readOn(deps: FollowDeps, reader: RecordReader, partition: number, signal: AbortSignal): Promise<Place> {
  try {
    for (;;) {
      const { after, starts } = await deps.kernel.startReading(partition, reader.name)
      if (starts === 0) return { at: after, notBeforeMs: performance.now() }
      const waitMs = await readPage(deps, reader, { partition, after, starts }, signal)
      if (waitMs !== undefined) return { notBeforeMs: performance.now() + waitMs }
    }
  } catch (error) {
    tellUnlessAway(deps.onTrouble, 'Records of a partition cannot be read. See flotilla doctor.', error)
    return { notBeforeMs: performance.now() + awayMs }
  }
}

type Page = { readonly partition: number; readonly after: string; readonly starts: number }

/** Undefined where it goes on at once. */
async function readPage(
  deps: FollowDeps,
  reader: RecordReader,
  { partition, after, starts }: Page,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { kernel, onTrouble } = deps
  let [before, begun] = [after, starts]
  /** The line that was begun was not tried, or may be tried as often as need be. */
  const giveBack = (): Promise<unknown> =>
    kernel.passRecord({ partition, reader: reader.name, before, name: before, goesOn: false })
  const lines = await kernel.readRecords(partition, after, page).catch(async (error: unknown) => {
    await giveBack()
    if (isLater(error)) return undefined
    throw error
  })
  if (!lines) return awayMs
  for (const [i, line] of lines.entries()) {
    if (signal.aborted) return await giveBack().then(() => 0)
    const setAside = begun > mostStarts
    const taken = setAside ? [] : await take(reader, line, signal).catch(toFailure)
    if (taken instanceof Failure) {
      if (signal.aborted || isLater(taken.cause)) return await giveBack().then(() => awayMs)
      onTrouble(`${reader.name} failed at a record.`, taken.cause)
      return againAfterMs[begun - 1] ?? 0
    }
    if (setAside)
      onTrouble(
        `${reader.name} passes over the record ${line.name} of ${line.conversation}: it failed three times.`,
        undefined,
      )
    const letters = taken.length > 0 ? { from: line.conversation, letters: taken } : {}
    const step = { partition, reader: reader.name, before, name: line.name, goesOn: i + 1 < lines.length }
    if ((await kernel.passRecord({ ...step, ...letters, setAside })) === 'BEHIND') return 0
    if (taken.length > 0) deps.carry(partition)
    before = line.name
    begun = 1
  }
  return undefined
}

class Failure {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}
const toFailure = (error: unknown): Failure => new Failure(error)

const isLater = (error: unknown): boolean =>
  error instanceof BotError && (error.retry !== 'never' || error.code === 'store-newer')

/** What is gone, or can be nothing, is passed. */
async function take(
  reader: RecordReader,
  line: RecordLine | GoneLine,
  signal: AbortSignal,
): Promise<readonly Letter[]> {
  return line.kind === 'gone' || line.kind === 'broken' ? [] : await reader.take(line, signal)
}

// Follows the records of all partitions for one reader, from where it had read to. Several processes may be asked to; a lease lets one at a time
// work, and what two believe to do is done once, for each passes a line only from where the other left it.
//
// A line here:  begun -taken in-> passed  |  -failed-> begun again, later  |  -failed three times-> set aside and passed
//               |  -its store is away, only a newer release can read it, or this process stops-> begun again, and not counted
//               |  -its process died-> begun again alone, so that it is known whose fault that is  |  -died three times-> set aside and passed.
import { setTimeout as sleep } from 'node:timers/promises'
import { BotError } from '#shared/errors.ts'
import type { RecordLine } from '#shared/run/record.ts'
import type { Letter } from '#shared/run/step.ts'
import { runUnderLease } from '#queues/fleet/lease.ts'
import { partitions } from '#queues/partition.ts'
import type { GoneLine, Records } from '#queues/records/records.ts'
import type { CallUnit } from '#queues/units.ts'
import type { Carry } from './carry-letters.ts'
import type { ReadingRoom } from './reading-room.ts'
import { tellUnlessAway, type Tell } from './tell-unless-away.ts'

export type RecordReader = {
  /** `<feature>.<projection>`. */
  readonly name: string
  /** Takes a line in, and says which letters its passing writes. */
  take(line: RecordLine, signal: AbortSignal): Promise<readonly Letter[]>
}

export type FollowDeps = {
  readonly kernel: Pick<Records, 'lastRecords' | 'readRecords' | 'findPlace' | 'startReading' | 'passRecord'>
  /** Of this process, for all of its readers. */
  readonly room: ReadingRoom
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
const mostTries = 3
/** Before the second and the third try. */
const againAfterMs = [1000, 5000]
const awayMs = 5000

/** Follows until `signal` aborts. */
export async function followRecords(deps: FollowDeps, reader: RecordReader, signal: AbortSignal): Promise<void> {
  const lease = { call: deps.call, name: `records-${reader.name}`, ttlMs: leaseMs }
  await runUnderLease(lease, (held) => follow(deps, reader, held), signal)
}

/** Where a reader stands in a partition; `failed`: how often it failed at the line behind that. */
type Place = {
  readonly at?: string | undefined
  readonly notBeforeMs: number
  readonly failed: number
}
type Reading = FollowDeps & { readonly reader: RecordReader; readonly partition: number; readonly signal: AbortSignal }

async function follow(deps: FollowDeps, reader: RecordReader, signal: AbortSignal): Promise<void> {
  const places = new Map<number, Place>()
  const running = new Map<number, Promise<void>>()
  while (!signal.aborted) {
    const last = await deps.kernel.lastRecords()
    const isNew = (partition: number): boolean => {
      const { at, notBeforeMs = 0 } = places.get(partition) ?? {}
      return last[partition] !== undefined && last[partition] !== at && notBeforeMs <= performance.now()
    }
    // Who waited longest comes first.
    const due = Array.from({ length: partitions }, (_, partition) => partition)
      .filter((partition) => !running.has(partition) && isNew(partition))
      .toSorted((a, b) => (places.get(a)?.notBeforeMs ?? 0) - (places.get(b)?.notBeforeMs ?? 0))
    for (const partition of due.slice(0, mostAtOnce - running.size)) {
      const { failed = 0 } = places.get(partition) ?? {}
      const reading = readOn({ ...deps, reader, partition, signal }, failed).then((place) => {
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
async function readOn(reading: Reading, failed: number): Promise<Place> {
  const { kernel, room, reader, partition, signal, onTrouble } = reading
  let tries = failed
  try {
    for (;;) {
      const { starts: died } = await kernel.findPlace(partition, reader.name)
      const leave = await room.enter(died > 0)
      try {
        if (signal.aborted) return { notBeforeMs: 0, failed: tries }
        const { after, starts } = await kernel.startReading(partition, reader.name)
        if (starts === 0) return { at: after, notBeforeMs: performance.now(), failed: 0 }
        const isDeadly = starts > mostTries || tries >= mostTries
        const end = await readPage(reading, { after, isDeadly, most: died > 0 ? 1 : page })
        if (end.kind === 'failed') {
          tries = end.passed > 0 ? 1 : tries + 1
          return { notBeforeMs: performance.now() + (againAfterMs[tries - 1] ?? 0), failed: tries }
        }
        if (end.kind === 'later') return { notBeforeMs: performance.now() + awayMs, failed: tries }
        tries = 0
      } finally {
        leave()
      }
    }
  } catch (error) {
    tellUnlessAway(onTrouble, 'Records of a partition cannot be read. See flotilla doctor.', error)
    return { notBeforeMs: performance.now() + awayMs, failed: tries }
  }
}

type Page = { readonly after: string; readonly isDeadly: boolean; readonly most: number }
type PageEnd = { readonly kind: 'read' | 'failed' | 'later'; readonly passed: number }

/** `isDeadly`: the first line failed, or died with its process, as often as it may. */
async function readPage(reading: Reading, { after, isDeadly, most }: Page): Promise<PageEnd> {
  const { kernel, reader, partition, signal, onTrouble } = reading
  let before = after
  let passed = 0
  const end = async (kind: PageEnd['kind']): Promise<PageEnd> => {
    // Nothing is begun any more. What failed is known to have, so that it killed nobody.
    await kernel.passRecord({ partition, reader: reader.name, before, name: before, goesOn: false })
    return { kind, passed }
  }
  const lines = await kernel.readRecords(partition, after, most).catch(toFailure)
  if (lines instanceof Failure) {
    if (isLater(lines.cause)) return await end('later')
    throw lines.cause
  }
  const broken = lines.filter(({ kind }) => kind === 'broken')
  if (broken.length > 0)
    onTrouble(`${broken.length} records of partition ${partition} cannot be read, first ${broken[0]?.name}.`, undefined)
  for (const [i, line] of lines.entries()) {
    if (signal.aborted) return await end('later')
    const setAside = isDeadly && i === 0
    const taken = setAside ? [] : await take(reader, line, signal).catch(toFailure)
    if (taken instanceof Failure) {
      if (signal.aborted || isLater(taken.cause)) return await end('later')
      onTrouble(`${reader.name} failed at a record.`, taken.cause)
      return await end('failed')
    }
    if (setAside)
      onTrouble(
        `${reader.name} passes over the record ${line.name} of ${line.conversation ?? `partition ${partition}`}: it failed three times.`,
        undefined,
      )
    const letters = line.conversation && taken.length > 0 ? { from: line.conversation, letters: taken } : {}
    const step = { partition, reader: reader.name, before, name: line.name, goesOn: i + 1 < lines.length }
    if ((await kernel.passRecord({ ...step, ...letters, setAside })) === 'BEHIND') break
    if (taken.length > 0) reading.carry(partition)
    before = line.name
    passed += 1
  }
  return { kind: 'read', passed }
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

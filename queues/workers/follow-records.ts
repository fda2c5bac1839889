// Follows the records of all partitions for one reader, from where it had read to. Several processes may be asked to; a lease lets one at a time
// work, and what two believe to do is done once, for each passes a line only from where the other left it.
//
// A line here:  begun -taken in-> passed  |  -failed-> begun again, later  |  -failed three times-> set aside and passed
//               |  -its store is away, only a newer release can read it, or this process stops-> begun again, and not counted
//               |  -others wait behind it-> the next one is not begun at once
//               |  -its process died-> begun again alone, so that it is known whose fault that is  |  -died three times-> set aside and passed.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { BotError, isNewer } from '#shared/errors.ts'
import type { RecordLine } from '#shared/run/record.ts'
import type { Letter } from '#shared/run/step.ts'
import { runUnderLease, type LeaseOptions } from '#queues/fleet/lease.ts'
import { partitions } from '#queues/partition.ts'
import type { GoneLine, Passing, Records } from '#queues/records/records.ts'
import type { CallUnit } from '#queues/units.ts'
import type { Carry } from './carry-letters.ts'
import type { ReadingRoom } from './reading-room.ts'
import { tellUnlessAway, type Tell } from './tell-unless-away.ts'

export type RecordReader = {
  /** `<feature>.<projection>`. */
  readonly name: string
  /** Takes a line in, and says what its passing writes. */
  take(line: RecordLine, signal: AbortSignal): Promise<Taken>
}

/** What comes of a line: letters, and work on it that takes long. */
export type Taken = { readonly letters: readonly Letter[]; readonly job?: Passing['job'] }
const nothing: Taken = { letters: [] }

export type FollowDeps = {
  readonly kernel: Pick<Records, 'lastRecords' | 'readRecords' | 'findPlace' | 'startReading' | 'passRecord'>
  /** Of this process, for all of its readers. */
  readonly room: ReadingRoom
  readonly call: CallUnit
  readonly liveness: LeaseOptions['liveness']
  readonly carry: Carry
  readonly onTrouble: Tell
  /** How often it looks for what is new, ms. */
  readonly everyMs: number
}

/** Another process may begin so long after the last one stopped. */
const lookEveryMs = 2500
/** Of so many partitions at once, each in its order. */
const mostAtOnce = 8
const page = 100
const mostTries = 3
/** Before the second and the third try. */
const againAfterMs = [1000, 5000]
const awayMs = 5000

/** What it cannot read is left so long to a process that may, ms; longer than others take to ask for a lease. And not more often than that. */
const leftForMs = 5000
const leavesEveryMs = 60_000
/** A page ends after so long, so that the next partition is not kept waiting by a hundred slow lines. */
const pageMs = 5000

/** Follows until `signal` aborts. */
export async function followRecords(deps: FollowDeps, reader: RecordReader, signal: AbortSignal): Promise<void> {
  const lease = { call: deps.call, liveness: deps.liveness, name: `records-${reader.name}`, lookEveryMs, leftForMs }
  const by = randomUUID().slice(0, 8)
  let leftAtMs = -Infinity
  const mayLeave = (): boolean => performance.now() >= leftAtMs + leavesEveryMs
  const work = async (held: AbortSignal): Promise<void> => {
    const end = await follow({ ...deps, reader, by, mayLeave, signal: held })
    if (end === 'left') leftAtMs = performance.now()
  }
  await runUnderLease(lease, work, signal)
}

/** Where a reader stands in a partition; `failed`: how often it failed at the line behind that. */
type Place = {
  readonly at?: string | undefined
  readonly notBeforeMs: number
  readonly failed: number
  /** More stands there, or may. */
  readonly goesOn?: boolean
  /** What stands there only a newer release can read. */
  readonly isNewer?: boolean
}
type Following = FollowDeps & {
  readonly reader: RecordReader
  /** Names this follower among all that begin with lines. */
  readonly by: string
  readonly mayLeave: () => boolean
  readonly signal: AbortSignal
}
type Reading = Following & {
  readonly partition: number
  /** Whether a page is to end behind the line that is being taken in. */
  readonly isOver: () => boolean
}

/** `left`: others are to have the lease for a while. */
async function follow(following: Following): Promise<'left' | 'ended'> {
  const { kernel, everyMs, mayLeave, signal } = following
  const places = new Map<number, Place>()
  const running = new Map<number, Promise<void>>()
  const leaving = new AbortController()
  let onEnd = Promise.withResolvers<void>()
  while (!signal.aborted && !leaving.signal.aborted) {
    const last = await kernel.lastRecords()
    const isNew = (partition: number): boolean => {
      const { at, notBeforeMs = 0 } = places.get(partition) ?? {}
      return last[partition] !== undefined && last[partition] !== at && notBeforeMs <= performance.now()
    }
    // Who waited longest comes first.
    const due = Array.from({ length: partitions }, (_, partition) => partition)
      .filter((partition) => !running.has(partition) && isNew(partition))
      .toSorted((a, b) => (places.get(a)?.notBeforeMs ?? 0) - (places.get(b)?.notBeforeMs ?? 0))
    onEnd = Promise.withResolvers<void>()
    for (const partition of due.slice(0, mostAtOnce - running.size)) {
      const { failed = 0 } = places.get(partition) ?? {}
      const reading = readOn({ ...following, partition, isOver: () => leaving.signal.aborted }, failed).then(
        (place) => {
          places.set(partition, place)
          running.delete(partition)
          if (place.isNewer && mayLeave()) leaving.abort()
          if (place.goesOn || leaving.signal.aborted) onEnd.resolve()
        },
      )
      running.set(partition, reading)
    }
    const more = due.length > 0 && running.size < due.length
    const pause = sleep(everyMs, undefined, { signal }).catch(() => {})
    await Promise.race([pause, onEnd.promise, ...(more ? running.values() : [])])
  }
  await Promise.all(running.values())
  return leaving.signal.aborted ? 'left' : 'ended'
}

/** Reads on in a partition by a page; where that ends, and when to look again. Never throws. */
async function readOn(reading: Reading, failed: number): Promise<Place> {
  const { kernel, room, reader, by, partition, signal, onTrouble } = reading
  try {
    const { starts: died } = await kernel.findPlace(partition, reader.name, by)
    const leave = await room.enter(died > 0)
    try {
      if (signal.aborted) return { notBeforeMs: 0, failed }
      const { after, starts } = await kernel.startReading(partition, reader.name, by)
      if (starts === 0) return { at: after, notBeforeMs: performance.now(), failed: 0 }
      const isDeadly = starts > mostTries || failed >= mostTries
      const end = await readPage(reading, { after, isDeadly, most: died > 0 ? 1 : page })
      if (end.kind === 'read') return { at: end.at, notBeforeMs: performance.now(), failed: 0, goesOn: end.goesOn }
      if (end.kind === 'failed') {
        const tries = end.passed > 0 ? 1 : failed + 1
        return { notBeforeMs: performance.now() + (againAfterMs[tries - 1] ?? 0), failed: tries }
      }
      return { notBeforeMs: performance.now() + awayMs, failed, isNewer: end.kind === 'newer' }
    } finally {
      leave()
    }
  } catch (error) {
    tellUnlessAway(onTrouble, 'Records of a partition cannot be read. See flotilla doctor.', error)
    return { notBeforeMs: performance.now() + awayMs, failed }
  }
}

type Page = { readonly after: string; readonly isDeadly: boolean; readonly most: number }
type PageEnd =
  | { readonly kind: 'failed' | 'later' | 'newer'; readonly passed: number }
  | { readonly kind: 'read'; readonly at?: string; readonly goesOn: boolean }

/** `isDeadly`: the first line failed, or died with its process, as often as it may. */
async function readPage(reading: Reading, { after, isDeadly, most }: Page): Promise<PageEnd> {
  const { kernel, reader, by, partition, signal, onTrouble } = reading
  const untilMs = performance.now() + pageMs
  let before = after
  let passed = 0
  const end = async (kind: 'failed' | 'later' | 'newer'): Promise<PageEnd> => {
    // Nothing is begun any more. What failed is known to have, so that it killed nobody.
    await kernel.passRecord({ partition, reader: reader.name, before, name: before, goesOn: false })
    return { kind, passed }
  }
  const lines = await kernel.readRecords(partition, after, most).catch(toFailure)
  if (lines instanceof Failure) {
    if (isNewer(lines.cause)) return await leaveToNewer(reading, end)
    if (isLater(lines.cause)) return await end('later')
    throw lines.cause
  }
  tellBroken(reading, lines)
  for (const [i, line] of lines.entries()) {
    if (signal.aborted) return await end('later')
    const setAside = isDeadly && i === 0
    const taken = setAside ? nothing : await take(reader, line, signal).catch(toFailure)
    if (taken instanceof Failure) {
      if (isNewer(taken.cause)) return await leaveToNewer(reading, end)
      if (signal.aborted || isLater(taken.cause)) return await end('later')
      onTrouble(`${reader.name} failed at a record.`, taken.cause)
      return await end('failed')
    }
    if (setAside)
      onTrouble(
        `${reader.name} passes over the record ${line.name} of ${line.conversation ?? `partition ${partition}`}: it failed three times.`,
        undefined,
      )
    const comesOf = line.conversation === undefined ? {} : { from: line.conversation, ...taken }
    const goesOn = i + 1 < lines.length && !isToEnd(reading, untilMs)
    const step = { partition, reader: reader.name, by, before, name: line.name, goesOn }
    if ((await kernel.passRecord({ ...step, ...comesOf, setAside })) === 'BEHIND') return { kind: 'read', goesOn: true }
    if (taken.letters.length > 0) reading.carry(partition)
    before = line.name
    passed += 1
    if (!goesOn) break
  }
  return { kind: 'read', at: before, goesOn: passed < lines.length || lines.length >= most }
}

/** Others wait: for the lease, to read alone, or in the next partition. */
const isToEnd = ({ isOver, room }: Reading, untilMs: number): boolean =>
  isOver() || room.isAwaited() || performance.now() >= untilMs

function tellBroken({ partition, onTrouble }: Reading, lines: readonly (RecordLine | GoneLine)[]): void {
  const broken = lines.filter(({ kind }) => kind === 'broken')
  if (broken.length > 0)
    onTrouble(`${broken.length} records of partition ${partition} cannot be read, first ${broken[0]?.name}.`, undefined)
}

/** A process that can read it is to have the lease, if there is one; this one would hold it for ever. */
async function leaveToNewer(
  { reader, partition, onTrouble }: Reading,
  end: (kind: 'newer') => Promise<PageEnd>,
): Promise<PageEnd> {
  onTrouble(
    `${reader.name} stands in partition ${partition} at a record of a newer release. If none of that release runs, start it again.`,
    undefined,
  )
  return await end('newer')
}

class Failure {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}
const toFailure = (error: unknown): Failure => new Failure(error)

const isLater = (error: unknown): boolean => error instanceof BotError && error.retry !== 'never'

/** What is gone, or can be nothing, is passed. */
async function take(reader: RecordReader, line: RecordLine | GoneLine, signal: AbortSignal): Promise<Taken> {
  return line.kind === 'gone' || line.kind === 'broken' ? nothing : await reader.take(line, signal)
}

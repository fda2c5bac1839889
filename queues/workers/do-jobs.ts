// Does the jobs of a worker's readers in this process, each under its own hold: what two processes believe to do has an effect once.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { BotError, findAfterMs } from '#shared/errors.ts'
import type { ReaderJob, ReaderWorker } from '#shared/feature/projection.ts'
import type { Letter } from '#shared/run/step.ts'
import { toPartition } from '#queues/partition.ts'
import { holdMs, type JobId, type ReaderJobs } from '#queues/records/reader-jobs.ts'
import type { Records } from '#queues/records/records.ts'
import type { Carry } from './carry-letters.ts'
import type { ReadingRoom } from './reading-room.ts'
import { tellUnlessAway, type Tell } from './tell-unless-away.ts'

export type JobReader = {
  /** `<feature>.<projection>`. */
  readonly name: string
  /** Says which letters the end of the job writes. */
  work?(job: ReaderJob, signal: AbortSignal): Promise<readonly Letter[]>
}

export type JobDeps = {
  readonly worker: ReaderWorker
  readonly readers: readonly JobReader[]
  readonly jobs: Pick<ReaderJobs, 'begin' | 'start' | 'move' | 'end'>
  readonly kernel: Pick<Records, 'readRecord'>
  readonly carry: Carry
  /** Of this process, for all of its jobs: what has ended processes before is done alone. */
  readonly room: ReadingRoom
  isQuiet(): Promise<boolean>
  readonly onTrouble: Tell
  /** Aborts when this process stops. */
  readonly signal: AbortSignal
}

/** `by` names this doing of a job among all: one that is handed out again to the process that does it is held there, too. */
type Doing = JobDeps & { readonly by: string; readonly died: number; readonly failed: number }

const lookEveryMs = 1000
const soonMs = 1000
/** Before the second and the third try. */
const failedMs = [5000, 60_000]
/** Another release may know its reader. */
const unknownMs = 60_000
const longestMs = 600_000
/** Other jobs may have been what their processes died of, so that it takes two deaths to do one alone. */
const mostDiedBeside = 1

/** Never rejects. */
export async function doJob(deps: JobDeps, id: JobId): Promise<void> {
  const { worker, jobs, isQuiet, onTrouble } = deps
  const by = randomUUID().slice(0, 8)
  try {
    if (deps.signal.aborted || (await isQuiet())) return
    const begun = await jobs.begin(worker, id, by)
    if (begun.kind === 'deadly')
      onTrouble(`The job ${id.name} of ${id.reader} is dropped: five processes died of it.`, undefined)
    if (begun.kind === 'old')
      onTrouble(`Jobs of ${id.reader} are dropped: they could not be done within a day of trying.`, undefined)
    if (begun.kind === 'begun') await hold({ ...deps, ...begun, by }, id)
  } catch (error) {
    tellUnlessAway(onTrouble, `Jobs of the ${worker} worker cannot be done. See flotilla doctor.`, error)
  }
}

/** Holds the job while it is being done; whatever ends it is written. */
async function hold(deps: Doing, id: JobId): Promise<void> {
  const { worker, jobs, by, died, room, carry, signal } = deps
  const ended = new AbortController()
  const held = new AbortController()
  const watching = watch(deps, id, ended.signal, () => held.abort())
  const leave = await room.enter(died > mostDiedBeside)
  try {
    const limit = AbortSignal.any([signal, held.signal])
    limit.throwIfAborted()
    if ((await jobs.start(worker, id, by, died)) === 'behind') return
    const { letters, record } = await work(deps, id, limit)
    const end = await jobs.end(worker, id, { by, record, letters })
    if (end === 'ok' && letters.length > 0) carry(toPartition(id.conversation))
  } catch (error) {
    await putOff(deps, id, signal.aborted || held.signal.aborted ? new Stopped() : error)
  } finally {
    leave()
    ended.abort()
    await watching
  }
}

/** It ended from outside: the process stops, the fleet is quiet, or somebody else has the job. */
class Stopped extends Error {}

/** Holds the job on, and calls it off where somebody else has it or the fleet becomes quiet; until `ended`. Never rejects. */
async function watch(deps: Doing, id: JobId, ended: AbortSignal, callOff: () => void): Promise<void> {
  const { worker, jobs, by, isQuiet } = deps
  const nothing = (): undefined => undefined
  for (let heldAtMs = performance.now(); !ended.aborted;) {
    await sleep(lookEveryMs, undefined, { signal: ended }).catch(nothing)
    if (ended.aborted) return
    if (await isQuiet().catch(nothing)) callOff()
    if (performance.now() - heldAtMs < holdMs / 3) continue
    const moved = await jobs.move(worker, id, by, { inMs: holdMs, why: 'held' }).catch(nothing)
    if (moved === 'behind') callOff()
    if (moved === 'ok') heldAtMs = performance.now()
  }
}

type Done = { readonly letters: readonly Letter[]; readonly record: string | undefined }

/** What is forgotten, or can be nothing, is done. */
async function work({ readers, kernel }: JobDeps, id: JobId, signal: AbortSignal): Promise<Done> {
  const { conversation, name } = id
  const reader = readers.find((one) => one.name === id.reader)
  if (!reader?.work)
    throw new BotError('internal', `No reader ${id.reader} is here.`, { retry: { afterMs: unknownMs } })
  if (!/^\d+-\d+$/.test(name)) return { letters: await reader.work({ conversation, name }, signal), record: undefined }
  const line = await kernel.readRecord(toPartition(conversation), name)
  if (line === undefined || line.kind === 'gone' || line.kind === 'broken') return { letters: [], record: undefined }
  const letters = await reader.work({ conversation, name, line }, signal)
  return { letters, record: 'id' in line ? line.id : undefined }
}

async function putOff({ worker, jobs, by, failed, onTrouble }: Doing, id: JobId, error: unknown): Promise<void> {
  const afterMs = error instanceof Stopped ? soonMs : toAfterMs(error)
  if (afterMs !== undefined) {
    const inMs = Math.min(Math.max(afterMs, soonMs), longestMs)
    await jobs.move(worker, id, by, { inMs, why: 'later' })
    return
  }
  onTrouble(`${id.reader} failed at a job.`, error)
  const moved = await jobs.move(worker, id, by, { inMs: failedMs[failed] ?? soonMs, why: 'failed' })
  // The same words for all of a reader, which are said once a minute: a reader that fails at each would write a line for each.
  if (moved === 'dropped') onTrouble(`Jobs of ${id.reader} are dropped: they failed three times.`, undefined)
}

/** A record of a newer release waits for a process of that release. */
const toAfterMs = (error: unknown): number | undefined =>
  error instanceof BotError && error.code === 'store-newer' ? unknownMs : findAfterMs(error)

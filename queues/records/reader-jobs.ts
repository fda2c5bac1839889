// Jobs of readers: work on a record that takes long, kept in the record's partition until it is done. Each worker has its own.
//
// A job here:  due -taken-> on its way -begun-> held by a process -ended-> gone, and its letters are written
//              on its way, and not begun for 20 s-> due          held, and not held on for half a minute (its process died)-> due
//              held -failed, or not now-> put off -> due  |  -failed three times, five processes died of it, or begun a day ago-> dropped and counted
//              any of them, while too many wait: the oldest of its conversation, or else of the partition, is dropped and counted.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { ReaderWorker } from '#shared/feature/projection.ts'
import type { Letter } from '#shared/run/step.ts'
import type { RedisClient } from '#queues/connection.ts'
import { toLetterArgs } from '#queues/letters/letter-args.ts'
import { partitionPrefix, partitions, toPartition } from '#queues/partition.ts'
import { integer, list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'

/** `name`: a record's line, or what a tick calls it. No field has a blank in it. */
export type JobId = { readonly reader: string; readonly conversation: ConversationId; readonly name: string }

/** `died`: how many had begun with it and came to no end; `failed`: how often it failed. */
export type BeginJob =
  | { readonly kind: 'begun'; readonly died: number; readonly failed: number }
  | { readonly kind: 'gone' | 'held' | 'old' | 'deadly' }

/** `held`: it goes on. `failed` counts against it, `later` does not. */
export type MoveJob = { readonly inMs: number; readonly why: 'held' | 'failed' | 'later' }

/** All but `look` throw BotError `store-corrupt` where a key of the partition has another type; all throw `store-unavailable`. */
export type ReaderJobs = {
  /** Changes nothing where the job is there already. */
  add(worker: ReaderWorker, job: JobId, inMs: number): Promise<void>
  /** Of those that are due in a partition, `most` at most, of each conversation the newest first; they are due again 20 s later. */
  take(worker: ReaderWorker, partition: number, most: number): Promise<readonly JobId[]>
  /** `by` holds it for half a minute from now, and it counts as begun from `start` on. */
  begin(worker: ReaderWorker, job: JobId, by: string): Promise<BeginJob>
  /** It is begun now, after so many died of it, and held for half a minute; before that who held it only waited. `behind`: somebody else has it. */
  start(worker: ReaderWorker, job: JobId, by: string, died: number): Promise<'ok' | 'behind'>
  /** `behind`: somebody else has it. `dropped`: it failed for the last time. */
  move(worker: ReaderWorker, job: JobId, by: string, how: MoveJob): Promise<'ok' | 'behind' | 'dropped'>
  /** `record`: the id of the record that it is about. `forgotten`: that is gone, and no letter is written. */
  end(worker: ReaderWorker, job: JobId, done: JobEnd): Promise<'ok' | 'behind' | 'forgotten'>
  /** What there is of a worker. */
  look(worker: ReaderWorker): Promise<JobsHealth>
}
export type JobEnd = {
  readonly by: string
  readonly record: string | undefined
  readonly letters: readonly Letter[]
}
export type JobsHealth = {
  readonly count: number
  /** For how long the first has been due, whatever it was put off for since; ms. */
  readonly oldestMs: number
  /** Partitions where a key of the jobs has a type that is not ours. */
  readonly broken: readonly number[]
}

/** What is on its way is due again so much later, and what is held, where nobody holds it on; ms. */
const wayMs = 20_000
export const holdMs = 30_000

export function createReaderJobs(redis: RedisClient, call: CallUnit): ReaderJobs {
  const toText = ({ reader, conversation, name }: JobId): string => `${reader} ${conversation} ${name}`
  const place = ({ conversation }: JobId): string => partitionPrefix(toPartition(conversation))
  return {
    async add(worker, job, inMs) {
      await call('addJob', place(job), ['', worker, Math.round(inMs), toText(job)])
    },
    async take(worker, partition, most) {
      const taken = list(await call('takeJobs', partitionPrefix(partition), ['', worker, most, wayMs]))
      return taken.flatMap((job) => readJob(text(job)) ?? [])
    },
    async begin(worker, job, by) {
      const [kind, died, failed] = list(await call('beginJob', place(job), ['', worker, toText(job), by, holdMs]))
      const found = (['gone', 'held', 'old', 'deadly'] as const).find((one) => one.toUpperCase() === text(kind))
      return found ? { kind: found } : { kind: 'begun', died: integer(died), failed: integer(failed) }
    },
    async start(worker, job, by, died) {
      const moved = await call('moveJob', place(job), ['', worker, toText(job), by, holdMs, 'begun', died + 1])
      return moved === 'OK' ? 'ok' : 'behind'
    },
    async move(worker, job, by, { inMs, why }) {
      const moved = await call('moveJob', place(job), ['', worker, toText(job), by, Math.round(inMs), why])
      return moved === 'OK' ? 'ok' : moved === 'DROPPED' ? 'dropped' : 'behind'
    },
    async end(worker, job, { by, record, letters }) {
      const args = [job.conversation, worker, toText(job), by, record ?? '', ...letters.flatMap(toLetterArgs)]
      const ended = await call('endJob', place(job), args)
      return ended === 'OK' ? 'ok' : ended === 'FORGOTTEN' ? 'forgotten' : 'behind'
    },
    look: (worker) => look(redis, worker),
  }
}

/** Undefined for what is none. */
function readJob(stored: string): JobId | undefined {
  const [reader, conversation, name, ...rest] = stored.split(' ')
  return reader && conversation && name && rest.length === 0 ? { reader, conversation, name } : undefined
}

async function look(redis: RedisClient, worker: ReaderWorker): Promise<JobsHealth> {
  const [seconds] = await fromStore(redis.time())
  const found = await Promise.all(
    Array.from({ length: partitions }, (_, partition) => lookAt(redis, worker, partition)),
  )
  const all = found.filter((one) => one !== undefined)
  const firstMs = Math.min(...all.map((one) => one.firstMs))
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    oldestMs: Math.max(0, Number(seconds) * 1000 - firstMs),
    broken: found.flatMap((one, partition) => (one === undefined ? [partition] : [])),
  }
}

/** Undefined where a key has a type that is not ours. */
async function lookAt(
  redis: RedisClient,
  worker: ReaderWorker,
  partition: number,
): Promise<{ readonly count: number; readonly firstMs: number } | undefined> {
  const prefix = partitionPrefix(partition)
  try {
    const [count, held] = await Promise.all([
      fromStore(redis.zcard(`${prefix}jobs:${worker}`)),
      fromStore(redis.hvals(`${prefix}held:${worker}`)),
    ])
    // What has one number counts the jobs of a conversation.
    const dueMs = held.flatMap((value) => /^(\d+) /.exec(value)?.[1] ?? []).map(Number)
    return { count, firstMs: Math.min(...dueMs) }
  } catch (error) {
    if (error instanceof BotError && error.code === 'store-corrupt') return undefined
    throw error
  }
}

// What doctor finds in the jobs of readers: how many wait, and how many were dropped.
import type { Finding } from '#infra/checks/finding.ts'
import type { ProcessFacts } from '#queues/fleet/process-key.ts'
import type { JobsHealth } from '#queues/records/reader-jobs.ts'
import type { AllRecords } from '#queues/workers/inspect.ts'
import { readerWorkers, type ReaderWorker } from '#shared/feature/projection.ts'

export type JobFacts = {
  readonly living: readonly Pick<ProcessFacts, 'does'>[]
  readonly waiting: Readonly<Record<ReaderWorker, JobsHealth>>
  readonly records: Pick<AllRecords, 'dropped' | 'failed'>
}

/** A job may wait so long while its worker restarts, ms. */
const staleMs = 300_000

export function checkJobs({ living, waiting, records }: JobFacts): Finding[] {
  return [
    ...readerWorkers.map((worker) => checkWorker(worker, living, waiting[worker])),
    ...readerWorkers.flatMap((worker) => checkKeys(worker, waiting[worker])),
    ...tell(records.dropped, (reader, count) => ({
      found: `${count} jobs of ${reader} were dropped, since too many waited or they could not be done within a day`,
      fix: 'Start more processes of its worker, or raise FLOTILLA_MODEL_CONCURRENCY: an eighth of it is for each worker. What the feature made of these turns lacks them.',
    })),
    ...tell(records.failed, (reader, count) => ({
      found: `${count} jobs of ${reader} were dropped, since they failed each time`,
      fix: 'The log of its worker says why.',
    })),
  ]
}

function checkWorker(
  worker: ReaderWorker,
  living: readonly Pick<ProcessFacts, 'does'>[],
  { count, oldestMs }: JobsHealth,
): Finding {
  const about = `jobs of ${worker}`
  if (count === 0) return { level: 'ok', about, found: 'none waits' }
  const found = `${count} wait, the first for ${Math.round(oldestMs / 1000)} s`
  if (!living.some(({ does }) => does.includes(worker))) {
    const fix = `Start one: "npm run flotilla -- ${worker}".`
    return { level: 'warning', about, found: `${found}, and no ${worker} process runs`, fix }
  }
  if (oldestMs < staleMs) return { level: 'ok', about, found }
  const fix = `Start more ${worker} processes, or raise FLOTILLA_MODEL_CONCURRENCY: an eighth of it is for each worker. Is the fleet quiet (/quiet), or its budget of today used up?`
  return { level: 'warning', about, found, fix }
}

function checkKeys(worker: ReaderWorker, { broken }: JobsHealth): Finding[] {
  if (broken.length === 0) return []
  const found = `cannot be read in partition ${broken.join(', ')} of 0 to 63: a key there has a type that is not ours`
  const fix = `See who else writes to this Redis, and look at the keys "jobs:${worker}" and "held:${worker}" of that partition.`
  return [{ level: 'warning', about: `jobs of ${worker}`, found, fix }]
}

const tell = (
  counts: Readonly<Record<string, number>>,
  toText: (reader: string, count: number) => Pick<Finding, 'found' | 'fix'>,
): Finding[] =>
  Object.entries(counts).map(([reader, count]) => ({ level: 'warning', about: 'jobs', ...toText(reader, count) }))

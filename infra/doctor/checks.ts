// What doctor finds in what the store says of the fleet's work.
import { finding, type Finding } from '#infra/checks/finding.ts'
import { nameAddress } from '#shared/chat/address.ts'
import type { AllRecords, Late, Parked } from '#queues/workers/inspect.ts'

const staleWorkMs = 60_000
/** A conversation may be busy for a while, a reader of records too. */
const staleLetterMs = 600_000
const staleReaderMs = 3_600_000

export function checkParked(parked: readonly Parked[]): Finding[] {
  if (parked.length === 0) return [{ level: 'ok', about: 'conversations and tasks', found: 'none is parked' }]
  return parked.map(({ conversation, reason }) => ({
    level: 'error',
    about: nameAddress(conversation),
    found: `parked: ${reason}`,
    fix: /is missing/.test(reason)
      ? `Run "npm run flotilla -- doctor --repair ${conversation}": the index is rebuilt from the journal.`
      : `Look at the named key in Redis; when it is right again run "npm run flotilla -- doctor --repair ${conversation}".`,
  }))
}

export function checkLate({ timerMs, letterMs, to }: Late): Finding[] {
  const isLate = letterMs >= staleLetterMs
  return [
    finding(
      'timers',
      timerMs < staleWorkMs ? 'none is overdue' : `the first is overdue for ${toTime(timerMs)}`,
      timerMs < staleWorkMs,
      'Nobody fires them. Does a process with a sweeper run, and does its log name a partition whose timers cannot be read?',
    ),
    {
      level: isLate ? 'warning' : 'ok',
      about: 'letters',
      found: isLate ? `the oldest waits for ${toTime(letterMs)}, for ${to}` : 'none waits for long',
      ...(isLate && {
        fix: 'See whether that conversation is parked, or has a thousand events waiting: they wait for it.',
      }),
    },
  ]
}

function toTime(ms: number): string {
  if (ms < 2 * 3_600_000) return `${Math.round(ms / 60_000)} min`
  return ms < 2 * 86_400_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} days`
}

export function checkPutBack(counts: ReadonlyMap<string, number>): Finding[] {
  const waiting = [...counts].filter(([, count]) => count > 0)
  if (waiting.length === 0) return [{ level: 'ok', about: 'queues', found: 'every job is understood' }]
  return waiting.map(([queue, count]) => ({
    level: 'warning',
    about: `queue ${queue}`,
    found: `${count} jobs of an unknown version were put back`,
    fix: 'Update the workers of this queue to the newest release; nothing is lost, for jobs are only hints.',
  }))
}

/** Of all partitions. */
export function checkRecords({ lines, bytes, lost, aside, waitsMs, broken }: AllRecords): Finding[] {
  const about = 'records'
  const kept = `${lines} of ended turns, ${Math.ceil(bytes / 1024)} KB`
  const readers = Object.entries(aside)
  const late = Object.entries(waitsMs).filter(([, ms]) => ms >= staleReaderMs)
  if (lost + readers.length + late.length + broken.length === 0) return [{ level: 'ok', about, found: kept }]
  const fix =
    'What a feature made of these turns lacks them. The log of the reflection process says why it passed over some.'
  return [
    ...(lost > 0
      ? [
          {
            level: 'warning',
            about,
            found: `${lost} lines went before their time, for there is room for 16 MB in each of 64 partitions`,
            fix: 'Lower FLOTILLA_RECORDS_DAYS, or see that the reflection process keeps up.',
          } as const,
        ]
      : []),
    ...(broken.length > 0
      ? [
          {
            level: 'warning',
            about,
            found: `cannot be read in partition ${broken.join(', ')} of 0 to 63: a key there has a type that is not ours`,
            fix: 'See who else writes to this Redis, and look at the keys "records", "recorded" and "readers" of that partition.',
          } as const,
        ]
      : []),
    ...late.map(
      ([reader, ms]) =>
        ({
          level: 'warning',
          about,
          found: `the next one for ${reader} waits for ${toTime(ms)}`,
          fix: 'See whether a reflection process runs, and whether its log names a record of a newer release: then start that release again. If this feature was taken out, nothing is wrong.',
        }) as const,
    ),
    ...readers.map(
      ([reader, count]) =>
        ({ level: 'warning', about, found: `${reader} passed over ${count} that failed three times`, fix }) as const,
    ),
  ]
}

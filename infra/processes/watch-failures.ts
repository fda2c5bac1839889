// What becomes of a failure that nobody caught. A promise that rejected while nobody waited for it ends no process: nothing else waits for it either. An
// exception leaves its callback half done: a worker ends by it, and others take its work over; a process that people are connected to goes on, unless they
// come in numbers. Why: infra/decisions/058.
import type { Log } from '#infra/log/log.ts'
import { onceAMinute } from './part.ts'

export type WatchOptions = {
  /** `end`: at the first exception; `go-on`: for as long as they are few. */
  readonly atException: 'end' | 'go-on'
  readonly process?: Pick<NodeJS.Process, 'on' | 'exit'>
  readonly now?: () => number
}

/** In a minute. Whoever throws more has lost its way. */
const mostExceptions = 20
const minuteMs = 60_000

/** Watches from now on. The messages of such errors are not logged: nobody knows whose words they have. */
export function watchFailures(
  log: Pick<Log, 'error' | 'fatal'>,
  { atException, process: own = process, now = () => performance.now() }: WatchOptions,
): void {
  const report = onceAMinute((text, failure) => log.error(describe(failure), text), now)
  let lately: number[] = []
  own.on('unhandledRejection', (reason) => {
    report(`Something failed that nobody waited for, ${toPlace(reason)}. This process goes on.`, reason)
  })
  own.on('uncaughtException', (error) => {
    lately = [...lately.filter((atMs) => now() - atMs < minuteMs), now()]
    if (atException === 'go-on' && lately.length <= mostExceptions)
      return report(`Something failed that nobody caught, ${toPlace(error)}. This process goes on.`, error)
    log.fatal(describe(error), `Something failed that nobody caught, ${toPlace(error)}. This process ends.`)
    own.exit(1)
  })
}

type Failure = { readonly type: string; readonly code?: string; readonly frames: readonly string[] }

const mostFrames = 12

function describe(failure: unknown): Failure {
  if (!(failure instanceof Error)) return { type: typeof failure, frames: [] }
  const { name, stack = '' } = failure
  const code = 'code' in failure && typeof failure.code === 'string' ? { code: failure.code.slice(0, 40) } : {}
  // The message stands above the frames, and may have lines that look like one.
  const below = stack.startsWith(`${name}: ${failure.message}`)
    ? stack.slice(name.length + 2 + failure.message.length)
    : ''
  const frames = below.split('\n').filter((line) => /^ {4}at \S/.test(line))
  return { type: name.slice(0, 40), ...code, frames: frames.slice(0, mostFrames).map((line) => line.trim()) }
}

/** Where it came from, as far as that can be told: each place is reported by itself. */
function toPlace(failure: unknown): string {
  const { type, frames } = describe(failure)
  const [frame = ''] = frames
  return frame === '' ? `a ${type}` : `a ${type} ${frame}`
}

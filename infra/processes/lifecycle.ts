// The life of a process of the fleet: parts are started, run until SIGINT or SIGTERM comes, and are stopped within the grace a deploy
// gives (25 s). A start that fails, or is told to stop half way, stops what it had started.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#infra/log/log.ts'
import type { Part } from './part.ts'
import { watchFailures, type WatchOptions } from './watch-failures.ts'

/** Running turns may take this long to finish, of what all parts have together. */
const partGraceMs = 14_000
const allGraceMs = 20_000
/** A part that is stuck is left behind so long after its grace. */
const lateMs = 1000
const hardLimitMs = 24_000
/** What a start that is told to stop may take to end the step under way. */
const stepMs = 3000
/** One Ctrl-C comes twice, from the terminal and from npm, which hands it on; a service manager may do the same. */
const sameSignalMs = 1000

export type Start = {
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal
  /** To be called with each part as soon as it runs: if the start gets no further, it is stopped at once. */
  add(part: Part): Part
  /** The same for parts that began together. */
  addAll(parts: readonly Part[]): readonly Part[]
  /** What is left when all parts have stopped; the last one first. */
  defer(close: () => void | Promise<void>): void
}

/**
 * Runs `start`, then waits for a signal. `start` resolves with all parts; they stop in the reverse order: what takes messages in comes
 * last in it, what delivers before the executor, so that answers finished while stopping still go out. Resolves with the exit code once
 * everything has stopped; rejects when the start fails, everything stopped too. Whatever happens, the process ends within 24 s of the first signal.
 * `atException` says whether an exception that nobody caught ends it while it runs.
 */
export async function runParts(
  log: Log,
  start: (starting: Start) => Promise<readonly Part[]>,
  atException: WatchOptions['atException'] = 'end',
): Promise<number> {
  const signal = listenForStop(log)
  const begun: Part[] = []
  const closing = new AsyncDisposableStack()
  const addAll: Start['addAll'] = (parts) => {
    begun.push(...parts)
    if (signal.aborted) for (const part of parts) part.stop(0).catch(() => {})
    signal.throwIfAborted()
    return parts
  }
  const starting = start({
    signal,
    add(part) {
      addAll([part])
      return part
    },
    addAll,
    defer: (close) => closing.defer(close),
  })
  try {
    const parts = await Promise.race([starting, rejected(signal)])
    // Before that a failure of any kind ends the start.
    watchFailures(log, { atException })
    if (!signal.aborted) await once(signal, 'abort')
    await stopAll(parts, allGraceMs, log)
  } catch (error) {
    const clear = limit(log)
    // It goes no further than the step under way; one that takes too long ends with the process.
    const failure: unknown = await Promise.race([
      starting.then(
        () => error,
        (reason: unknown) => reason,
      ),
      sleep(stepMs, error),
    ])
    await stopAll(begun, 0, log)
    await closing.disposeAsync()
    clear()
    // What ended because it was told to did not fail; what failed by itself did, told or not.
    if (!signal.aborted || !isOf(signal, failure)) throw failure
    log.info('stopped')
    return 0
  }
  await closing.disposeAsync()
  log.info('stopped')
  return 0
}

/** A second signal ends the process at once. */
function listenForStop(log: Log): AbortSignal {
  const stopping = new AbortController()
  let firstAtMs = 0
  const stop = (name: NodeJS.Signals): void => {
    if (!stopping.signal.aborted) {
      firstAtMs = performance.now()
      log.info({ signal: name }, 'stopping')
      limit(log)
      stopping.abort(new Error(`${name} came before everything had started.`))
    } else if (performance.now() - firstAtMs > sameSignalMs) process.exit(130)
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop)
  return stopping.signal
}

/** Ends the process if it has not ended by then; returns what takes that back. */
function limit(log: Log): () => void {
  const timer = setTimeout(() => {
    log.error('Not everything stopped in time; the rest is picked up by the next start.')
    process.exit(1)
  }, hardLimitMs)
  timer.unref()
  return () => clearTimeout(timer)
}

function isOf(signal: AbortSignal, failure: unknown): boolean {
  return failure === signal.reason || (failure instanceof Error && failure.name === 'AbortError')
}

async function rejected(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}

async function stopAll(parts: readonly Part[], totalMs: number, log: Log): Promise<void> {
  const endsAtMs = performance.now() + totalMs
  for (const part of parts.toReversed()) {
    const graceMs = Math.max(0, Math.min(partGraceMs, endsAtMs - performance.now()))
    const stopped = part.stop(graceMs).then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error }, `${part.name} did not stop cleanly`)
        return true
      },
    )
    if (!(await Promise.race([stopped, sleep(graceMs + lateMs, false)]))) log.warn(`${part.name} did not stop in time`)
  }
}

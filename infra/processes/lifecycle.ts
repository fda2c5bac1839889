// Runs parts until a signal comes, then stops them in reverse order within the grace a deploy gives (25 s).
import type { Log } from '#infra/log.ts'
import type { Part } from './part.ts'

/** Running turns may take this long to finish, of what all parts have together. */
const partGraceMs = 14_000
const allGraceMs = 20_000
const hardLimitMs = 24_000

/**
 * Parts stop in the reverse order of `parts`: what takes messages in comes last in it, what delivers before the executor, so that
 * answers finished while stopping still go out. Listens for signals from the call on, before it returns. Resolves with the exit code once everything has stopped. A second signal ends at once.
 */
export async function runUntilSignal(parts: readonly Part[], log: Log, close: () => Promise<void>): Promise<number> {
  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve(name))
  })
  log.info({ signal }, 'stopping')
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130))
  const hard = setTimeout(() => {
    log.error('Not everything stopped in time; the rest is picked up by the next start.')
    process.exit(1)
  }, hardLimitMs)
  const endsAtMs = Date.now() + allGraceMs
  for (const part of parts.toReversed()) {
    const graceMs = Math.max(1000, Math.min(partGraceMs, endsAtMs - Date.now()))
    await part.stop(graceMs).catch((error: unknown) => log.warn({ err: error }, `${part.name} did not stop cleanly`))
  }
  await close()
  clearTimeout(hard)
  log.info('stopped')
  return 0
}

// What every process does for all: a lease lets one at a time sweep; silent conversations are put away by whoever comes first.
import { createProcesses } from '#queues/fleet/processes.ts'
import { runPutAway } from '#queues/workers/put-away.ts'
import { runSweeper } from '#queues/workers/sweeper.ts'
import { onceAMinute, type Part } from './part.ts'
import type { Runtime } from './runtime.ts'

const everyMs = 1000
const graceMs = 1500
const putAwayEveryMs = 600_000
const idleMs = 30 * 86_400_000

export function startSweeper(runtime: Runtime): Part {
  const stopping = new AbortController()
  const { call, redis, liveness, kernel, hints, carry, quiet, settings, log } = runtime
  const { isQuiet } = quiet
  const onTrouble = onceAMinute((what, error) => log.warn({ err: error }, what))
  const processes = createProcesses(redis, liveness)
  // A session that is meant to last longer is not cut short.
  const silentMs = Math.max(idleMs, settings.sessionIdleHours * 3_600_000)
  const recordsMs = settings.recordsDays * 86_400_000
  const running = [
    runSweeper(
      { call, liveness, processes, kernel, hints, carry, isQuiet, everyMs, graceMs, onTrouble },
      stopping.signal,
    ),
    runPutAway({ kernel, idleMs: silentMs, recordsMs, everyMs: putAwayEveryMs, onTrouble }, stopping.signal),
  ]
  return {
    name: 'sweeper',
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

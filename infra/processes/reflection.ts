// The worker that reads the records of ended turns for the features that make something of them. Any process can host one; each reader works in
// one of them at a time.
import { followRecords } from '#queues/workers/follow-records.ts'
import { createReadingRoom } from '#queues/workers/reading-room.ts'
import { toReaders } from '#services/executor/readers/to-reader.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { onceAMinute, type Part } from './part.ts'
import type { Runtime } from './runtime.ts'
import { watchFeature } from './watch-feature.ts'

const everyMs = 1000

export function startReflection(runtime: Runtime, features: readonly Feature[]): Part {
  const stopping = new AbortController()
  const { call, liveness, kernel, carry, log } = runtime
  const onTrouble = onceAMinute((what, error) => log.warn(error === undefined ? {} : { err: error }, what))
  const deps = { call, liveness, kernel, carry, room: createReadingRoom(), onTrouble, everyMs }
  const all = features.map((feature) => watchFeature(feature, runtime.underway))
  const running = toReaders({ all }).map((reader) => followRecords(deps, reader, stopping.signal))
  return {
    name: 'reflection',
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

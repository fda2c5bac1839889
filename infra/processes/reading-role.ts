// Starts a worker that reads records: its readers, and beside those of `reflection` the index of memory.
import type { Feature } from '#shared/feature/feature.ts'
import type { ReaderWorker } from '#shared/feature/projection.ts'
import type { Part } from './part.ts'
import { startReaders } from './readers.ts'
import type { Runtime } from './runtime.ts'
import { startMemoryIndex } from './follow-memory.ts'

export function startReading(runtime: Runtime, features: readonly Feature[], worker: ReaderWorker): readonly Part[] {
  const readers = startReaders(runtime, features, worker)
  return worker === 'reflection' ? [readers, startMemoryIndex(runtime)] : [readers]
}

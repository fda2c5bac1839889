// Every process can sweep; a lease lets one at a time do it.
import { runSweeper } from '#queues/workers/sweeper.ts'
import type { Part } from './part.ts'
import type { Runtime } from './runtime.ts'

const everyMs = 1000
const graceMs = 1500

export function startSweeper(runtime: Runtime): Part {
  const stopping = new AbortController()
  const { redis, kernel, hints, id } = runtime
  const running = runSweeper({ redis, kernel, hints, owner: id, everyMs, graceMs }, stopping.signal)
  return {
    name: 'sweeper',
    async stop() {
      stopping.abort()
      await running
    },
  }
}

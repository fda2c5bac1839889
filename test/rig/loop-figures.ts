// Loaded into a process before its own code (`node --import`): four times a second it writes by how much its event loop was late at most, and how
// much of that time its own thread was at work. Not in threads, which have loops of their own.
import { isMainThread } from 'node:worker_threads'
import { processorMs } from './processor-ms.ts'

const everyMs = 10
const toldEveryMs = 250

function start(): void {
  let [atMs, usedMs, toldAtMs] = [performance.now(), processorMs(), performance.now()]
  let most = { lateMs: 0, usedMs: 0 }
  const look = (): void => {
    const now = { atMs: performance.now(), usedMs: processorMs() }
    const [lateMs, ownMs] = [now.atMs - atMs - everyMs, now.usedMs - usedMs]
    most = { lateMs: Math.max(most.lateMs, lateMs), usedMs: Math.max(most.usedMs, Math.min(ownMs, lateMs)) }
    if (now.atMs - toldAtMs >= toldEveryMs) {
      process.stdout.write(`loop ${Math.round(most.lateMs)} ${Math.round(most.usedMs)}\n`)
      toldAtMs = now.atMs
      most = { lateMs: 0, usedMs: 0 }
    }
    ;[atMs, usedMs] = [performance.now(), processorMs()]
  }
  setInterval(look, everyMs).unref()
}

if (isMainThread) start()

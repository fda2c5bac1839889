// Reading Markdown that nobody would write takes tens of milliseconds, and a process reads for all of its chats. So one long text is read
// at a time, and after each reading whatever else waits has as long as that took.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** UTF-16 units of a text that is read without waiting: a few milliseconds at most. */
const briefUnits = 1000
const mostRestMs = 100

let last: Promise<void> = Promise.resolve()
let freeAtMs = 0

/** Waits, before a text of such a length is read, for a turn in which no other long text is. The text is to be read at once. */
export async function takeTurn(units: number): Promise<void> {
  if (units <= briefUnits) return
  last = last.then(rest)
  await last
}

async function rest(): Promise<void> {
  await nextTurn()
  const restMs = freeAtMs - performance.now()
  if (restMs > 1) await sleep(restMs)
  const startMs = performance.now()
  setImmediate(() => {
    const endMs = performance.now()
    freeAtMs = endMs + Math.min(endMs - startMs, mostRestMs)
  })
}

/** Work in steps, each of which reads a text of `units`. `onStep` is told how long a step took, ms. */
export async function inTurns<T>(
  units: number,
  steps: Iterator<unknown, T>,
  onStep: (ms: number) => void = () => {},
  now = () => performance.now(),
): Promise<T> {
  for (;;) {
    await takeTurn(units)
    const startMs = now()
    const step = steps.next()
    onStep(now() - startMs)
    if (step.done) return step.value
  }
}

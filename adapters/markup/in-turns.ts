// Reading Markdown that nobody would write takes tens of milliseconds, and a process reads for all of its chats. So a long text is read in
// a turn of the event loop of its own, and whatever else waits has its turn between two readings.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** UTF-16 units of a text that is read without waiting: a few milliseconds at most. */
const briefUnits = 1000

let last: Promise<unknown> = Promise.resolve()

/** Waits, before a text of such a length is read, for a turn in which no other long text is. */
export async function takeTurn(units: number): Promise<void> {
  if (units <= briefUnits) return
  last = last.then(() => nextTurn())
  await last
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

// What was deleted stays in Redis' append-only file until it is written anew. Redis does so by itself only when the file has grown by much,
// in a small fleet never: so it is asked to once a day.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const oldestMs = 24 * 3_600_000
const lookEveryMs = 600_000

/** Looks until the signal aborts. `ask` has Redis write its files anew; what it could not do is tried again. */
export async function keepFilesYoung(folder: string, ask: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (isOld(path.join(folder, 'redis', 'appendonlydir'))) await ask()
    await sleep(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Whether something was added to a file that was begun above a day ago. Redis before 7.0 keeps one file elsewhere: nobody knows its age. */
function isOld(folder: string): boolean {
  try {
    const files = readdirSync(folder).map((name) => ({ name, ...statOf(path.join(folder, name)) }))
    const begunMs = Math.max(
      0,
      ...files.filter(({ name }) => name.includes('.base.')).map(({ changedMs }) => changedMs),
    )
    const hasGrown = files.some(({ name, bytes }) => name.includes('.incr.') && bytes > 0)
    return hasGrown && begunMs > 0 && Date.now() - begunMs > oldestMs
  } catch {
    return false
  }
}

function statOf(file: string): { readonly changedMs: number; readonly bytes: number } {
  const { mtimeMs, size } = statSync(file)
  return { changedMs: mtimeMs, bytes: size }
}

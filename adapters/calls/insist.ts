// Asks a platform for what a channel cannot begin without, again and again until it is granted; each kind of trouble is said once.
import { createBackOff } from '#queues/fleet/back-off.ts'
import type { CallResult, Failed } from './call-result.ts'
import type { Trouble } from './trouble.ts'

export type Insisting<More> = {
  readonly settings: {
    readonly backOff?: { readonly firstMs: number; readonly maxMs: number } | undefined
    /** An upper bound of the waits that the platform or its trouble ask for; tests only. */
    readonly leastWaitMs?: number | undefined
  }
  readonly say: (text: string) => void
  toTrouble(failed: Failed<More>): Trouble
}

/** Undefined when the signal aborted. */
export async function insist<T, More>(
  { settings, say, toTrouble }: Insisting<More>,
  call: () => Promise<CallResult<T, More>>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const backOff = createBackOff({ ...(settings.backOff ?? { firstMs: 1000, maxMs: 60_000 }), say })
  while (!signal.aborted) {
    const result = await call()
    if (result.kind === 'ok') return result.value
    const { text, leastMs } = toTrouble(result)
    if (!signal.aborted) await backOff.wait(text, signal, Math.min(leastMs, settings.leastWaitMs ?? Infinity))
  }
  return undefined
}

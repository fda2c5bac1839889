// Ends synchronous work that takes too long, a regular expression in the middle of its search included: the engine that runs
// scripts is the only one that can, so the work is called from a script of one line with a time limit.
import vm from 'node:vm'

export type Limited<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'late' }

/** Builds a runner of work that may be ended anywhere, so it must keep no state. What the work throws is thrown. */
export function createTimeLimit(mostMs: number): <T>(work: () => T) => Limited<T> {
  const place: { work: () => void } = { work: () => {} }
  const context = vm.createContext(place)
  const script = new vm.Script('work()')
  return function limited<T>(work: () => T): Limited<T> {
    let result: Limited<T> = { kind: 'late' }
    place.work = () => void (result = { kind: 'done', value: work() })
    try {
      script.runInContext(context, { timeout: mostMs })
    } catch (error) {
      if (!isTimeout(error)) throw error
    } finally {
      place.work = () => {}
    }
    return result
  }
}

/** It is an error of the script's own world, no instance of this one's. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

// Calls of units by a process that dies between two of them, or is slow so that something else is done in between.
import type { CallUnit } from '#queues/units.ts'

class Killed extends Error {}

/** Of a process that dies before its unit number `after`. */
export function createDyingCall(call: CallUnit, after: number): CallUnit {
  let left = after
  return async (...args) => {
    left -= 1
    if (left < 0) throw new Killed()
    return await call(...args)
  }
}

/** Whether it died. */
export async function isKilled(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return false
  } catch (error) {
    if (error instanceof Killed) return true
    throw error
  }
}

/** Of a process during whose unit number `after` something else is done; `isDone`: it came to that. */
export function createSlowCall(call: CallUnit, after: number, other: () => Promise<unknown>) {
  let left = after
  let isDone = false
  const slow: CallUnit = async (...args) => {
    left -= 1
    if (left === -1) {
      isDone = true
      await other()
    }
    return await call(...args)
  }
  return { call: slow, isDone: () => isDone }
}

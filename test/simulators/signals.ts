// Waiting for something to happen without sleeping: a bell that wakes whoever waits for a condition, and named gates.

export type Bell = {
  /** Wakes every waiter to look at its condition again. */
  ring(): void
  /** Resolves with the first defined value of `find`; rejects after `timeoutMs`, naming `what`. */
  until<T>(find: () => T | undefined, what: string, timeoutMs?: number): Promise<T>
}

export function createBell(): Bell {
  const waiters = new Set<() => void>()
  return {
    ring: () => {
      for (const wake of waiters) wake()
    },
    until: (find, what, timeoutMs = 25_000) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = find()
          if (found === undefined) return
          clearTimeout(timer)
          waiters.delete(look)
          resolve(found)
        }
        const timer = setTimeout(() => {
          waiters.delete(look)
          reject(new Error(`Waited ${timeoutMs} ms in vain for ${what}`))
        }, timeoutMs)
        waiters.add(look)
        look()
      }),
  }
}

export type Gates = {
  /** Lets through all who wait at the gate, and all who come later. */
  open(name: string): void
  /** Resolves once the gate is open, or the signal aborts. */
  pass(name: string, signal: AbortSignal): Promise<void>
}

export function createGates(): Gates {
  const opened = new Set<string>()
  const waiting = new Map<string, Set<() => void>>()
  return {
    open: (name) => {
      opened.add(name)
      for (const go of waiting.get(name) ?? []) go()
      waiting.delete(name)
    },
    pass: (name, signal) => {
      if (opened.has(name) || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const queue = waiting.get(name) ?? new Set()
        const go = () => {
          signal.removeEventListener('abort', go)
          queue.delete(go)
          resolve()
        }
        queue.add(go)
        waiting.set(name, queue)
        signal.addEventListener('abort', go)
      })
    },
  }
}

/** Waits the given time, or less when the signal aborts. Never rejects. */
export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, delayMs)
    signal.addEventListener('abort', done)
  })
}

// What a process is at, by name, so that the operator can be told what held its event loop up. Until it first waits, a piece of work has the loop to
// itself, so it is measured; after that it is only known to be under way.

export type Underway = {
  /** Counts work in until it ends, and gives what it gives. The name says a kind of work and an address, never anybody's words. */
  during<R>(name: string, work: () => R): R
  /** `surely`: work that held the loop up by itself since this was asked last. `perhaps`: what else was under way since `sinceMs`, the latest first. */
  whatHeld(sinceMs: number): Held
}
export type Held = { readonly surely: readonly string[]; readonly perhaps: readonly string[] }

/** So long a person does not notice. */
export const mostHeldMs = 200

/** Of what ended lately. */
const mostEnded = 20

/** Of this thread: that others have the processor is no work's fault. */
export function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

export function createUnderway(used = usedMs): Underway {
  const running = new Set<{ readonly name: string }>()
  const ended: { readonly name: string; readonly atMs: number }[] = []
  let surely = new Set<string>()

  return {
    during(name, work) {
      const entry = { name }
      running.add(entry)
      const end = (): void => {
        running.delete(entry)
        ended.push({ name, atMs: performance.now() })
        if (ended.length > mostEnded) ended.shift()
      }
      const startedMs = used()
      let isWaiting = false
      try {
        const result = work()
        isWaiting = result instanceof Promise
        if (result instanceof Promise) result.then(end, end)
        return result
      } finally {
        if (used() - startedMs > mostHeldMs && surely.size < mostEnded) surely.add(name)
        if (!isWaiting) end()
      }
    },
    whatHeld(sinceMs) {
      const lately = ended.filter(({ atMs }) => atMs >= sinceMs)
      const names = [...running, ...lately].map(({ name }) => name).toReversed()
      const held = { surely: [...surely], perhaps: [...new Set(names)].filter((name) => !surely.has(name)) }
      surely = new Set()
      return held
    },
  }
}

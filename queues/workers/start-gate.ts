// Lets few things begin at once. In a flood, conversations already begun then finish before others begin, so that memory and
// latency stay small; whoever waits for a model or a person does not stand in the gate.

/** Runs at most `most` works at once, the others in order of arrival. Work that throws gives its permit back. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function createGate(most: number): Gate {
  const waiting: (() => void)[] = []
  let inside = 0
  return async (work) => {
    if (inside >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else inside += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inside -= 1
    }
  }
}

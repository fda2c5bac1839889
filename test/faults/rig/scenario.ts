// A fault scenario: a name, the rows of the fault list it covers, and a run that throws when something is not as promised.

export type Scenario = {
  readonly name: string
  /** Rows of the list of faults to survive. */
  readonly rows: readonly (number | string)[]
  /** `note` prints a figure of the run. */
  run(note: (line: string) => void): Promise<void>
}

export function assert(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}

/** The value below which `share` of the values lie; 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** Numbers from 0 to 1 from a printed seed, the same every time (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

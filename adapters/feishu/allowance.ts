// How many questions the doings of people may cause, so that one person can neither use up those of all others nor the month's calls.
// Counted by this process alone.

/** Whether one more may be caused by this person, or by nobody who is known, which then counts. */
export type Allowance = (person: string | undefined) => boolean

/** In each of these times, ms: so many by one person, and by all together. */
export type AllowanceWindow = { readonly perMs: number; readonly person: number; readonly all: number }

export function createAllowance(windows: readonly AllowanceWindow[], now: () => number): Allowance {
  const counts = windows.map((window) => ({ window, fromMs: now(), all: 0, by: new Map<string, number>() }))
  return (person) => {
    for (const one of counts) {
      if (now() - one.fromMs < one.window.perMs) continue
      one.fromMs = now()
      one.all = 0
      one.by.clear()
    }
    const so = (by: ReadonlyMap<string, number>): number => (person === undefined ? 0 : (by.get(person) ?? 0))
    if (counts.some(({ window, all, by }) => all >= window.all || so(by) >= window.person)) return false
    for (const one of counts) {
      one.all += 1
      if (person !== undefined) one.by.set(person, so(one.by) + 1)
    }
    return true
  }
}

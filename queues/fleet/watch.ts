// How long something has lasted in this process, where others may take it for lost meanwhile. The time of day may be set while it lasts,
// and the clock that nobody sets may stand still while the machine sleeps. So whichever says more counts.

/** Returns what tells the time since then in whole ms, rounded up. */
export function startWatch(): () => number {
  const steadyMs = performance.now()
  const atMs = Date.now()
  return () => Math.ceil(Math.max(performance.now() - steadyMs, Date.now() - atMs))
}

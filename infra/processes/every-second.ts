// Formatting a date costs more than many a turn's other arithmetic, and its text changes rarely.

/** The same function, worked out at most once a second of its argument, ms. */
export function everySecond(format: (atMs: number) => string): (atMs: number) => string {
  let second = Number.NaN
  let known = ''
  return (atMs) => {
    const wanted = Math.floor(atMs / 1000)
    if (wanted !== second) {
      second = wanted
      known = format(atMs)
    }
    return known
  }
}

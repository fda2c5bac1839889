// How long texts may take that need longer than most: together a fifth of the time, and two seconds at once. So a page of texts that are made to take long
// loads all the same, and other texts are read beside them as ever.

export type ReadingTime = {
  /** For the next text; undefined where none is left at all, since texts took far longer than they might. */
  next(): number | undefined
  took(ms: number): void
}

/** Any text may take this. Nearly all take a twentieth of it. */
const briefMs = 100
/** Of one text: as long as Markdown and code may be read (`page-blocks.ts`). */
export const mostOneMs = 700
const mostAtOnceMs = 2000
const share = 0.2
/** Only a text that ends its thread takes so much more than it may. */
const mostOwedMs = 1000

export function createReadingTime(now: () => number = () => performance.now()): ReadingTime {
  let spareMs = mostAtOnceMs
  let atMs = now()
  const refill = (): void => {
    spareMs = Math.min(mostAtOnceMs, spareMs + share * (now() - atMs))
    atMs = now()
  }
  return {
    next() {
      refill()
      return spareMs < -mostOwedMs ? undefined : Math.min(mostOneMs, Math.max(briefMs, spareMs))
    },
    took(ms) {
      refill()
      spareMs = Math.max(spareMs - Math.max(0, ms - briefMs), -2 * mostOwedMs)
    },
  }
}

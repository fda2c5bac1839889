// How long texts may take that need longer than most: together a fifth of the time, and two seconds at once. So a page of texts that are made to take long
// loads all the same, and other texts are read beside them as ever. What an ordinary text takes is counted nowhere.

export type ReadingTime = {
  /** For the next text; undefined where none is left at all, since texts took far longer than they might. */
  next(): number | undefined
  took(ms: number): void
}

/** Any text may take the first, and where nothing is left the second. Nearly all take 5 ms. */
const briefMs = 100
const ordinaryMs = 25
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
      if (spareMs < -mostOwedMs) return undefined
      return spareMs <= 0 ? ordinaryMs : Math.min(mostOneMs, Math.max(briefMs, spareMs))
    },
    took(ms) {
      refill()
      spareMs = Math.max(spareMs - Math.max(0, ms - ordinaryMs), -2 * mostOwedMs)
    },
  }
}

// A session that cannot be resumed is not tried for ever: after three tries in a row, or a minute of them, it is given up, whatever the
// reason. A try that was cut off but brought something new is none of them, nor is one that did not get as far as the session.

export type ResumeTry = {
  /** The session's own address is about to be asked. */
  opened(): void
  /** It is resumed, or another begun. */
  succeeded(): void
  /** An event of this number came. */
  brought(sequence: number): void
  /** At its end: whether it failed, and the session's patience with it. */
  isLast(): boolean
}

const mostTries = 3
const patienceMs = 60_000

/** `now` in ms; only its differences count. */
export function createResumeTries(now: () => number): { begin(): ResumeTry } {
  let failed = 0
  let sinceMs = 0
  let highest = -1
  return {
    begin() {
      const begunAtMs = now()
      let isOpened = false
      let isFruitful = false
      return {
        opened: () => {
          isOpened = true
        },
        succeeded: () => {
          isFruitful = true
        },
        brought(sequence) {
          if (sequence > highest) isFruitful = true
          highest = Math.max(highest, sequence)
        },
        isLast() {
          if (isFruitful) failed = 0
          if (isFruitful || !isOpened) return false
          failed += 1
          if (failed === 1) sinceMs = begunAtMs
          if (failed < mostTries && now() - sinceMs < patienceMs) return false
          failed = 0
          highest = -1
          return true
        },
      }
    },
  }
}

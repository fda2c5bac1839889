// How long a process's key lives. One that loses leases again and again, on a machine with too much to do, lengthens it, so that its work is
// not carried to and fro; after a while without that it tries the usual length again.

export type LifeMs = {
  now(): number
  /** A lease was lost. Several within one life are one loss. */
  noteLost(): void
}

const twiceWithinMs = 60_000
const longestTimes = 8
const forgottenAfterMs = 600_000

export function createLifeMs(usualMs: number, onLengthened: (lifeMs: number) => void): LifeMs {
  let times = 1
  let lostAtMs = -Infinity
  return {
    now() {
      if (times > 1 && performance.now() > lostAtMs + forgottenAfterMs) times = 1
      return usualMs * times
    },
    noteLost() {
      const nowMs = performance.now()
      if (nowMs < lostAtMs + usualMs * times) return
      const isAgain = nowMs < lostAtMs + twiceWithinMs
      lostAtMs = nowMs
      if (!isAgain || times === longestTimes) return
      times *= 2
      onLengthened(usualMs * times)
    },
  }
}

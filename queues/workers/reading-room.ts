// Where the readers of a process read beside each other, or one of them alone: it is begun with for the second time, since its process died with
// it before, as it may again. Who was only there at the time is then known to be harmless.

export type ReadingRoom = {
  /** Waits for room; what comes back leaves it. Alone: all others have left, and wait. */
  enter(alone: boolean): Promise<() => void>
}

export function createReadingRoom(): ReadingRoom {
  let inside = 0
  let isShut = false
  let changed = Promise.withResolvers<void>()
  return {
    async enter(alone) {
      while (isShut) await changed.promise
      isShut = alone
      while (alone && inside > 0) await changed.promise
      inside += 1
      return () => {
        inside -= 1
        if (alone) isShut = false
        changed.resolve()
        changed = Promise.withResolvers()
      }
    },
  }
}

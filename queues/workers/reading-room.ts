// Where the readers of a process read beside each other, or one of them alone: it is begun with for the second time, since its process died with
// it before, as it may again. Who was only there at the time is then known to be harmless.
//
// They come through one door, in order. Who reads alone waits there until all others have left, and leaves it open only when it goes.

export type ReadingRoom = {
  /** Waits for room; what comes back leaves it, and is called once. */
  enter(alone: boolean): Promise<() => void>
  /** Whether somebody waits to read alone: who is inside leaves as soon as it can. */
  isAwaited(): boolean
}

export function createReadingRoom(): ReadingRoom {
  let inside = 0
  let awaiting = 0
  let door = Promise.resolve()
  let left = Promise.withResolvers<void>()
  const isEmpty = (): boolean => inside === 0
  return {
    async enter(alone) {
      const before = door
      const { promise, resolve: open } = Promise.withResolvers<void>()
      door = promise
      if (alone) awaiting += 1
      await before
      if (alone) {
        while (!isEmpty()) await left.promise
        awaiting -= 1
      }
      inside += 1
      if (!alone) open()
      return () => {
        inside -= 1
        left.resolve()
        left = Promise.withResolvers()
        open()
      }
    },
    isAwaited: () => awaiting > 0,
  }
}

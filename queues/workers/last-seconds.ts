// What Redis took in its last seconds, kept here to be given to it again after it was away: a server that crashed, or was replaced by its
// replica, comes back without what was not on disk or not copied yet. What is still there is known by its id and stays as it is.
//
// taken -> kept for 5 s, longer while the connection is down -> the connection is back: given again, in the same order.

/** What it needs of a connection: `close` when it is lost, `ready` when it is back. */
export type Connection = { on(event: 'close' | 'ready', listener: () => void): unknown }

export type LastSeconds = {
  /** `again` repeats what has just been taken; repeating it twice must change nothing. */
  remember(again: () => Promise<unknown>): void
  /** Resolves when nothing is being given again, so that what comes meanwhile stays behind it. */
  drained(): Promise<void>
}

/** Two seconds may be lost, and a server's silence is noticed two seconds after it began. */
const keptMs = 5000
/** Of some hundred bytes each as a rule. In a flood the oldest go. */
const most = 10_000

export function createLastSeconds(connection: Connection): LastSeconds {
  let kept: { readonly atMs: number; readonly again: () => Promise<unknown> }[] = []
  let closedAtMs: number | undefined
  let giving: Promise<unknown> = Promise.resolve()

  connection.on('close', () => (closedAtMs ??= performance.now()))
  connection.on('ready', () => {
    if (closedAtMs === undefined) return
    const since = closedAtMs - keptMs
    closedAtMs = undefined
    const again = kept.filter(({ atMs }) => atMs >= since)
    kept = []
    // Sent at once, so that they are before whatever waits for the connection too; there are not more than `most`.
    giving = Promise.allSettled(again.map((one) => give(one.again)))
  })

  async function give(again: () => Promise<unknown>): Promise<void> {
    try {
      await again()
    } catch {
      // Redis is away again: it is tried when it is back. A conversation that is broken is told of by whoever works on it.
      kept.push({ atMs: performance.now(), again })
    }
  }

  return {
    remember(again) {
      const atMs = performance.now()
      kept.push({ atMs, again })
      if (closedAtMs === undefined && (kept[0]?.atMs ?? atMs) < atMs - 2 * keptMs)
        kept = kept.filter((one) => one.atMs >= atMs - keptMs)
      if (kept.length > most) kept = kept.slice(-most / 2)
    },
    async drained() {
      await giving
    },
  }
}

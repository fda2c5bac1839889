// What a process may take for certain of its own key: until when it cannot have ended, how long Redis has answered at once, and whom to tell.

/** The key had ended; or nothing was heard of Redis for long. */
export type Happened = 'lapsed' | 'silent'

/** That the key of this process cannot have ended since some moment. */
export type Sure = {
  /** Asked before something is done that others must not do too: after a pause a signal comes later than what waited in sockets. */
  holds(): boolean
  /** Aborts when it holds no more. */
  readonly signal: AbortSignal
}

/** A renewal that was answered. */
export type Beat = {
  readonly askedAtMs: number
  readonly sinceAskedMs: () => number
  /** How long the key lives from there. */
  readonly lifeMs: number
  /** Whether the key stood until then. */
  readonly stood: boolean
}

export type Certainty = {
  sure(): Sure
  /** For how long Redis has answered at once while the key stood, ms; negative where it does not now. */
  steadyForMs(): number
  watch(onHappened: (what: Happened) => void): () => void
  noteAnswer(beat: Beat): void
  noteFailure(): void
  lookForSilence(mostMs: number): void
  stop(): void
}

export function createCertainty(promptMs: number): Certainty {
  const watchers = new Set<(what: Happened) => void>()
  const sureness = createSureness()
  let steadySinceMs = Infinity
  let isSilent = false
  return {
    sure: sureness.sure,
    steadyForMs: () => performance.now() - steadySinceMs,
    watch(onHappened) {
      watchers.add(onHappened)
      return () => {
        watchers.delete(onHappened)
      }
    },
    noteAnswer(beat) {
      const nowMs = performance.now()
      // The answer to a renewal that found the key gone may have been lost.
      const hasLapsed = sureness.last() !== undefined && (!beat.stood || !sureness.holds())
      const isPrompt = !hasLapsed && beat.stood && nowMs - beat.askedAtMs <= promptMs
      steadySinceMs = isPrompt ? Math.min(steadySinceMs, nowMs) : nowMs
      isSilent = false
      sureness.note(beat)
      if (hasLapsed) {
        sureness.end()
        for (const tell of watchers) tell('lapsed')
      }
      sureness.begin(nowMs)
    },
    noteFailure: () => {
      steadySinceMs = Infinity
    },
    lookForSilence(mostMs) {
      if (isSilent || performance.now() < (sureness.last()?.askedAtMs ?? 0) + mostMs) return
      isSilent = true
      for (const tell of watchers) tell('silent')
    },
    stop() {
      watchers.clear()
      sureness.stop()
    },
  }
}

/** Holds from a renewal until the key that it renewed may have ended. */
function createSureness() {
  let holding = new AbortController()
  let last: Beat | undefined
  let timer: NodeJS.Timeout | undefined
  // Timers stand still while the machine sleeps, and come late after a pause.
  const holds = (): boolean => {
    if (!last || last.sinceAskedMs() >= last.lifeMs) holding.abort()
    return !holding.signal.aborted
  }
  const end = (): void => holding.abort()
  return {
    last: () => last,
    holds,
    sure(): Sure {
      holds()
      const { signal } = holding
      const stillHolds = (): boolean => {
        holds()
        return !signal.aborted
      }
      return { holds: stillHolds, signal }
    },
    /** Of two that were under way at once the later one tells. */
    note(beat: Beat): void {
      if (!last || beat.askedAtMs > last.askedAtMs) last = beat
    },
    end,
    /** From the last renewal on. */
    begin(nowMs: number): void {
      clearTimeout(timer)
      if (holding.signal.aborted) holding = new AbortController()
      if (!last) return
      timer = setTimeout(() => holding.abort(), Math.max(0, last.lifeMs - (nowMs - last.askedAtMs)))
      timer.unref()
    },
    stop(): void {
      clearTimeout(timer)
      last = undefined
      end()
    },
  }
}

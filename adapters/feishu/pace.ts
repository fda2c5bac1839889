// How often the card of an answer is changed while it grows: so many times in all, soon in the beginning and seldom later, so that a short answer is
// seen to grow and a long one does not stand still. Nobody knows how long an answer will be; most have ended within a minute.

export type Pace = {
  /** 0 when the turn's card may be changed now, which then counts; else how long to wait, ms. */
  take(turn: string): number
}

export type PaceSettings = {
  /** Changes of one answer. */
  readonly most: number
  /** Where calls have no limit, it goes on after those. */
  readonly isEndless: boolean
  /** ms, from any beginning. */
  readonly now: () => number
}

/** When the last change of those that are counted is made. */
const spanMs = 60_000
const leastGapMs = 1000
const afterSpanMs = 5000
/** Above 1, changes come sooner in the beginning. */
const slope = 1.5
const mostTurns = 1000
const never = 60_000

export function createPace({ most, isEndless, now }: PaceSettings): Pace {
  const turns = new Map<string, { readonly fromMs: number; readonly count: number; readonly nextMs: number }>()
  return {
    take(turn) {
      const nowMs = now()
      const so = turns.get(turn) ?? { fromMs: nowMs, count: 0, nextMs: nowMs }
      if (so.count >= most && (!isEndless || most === 0)) return never
      if (nowMs < so.nextMs) return so.nextMs - nowMs
      const count = so.count + 1
      const dueMs = count < most ? so.fromMs + spanMs * (count / most) ** slope : nowMs + afterSpanMs
      turns.delete(turn)
      turns.set(turn, { fromMs: so.fromMs, count, nextMs: Math.max(dueMs, nowMs + leastGapMs) })
      const [oldest] = turns.keys()
      if (turns.size > mostTurns && oldest !== undefined) turns.delete(oldest)
      return 0
    },
  }
}

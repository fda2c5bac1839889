// What a showing waits for: a row, which is looked at as soon as it is told of, or a longer draft, which may wait for its pace.

export type News = {
  tell(kind: 'row' | 'draft'): void
  /** A row was told of that no look since then can have found. */
  hasRow(): boolean
  /** Who looks now finds whatever was told before. */
  forget(): void
  /** Resolves at a row, at a draft but not before `draftAfterMs`, after `mostMs`, or when `signal` aborts; then all is forgotten. */
  heard(wait: { readonly draftAfterMs: number; readonly mostMs: number }, signal: AbortSignal): Promise<void>
}

export function createNews(): News {
  let row = false
  let draft = false
  let wake = (): void => {}

  async function rest(untilMs: number, isOver: () => boolean, signal: AbortSignal): Promise<void> {
    while (!isOver() && !signal.aborted && performance.now() < untilMs) {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const timer = setTimeout(resolve, Math.max(0, untilMs - performance.now()))
      signal.addEventListener('abort', wake, { once: true })
      await promise
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
    }
  }

  const news: News = {
    tell(kind) {
      if (kind === 'row') row = true
      else draft = true
      wake()
    },
    hasRow: () => row,
    forget() {
      row = false
      draft = false
    },
    async heard({ draftAfterMs, mostMs }, signal) {
      const startedAtMs = performance.now()
      await rest(startedAtMs + Math.min(draftAfterMs, mostMs), () => row, signal)
      await rest(startedAtMs + mostMs, () => row || draft, signal)
      news.forget()
    },
  }
  return news
}

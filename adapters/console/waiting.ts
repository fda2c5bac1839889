// Which of the console's own events no reply has named yet.

/** A press may change something without a word; then nobody waits for one. */
const pressAnswerMs = 5000

export type Waiting = {
  /** Waits for a reply to the event, until the time at the latest, by `performance.now()`. */
  expect(eventId: string, untilMs: number): void
  expectPress(eventId: string): void
  answered(eventIds: readonly string[]): void
  isEmpty(): boolean
  /** Resolves when nothing is open, after `timeoutMs`, or when `signal` aborts. */
  drained(timeoutMs: number, signal: AbortSignal): Promise<void>
}

export function createWaiting(): Waiting {
  const open = new Map<string, number>()
  let onChange = (): void => {}
  const isEmpty = (): boolean => [...open.values()].every((untilMs) => untilMs < performance.now())

  const waiting: Waiting = {
    expect(eventId, untilMs) {
      open.set(eventId, untilMs)
      onChange()
    },
    expectPress: (eventId) => waiting.expect(eventId, performance.now() + pressAnswerMs),
    answered(eventIds) {
      for (const id of eventIds) open.delete(id)
      onChange()
    },
    isEmpty,
    async drained(timeoutMs, signal) {
      const end = performance.now() + timeoutMs
      while (!isEmpty() && !signal.aborted && performance.now() < end) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const wake = (): void => resolve()
        onChange = wake
        signal.addEventListener('abort', wake, { once: true })
        const nearest = Math.min(end, ...[...open.values()].map((untilMs) => untilMs + 1))
        const timer = setTimeout(wake, Math.max(0, nearest - performance.now()))
        await promise
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
      }
    },
  }
  return waiting
}

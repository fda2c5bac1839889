// What was learnt by asking, for a time: the same question asked by many at once is one request, and the oldest answers make room.

export type Remembered<T> = {
  /** The known value; it asks nobody. */
  peek(key: string): T | undefined
  /** Throws what `ask` throws, which is not remembered. */
  find(key: string): Promise<T | undefined>
  learn(key: string, value: T): void
}

export type RememberOptions<T> = {
  /** Undefined when it cannot be told now. */
  ask(key: string): Promise<T | undefined>
  readonly keepMs: number
  /** After a failure; an outage must not cost a request for every event. */
  readonly keepFailureMs: number
  readonly most: number
  /** ms, from any beginning. */
  readonly now: () => number
}

type Kept<T> = { readonly answer: Promise<T | undefined>; value: T | undefined; untilMs: number }

export function remember<T>({ ask, keepMs, keepFailureMs, most, now }: RememberOptions<T>): Remembered<T> {
  const kept = new Map<string, Kept<T>>()
  function keep(key: string, one: Kept<T>): void {
    kept.delete(key)
    kept.set(key, one)
    const [oldest] = kept.keys()
    if (kept.size > most && oldest !== undefined) kept.delete(oldest)
  }
  return {
    peek: (key) => kept.get(key)?.value,
    async find(key) {
      const known = kept.get(key)
      if (known && known.untilMs > now()) return await known.answer
      const before = known?.value
      const asked: Kept<T> = {
        answer: ask(key).then(
          (value) => {
            if (value === undefined) asked.untilMs = now() + keepFailureMs
            // An old answer is better than none.
            asked.value = value ?? before
            return asked.value
          },
          (error: unknown) => {
            asked.untilMs = now()
            throw error
          },
        ),
        value: before,
        untilMs: now() + keepMs,
      }
      keep(key, asked)
      return await asked.answer
    },
    learn(key, value) {
      keep(key, { answer: Promise.resolve(value), value, untilMs: now() + keepMs })
    },
  }
}

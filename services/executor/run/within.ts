// A limit for what may never end by itself.
import { BotError } from '#shared/errors.ts'

/** Rejects with BotError `internal` after `ms`, or when `signal` aborts. The work itself goes on, and nobody hears of it. */
export async function within<T>(work: Promise<T>, ms: number, signal?: AbortSignal): Promise<T> {
  const { promise: limit, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(new BotError('internal', 'It was stopped.'))
  const timer = setTimeout(() => reject(new BotError('internal', `It took more than ${ms} ms.`)), ms)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

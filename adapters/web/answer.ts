// Error answers of the HTTP interface: one shape, `{error: {code, message}}`, the message fit to be shown to a person.
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { BotError } from '#shared/errors.ts'

export function refuse(
  context: Context,
  status: ContentfulStatusCode,
  error: { readonly code: string; readonly message: string; readonly headers?: Record<string, string> },
): Response {
  const { code, message, headers } = error
  return context.json({ error: { code, message } }, status, headers)
}

/** What a failed handler becomes: an unreachable store is 503 and worth another try; nothing of the cause is shown. */
export function refuseFailure(context: Context, failure: unknown): Response {
  if (failure instanceof BotError && failure.code === 'bad-input') {
    return refuse(context, 400, { code: 'bad-input', message: failure.message })
  }
  if (failure instanceof BotError && (failure.code === 'store-corrupt' || failure.code === 'internal')) {
    return refuse(context, 500, { code: failure.code, message: 'The server failed. `flotilla doctor` tells why.' })
  }
  // What is left comes from Redis or the way to it.
  return refuseStore(context)
}

export function refuseStore(context: Context): Response {
  const message = 'The message store cannot be reached just now. Please try again.'
  return refuse(context, 503, { code: 'store-unavailable', message, headers: { 'Retry-After': '2' } })
}

/** The promise's value, or undefined when it takes longer; then its late outcome is dropped. */
export async function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const timer = Promise.withResolvers<undefined>()
  const handle = setTimeout(() => timer.resolve(undefined), timeoutMs)
  promise.catch(() => {})
  try {
    return await Promise.race([promise, timer.promise])
  } finally {
    clearTimeout(handle)
  }
}

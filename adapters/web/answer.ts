// Error answers of the HTTP interface: one shape, `{error: {code, message}}`, the message fit to be shown to a person.
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { BotError } from '#shared/errors.ts'

/** Tells the operator; the text has no words of people or of the model. */
export type Say = (text: string, failure?: unknown) => void

export function refuse(
  context: Context,
  status: ContentfulStatusCode,
  error: { readonly code: string; readonly message: string; readonly headers?: Record<string, string> },
): Response {
  const { code, message, headers } = error
  return context.json({ error: { code, message } }, status, headers)
}

/** `place`: where the token lies, as it may be told. */
export function refuseNobody(context: Context, place: string): Response {
  const message = `Log in at /login, or send the token of ${place} as Authorization: Bearer.`
  return refuse(context, 401, { code: 'unauthorised', message, headers: { 'WWW-Authenticate': 'Bearer' } })
}

/** What a failed handler becomes: an unreachable store is 503 and worth another try; nothing of the cause is shown. Whatever nobody foresaw is told to `say`. */
export function refuseFailure(context: Context, failure: unknown, say: Say): Response {
  const code = failure instanceof BotError ? failure.code : undefined
  if (failure instanceof BotError && code === 'bad-input')
    return refuse(context, 400, { code, message: failure.message })
  if (code === 'store-unavailable') return refuseStore(context)
  if (code === 'store-newer') {
    const message = 'A newer release of the server stored this. Only a server of that release can show it.'
    return refuse(context, 500, { code, message })
  }
  if (code === 'store-corrupt') {
    return refuse(context, 500, { code, message: 'What is stored cannot be read. `flotilla doctor` tells why.' })
  }
  say(`A request failed: ${context.req.method} ${context.req.path.slice(0, 100)}`, failure)
  return refuse(context, 500, { code: 'internal', message: 'The server failed at this request. Its log tells why.' })
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

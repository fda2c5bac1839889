// How Meilisearch is reached: one client for each key, and what its failures are called here.
import { Meilisearch, MeilisearchApiError, MeilisearchRequestError } from 'meilisearch'
import { BotError } from '#shared/errors.ts'

/** Keys of limited rights: a reader searches, a writer adds and deletes, the operator sets up. */
export type MeilisearchKeys = {
  readonly reader: string
  readonly writer: string
  /** Without it the index has to be there and to have its settings. */
  readonly operator?: string | undefined
}

export type MeilisearchSettings = { readonly url: string; readonly keys: MeilisearchKeys }

export const memoryUid = 'memory'

/** Of the reader's key: tokens that are signed with it name it. Whoever makes the keys gives it this uid (infra/docs/meilisearch.md). */
export const readerUid = '6d656d6f-7279-4000-8000-726561646572'

/** The longest that a server's Retry-After is heeded. */
const mostRetryMs = 60_000

/**
 * `identity`: else the last packet of a compressed answer waits for 40 ms. No redirect is followed, since the key would go along. Without `timeoutMs` each
 * request brings its own signal: the client heeds no timeout where there is one.
 */
export function connectMeilisearch(url: string, apiKey: string, timeoutMs?: number): Meilisearch {
  return new Meilisearch({
    host: url,
    apiKey,
    requestInit: { headers: { 'Accept-Encoding': 'identity' }, redirect: 'error' },
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  })
}

/** The server's name of the failure, where it answered as itself. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof MeilisearchApiError ? error.cause?.code : undefined

export const isLost = (error: unknown): boolean => codeOf(error) === 'index_not_found'

/** In full, without anything that was asked. `afterMs`: when to try again at the earliest, unless the server says. */
export function toUnavailable(error: unknown, afterMs = 1000): BotError {
  if (error instanceof BotError) return error
  const told = `Meilisearch cannot be used: ${toCause(error)} "npm run flotilla -- doctor" looks closer.`
  return new BotError('store-unavailable', told, { retry: { afterMs: toRetryMs(error) ?? afterMs }, cause: error })
}

/** The cause, as a sentence that goes on after a colon. */
export function toCause(error: unknown): string {
  if (error instanceof BotError) return error.message
  if (isLost(error)) return 'its index is missing.'
  if (error instanceof MeilisearchApiError) {
    return `it refused with ${error.response.status}${error.cause ? ` ${error.cause.code}` : ''}.`
  }
  // What a proxy answers is no JSON.
  if (error instanceof SyntaxError) return 'something else answers at its address.'
  if (error instanceof MeilisearchRequestError)
    return isTimeout(error) ? 'it did not answer in time.' : 'it is not there.'
  // `fetch` says so.
  if (error instanceof TypeError) return 'it is not there.'
  return 'its answer was not understood.'
}

function isTimeout({ cause }: MeilisearchRequestError): boolean {
  return cause instanceof Error && /Time-?out/i.test(cause.name)
}

/** What the server asks for when it is busy. */
export function toRetryMs(error: unknown): number | undefined {
  if (!(error instanceof MeilisearchApiError) || error.response.status !== 503) return undefined
  const seconds = error.response.headers.get('retry-after')
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Math.min(Number(seconds) * 1000, mostRetryMs) : undefined
}

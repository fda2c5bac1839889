// Calls of Discord's HTTP interface through @discordjs/rest, one request each and no retry, answered as data: what Discord refused,
// what never reached it, and what nobody can know. No answer carries the token or a text: the SDK's errors hold both.
import { DiscordAPIError, HTTPError, RateLimitError, REST } from '@discordjs/rest'

/**
 * `refused`: 4xx, nothing happened; `code` is Discord's own, `status` that of HTTP. `slow-down`: not now,
 * in this place or anywhere. `not-sent`: no connection.
 * `unclear`: 5xx, a lost answer or a time-out; it may have happened.
 */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly result: T }
  | { readonly kind: 'refused'; readonly code: number; readonly status: number; readonly reason: string }
  | { readonly kind: 'slow-down'; readonly retryAfterMs: number; readonly scope: 'chat' | 'bot' }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string }

export type Call = {
  readonly method: 'get' | 'post' | 'patch' | 'put'
  /** Below the version, e.g. `/channels/1/messages`. */
  readonly path: `/${string}`
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}
export type Limit = { readonly timeoutMs: number; readonly signal: AbortSignal }

export type RestApi = {
  /** The part of the token that is public. */
  readonly botId: string
  ask(call: Call, limit: Limit): Promise<Answer<unknown>>
  /** For calls that carry an interaction's token instead of the bot's; they count towards no limit of the bot. */
  answer(call: Call, limit: Limit): Promise<Answer<unknown>>
  readonly requestsPerS: number
  /** For the gateway library, which asks for its address. */
  readonly rest: REST
}

export type RestApiSettings = {
  readonly token: string
  /** `https://discord.com/api` when left out; without a slash at its end. */
  readonly apiRoot?: string | undefined
  /** 50 when left out. https://docs.discord.com/developers/topics/rate-limits#global-rate-limit */
  readonly requestsPerS?: number | undefined
}

const hardTimeoutMs = 60_000
const usualRequestsPerS = 50

export function createRestApi({ token, apiRoot, requestsPerS = usualRequestsPerS }: RestApiSettings): RestApi {
  const api = (apiRoot ?? 'https://discord.com/api').replace(/\/+$/, '')
  // Waiting and retrying belong to the outbox: the SDK does neither.
  const options = { api, version: '10', retries: 0, timeout: hardTimeoutMs, rejectOnRateLimit: () => true }
  const rest = new REST({ ...options, globalRequestsPerSecond: requestsPerS }).setToken(token)
  const tokenless = new REST({ ...options, globalRequestsPerSecond: Infinity })
  return {
    rest,
    requestsPerS,
    botId: Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString(),
    ask(call, limit) {
      // After a 401 the SDK forgets the token, and nobody could tell when it works again.
      rest.setToken(token)
      return request(rest, { ...call, auth: true }, limit)
    },
    answer: (call, limit) => request(tokenless, { ...call, auth: false }, limit),
  }
}

async function request(
  rest: REST,
  { method, path, query, body, auth }: Call & { readonly auth: boolean },
  limit: Limit,
): Promise<Answer<unknown>> {
  const signal = AbortSignal.any([limit.signal, AbortSignal.timeout(limit.timeoutMs)])
  try {
    const options = { signal, auth, ...(body === undefined ? {} : { body }) }
    const result = await rest[method](path, query ? { ...options, query: new URLSearchParams(query) } : options)
    return { kind: 'ok', result }
  } catch (error) {
    return toAnswer(error, signal.aborted)
  }
}

/** What a failed call means; also for errors of the gateway library's own calls. */
export function toAnswer(error: unknown, aborted: boolean): Exclude<Answer<never>, { kind: 'ok' }> {
  if (error instanceof RateLimitError) {
    const retryAfterMs = Math.max(error.retryAfter, error.timeToReset, 100)
    return { kind: 'slow-down', retryAfterMs, scope: error.global ? 'bot' : 'chat' }
  }
  if (error instanceof DiscordAPIError) {
    const code = typeof error.code === 'number' ? error.code : 0
    return { kind: 'refused', code, status: error.status, reason: toReason(error.rawError) }
  }
  if (error instanceof HTTPError) return { kind: 'unclear', reason: `Discord answered ${error.status}` }
  const code = codeOf(error)
  if (codesBeforeConnection.test(code)) return { kind: 'not-sent', reason: code }
  return { kind: 'unclear', reason: aborted ? 'no answer in time' : code || 'the connection broke' }
}

const codesBeforeConnection =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EPROTO|ERR_TLS|CERT_|UNABLE_TO_|UND_ERR_CONNECT_TIMEOUT)/

/** Discord's own words for a code are fixed; its further fields may repeat what was sent. */
function toReason(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null || !('message' in raw)) return ''
  return typeof raw.message === 'string' ? raw.message.slice(0, 100) : ''
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeOf(error.cause) : ''
}

// Calls of Discord's HTTP interface through @discordjs/rest, one request each and no retry, answered as data: what Discord refused,
// what never reached it, and what nobody can know. Whatever comes back is checked: what does not fit is no answer, whoever gave it. No
// answer carries the token or a text: the SDK's errors hold both.
import { DiscordAPIError, HTTPError, RateLimitError, REST, type RawFile } from '@discordjs/rest'
import { z } from 'zod'
import {
  neverSent,
  type CallResult as AnyAnswer,
  type Failed as AnyFailed,
  type Limit,
} from '#adapters/calls/call-result.ts'

/** With a refusal: the status of HTTP; its `code` is 0 where Discord's own words say nothing. */
export type Status = { readonly status: number }
export type CallResult<T> = AnyAnswer<T, Status>
export type Failed = AnyFailed<Status>

export type Call<T = unknown> = {
  /** What a good answer looks like. */
  readonly shape: z.ZodType<T>
  readonly method: 'get' | 'post' | 'patch' | 'put'
  /** Below the version, e.g. `/channels/1/messages`. */
  readonly path: `/${string}`
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly files?: RawFile[]
}

export type RestApi = {
  /** The part of the token that is public. */
  readonly botId: string
  /** One request; never throws. */
  call<T>(call: Call<T>, limit: Limit): Promise<CallResult<T>>
  /** For calls that carry an interaction's token instead of the bot's; they count towards no limit of the bot. */
  respond<T>(call: Call<T>, limit: Limit): Promise<CallResult<T>>
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

/** Why an answer counts for nothing. */
export const oddResponse = 'an answer that is not Discord\u2019s'
/** The answer to what only needs to be done: no content. */
export const nothing = z.custom<ArrayBuffer>((body) => body instanceof ArrayBuffer && body.byteLength === 0)

/** Later requests of a kind wait behind one that hangs. Our own limits are shorter. */
const hardTimeoutMs = 12_000
const usualRequestsPerS = 50
/** Nobody is asked to wait longer than a day. */
const mostRetryAfterMs = 86_400_000

export function createRestApi({ token, apiRoot, requestsPerS = usualRequestsPerS }: RestApiSettings): RestApi {
  const api = (apiRoot ?? 'https://discord.com/api').replace(/(?<!\/)\/+$/, '')
  // Waiting and retrying belong to the outbox: the SDK does neither.
  const options = { api, version: '10', retries: 0, timeout: hardTimeoutMs, rejectOnRateLimit: () => true }
  const rest = new REST({ ...options, globalRequestsPerSecond: requestsPerS }).setToken(token)
  const tokenless = new REST({ ...options, globalRequestsPerSecond: Infinity })
  return {
    rest,
    requestsPerS,
    botId: Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString(),
    call(call, limit) {
      // After a 401 the SDK forgets the token, and nobody could tell when it works again.
      rest.setToken(token)
      return request(rest, { ...call, auth: true }, limit)
    },
    respond: (call, limit) => request(tokenless, { ...call, auth: false }, limit),
  }
}

async function request<T>(
  rest: REST,
  { shape, method, path, query, body, files, auth }: Call<T> & { readonly auth: boolean },
  limit: Limit,
): Promise<CallResult<T>> {
  const signal = AbortSignal.any([limit.signal, AbortSignal.timeout(limit.timeoutMs)])
  try {
    const options = { signal, auth, ...(body === undefined ? {} : { body }), ...(files ? { files } : {}) }
    const asked = rest[method](path, query ? { ...options, query: new URLSearchParams(query) } : options)
    const result = shape.safeParse(await asked)
    return result.success ? { kind: 'ok', value: result.data } : { kind: 'unclear', reason: oddResponse }
  } catch (error) {
    return toFailed(error, signal.aborted)
  }
}

/** What a failed call means; also for errors of the gateway library's own calls. */
export function toFailed(error: unknown, aborted: boolean): Failed {
  if (error instanceof RateLimitError) {
    // Both are read from headers, whatever stands there.
    const waits = [error.retryAfter, error.timeToReset].filter((ms) => Number.isFinite(ms))
    const retryAfterMs = Math.min(Math.max(...waits, 100), mostRetryAfterMs)
    return { kind: 'slow-down', retryAfterMs, scope: error.global ? 'bot' : 'chat' }
  }
  if (error instanceof DiscordAPIError) {
    const { code } = error
    // An error without a code comes from somebody between Discord and here.
    if (typeof code !== 'number') return { kind: 'unclear', reason: oddResponse }
    return { kind: 'refused', code, status: error.status, reason: toReason(error.rawError) }
  }
  if (error instanceof HTTPError) return { kind: 'unclear', reason: `Discord answered ${error.status}` }
  const { code, syscall } = codeOf(error)
  if (isBeforeConnection(code, syscall)) return { kind: 'not-sent', reason: code }
  // What the SDK throws when it looks into an answer that is no JSON, or not the one that it expects.
  if (code === '' && (error instanceof SyntaxError || error instanceof TypeError))
    return { kind: 'unclear', reason: oddResponse }
  return { kind: 'unclear', reason: aborted ? 'no answer in time' : code || 'the connection broke' }
}

/** Whether an error proves that nothing was sent. */
export function isBeforeConnection(code: string, syscall: string): boolean {
  return syscall === 'connect' || syscall === 'getaddrinfo' || neverSent.test(code)
}

/** Discord's own words for a code are fixed; its further fields may repeat what was sent. */
function toReason(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null || !('message' in raw)) return ''
  return typeof raw.message === 'string' ? raw.message.slice(0, 100) : ''
}

/** The first code in the chain of causes, and the system's call that it is about. */
function codeOf(error: unknown): { readonly code: string; readonly syscall: string } {
  if (typeof error !== 'object' || error === null) return { code: '', syscall: '' }
  if ('code' in error && typeof error.code === 'string') {
    return { code: error.code, syscall: 'syscall' in error ? String(error.syscall) : '' }
  }
  return codeOf('cause' in error ? error.cause : undefined)
}

// Calls of the Bot API through grammY, one request each and no retry, answered as data: what Telegram refused, what never reached it,
// and what nobody can know. No answer carries the token: grammY's errors name the URL, which holds it, so only codes are taken over.
import { Api, GrammyError, HttpError } from 'grammy'
import { createWatchedAgent, notConnected } from './connect-watch.ts'

/**
 * `refused`: 4xx, nothing happened. `not-sent`: no connection. `unclear`: 5xx, a lost answer, an abort or a time-out; it may have
 * happened (durability.md §5).
 */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly result: T }
  | Refused
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string }
export type Refused = {
  readonly kind: 'refused'
  readonly code: number
  readonly reason: string
  readonly retryAfterMs?: number
  /** The supergroup that this group has become. */
  readonly migratedTo?: number
}

/** grammY takes the signal class of a polyfill; Node's own does the same. */
export type ApiSignal = NonNullable<Parameters<Api['getMe']>[0]>
export type Request<T> = (api: Api, signal: ApiSignal) => Promise<T>
export type BotApi = {
  /** The part of the token that is public. */
  readonly botId: string
  ask<T>(request: Request<T>, limit: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<Answer<T>>
}

export type BotApiSettings = {
  readonly token: string
  /** `https://api.telegram.org` when left out; without a slash at its end. */
  readonly apiRoot?: string | undefined
  readonly connectTimeoutMs?: number | undefined
}

const codesBeforeConnection =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EPROTO|ERR_TLS|CERT_|UNABLE_TO_)/

export function createBotApi(settings: BotApiSettings): BotApi {
  const apiRoot = (settings.apiRoot ?? 'https://api.telegram.org').replace(/\/+$/, '')
  const agent = createWatchedAgent(apiRoot, settings.connectTimeoutMs ?? 4000)
  const api = new Api(settings.token, { apiRoot, baseFetchConfig: { agent, compress: true } })
  return {
    botId: settings.token.split(':', 1)[0] ?? '',
    async ask(request, limit) {
      const signal: AbortSignal = AbortSignal.any([limit.signal, AbortSignal.timeout(limit.timeoutMs)])
      if (!isApiSignal(signal)) throw new TypeError('An AbortSignal has listeners.')
      try {
        return { kind: 'ok', result: await request(api, signal) }
      } catch (error) {
        return toAnswer(error, signal.aborted)
      }
    },
  }
}

function isApiSignal(signal: AbortSignal | ApiSignal): signal is ApiSignal {
  return typeof signal.addEventListener === 'function'
}

function toAnswer(error: unknown, aborted: boolean): Exclude<Answer<never>, { kind: 'ok' }> {
  if (error instanceof GrammyError) {
    const { error_code: code, description, parameters } = error
    if (code >= 500) return { kind: 'unclear', reason: `Telegram answered ${code}` }
    return {
      kind: 'refused',
      code,
      reason: description,
      ...(parameters.retry_after === undefined ? {} : { retryAfterMs: parameters.retry_after * 1000 }),
      ...(parameters.migrate_to_chat_id === undefined ? {} : { migratedTo: parameters.migrate_to_chat_id }),
    }
  }
  const code = codeOf(error)
  if (code.startsWith(notConnected) || codesBeforeConnection.test(code)) return { kind: 'not-sent', reason: code }
  return { kind: 'unclear', reason: aborted ? 'no answer in time' : code || 'the connection broke' }
}

/** The code of what broke a request, or its class; never its message, which names the URL. */
function codeOf(error: unknown): string {
  const inner: unknown = error instanceof HttpError ? error.error : error
  if (typeof inner !== 'object' || inner === null) return ''
  if ('code' in inner && typeof inner.code === 'string') return inner.code
  if ('type' in inner && typeof inner.type === 'string') return inner.type
  return ''
}

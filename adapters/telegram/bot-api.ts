// Calls of the Bot API through grammY, one request each and no retry, answered as data: what Telegram refused, what never reached it,
// and what nobody can know. Whatever comes back is checked: what does not fit is no answer, whoever gave it. No answer carries the
// token: grammY's errors name the URL, which holds it, so only codes are taken over.
import { Api, GrammyError, HttpError } from 'grammy'
import type { z } from 'zod'
import type { CallResult as AnyAnswer, Failed as AnyFailed, Limit } from '#adapters/calls/call-result.ts'
import { advice, envelope, oddResponse } from './responses.ts'
import { createWatchedAgent, isBeforeConnection } from './connect-watch.ts'

/** With a refusal: the supergroup that this group has become. */
export type Move = { readonly migratedTo?: number }
export type CallResult<T> = AnyAnswer<T, Move>
export type Failed = AnyFailed<Move>
export type Refused = Extract<Failed, { kind: 'refused' }>

/** grammY takes the signal class of a polyfill; Node's own does the same. */
export type ApiSignal = NonNullable<Parameters<Api['getMe']>[0]>
export type Request = (api: Api, signal: ApiSignal) => Promise<unknown>
export type BotApi = {
  /** The part of the token that is public. */
  readonly botId: string
  /** One request, whose result has to be of this shape; never throws. */
  call<T>(shape: z.ZodType<T>, request: Request, limit: Limit): Promise<CallResult<T>>
}

export type BotApiSettings = {
  readonly token: string
  /** `https://api.telegram.org` when left out; without a slash at its end. */
  readonly apiRoot?: string | undefined
  readonly connectTimeoutMs?: number | undefined
}

/** Far above what a hundred updates can hold. */
const maxResponseBytes = 32_000_000

export function createBotApi(settings: BotApiSettings): BotApi {
  const apiRoot = (settings.apiRoot ?? 'https://api.telegram.org').replace(/(?<!\/)\/+$/, '')
  const agent = createWatchedAgent(apiRoot, settings.connectTimeoutMs ?? 4000)
  // Telegram redirects nobody, and what was sent once would be sent again elsewhere.
  const baseFetchConfig = { agent, compress: true, size: maxResponseBytes, redirect: 'error' } as const
  const api = new Api(settings.token, { apiRoot, baseFetchConfig })
  // grammY takes every JSON for an answer of Telegram's.
  api.config.use(async (call, method, payload, signal) => {
    const answer = await call(method, payload, signal)
    if (!envelope.safeParse(answer).success) throw new OddResponse(oddResponse)
    return answer
  })
  return {
    botId: settings.token.split(':', 1)[0] ?? '',
    async call(shape, request, limit) {
      const signal: AbortSignal = AbortSignal.any([limit.signal, AbortSignal.timeout(limit.timeoutMs)])
      if (!isApiSignal(signal)) throw new TypeError('An AbortSignal has listeners.')
      try {
        const result = shape.safeParse(await request(api, signal))
        return result.success ? { kind: 'ok', value: result.data } : { kind: 'unclear', reason: oddResponse }
      } catch (error) {
        return toFailed(error, signal.aborted)
      }
    },
  }
}

/** An answer that is not Telegram's. */
class OddResponse extends Error {}

function isApiSignal(signal: AbortSignal | ApiSignal): signal is ApiSignal {
  return typeof signal.addEventListener === 'function'
}

function toFailed(error: unknown, aborted: boolean): Failed {
  if (error instanceof GrammyError) {
    const { error_code: code, description } = error
    const { retry_after: retryAfterS = 1, migrate_to_chat_id: migratedTo } = advice.parse(error.parameters)
    if (code >= 500) return { kind: 'unclear', reason: `Telegram answered ${code}` }
    if (code === 429) return { kind: 'slow-down', retryAfterMs: retryAfterS * 1000, scope: 'chat' }
    return { kind: 'refused', code, reason: description, ...(migratedTo === undefined ? {} : { migratedTo }) }
  }
  const inner: unknown = error instanceof HttpError ? error.error : error
  const code = codeOf(inner)
  if (isBeforeConnection(code)) return { kind: 'not-sent', reason: code }
  if (inner instanceof OddResponse || code === 'invalid-json' || code === 'no-redirect')
    return { kind: 'unclear', reason: oddResponse }
  return { kind: 'unclear', reason: aborted ? 'no answer in time' : code || 'the connection broke' }
}

/** The code of what broke a request, or its class; never its message, which names the URL. */
function codeOf(inner: unknown): string {
  if (typeof inner !== 'object' || inner === null) return ''
  if ('code' in inner && typeof inner.code === 'string') return inner.code
  if ('type' in inner && typeof inner.type === 'string') return inner.type
  return ''
}

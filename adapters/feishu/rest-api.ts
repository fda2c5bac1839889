// Calls of Feishu's HTTP interface through the SDK, one request each and no retry but for an outdated token, answered as data: what Feishu
// refused, what never reached it, and what nobody can know. Feishu tells of most refusals under status 200, which the SDK takes for
// success, so every answer is looked at here. https://open.feishu.cn/document/server-docs/getting-started/server-error-codes
import { Client, defaultHttpInstance, withTenantToken } from '@larksuiteoapi/node-sdk'
import { z } from 'zod'
import {
  neverSent,
  type CallResult as AnyAnswer,
  type Failed as AnyFailed,
  type Limit,
} from '#adapters/calls/call-result.ts'
import { quiet } from './sdk-log.ts'
import type { AppToken } from './app-token.ts'

/** With a refusal: the permission that is missing, where Feishu names one. */
export type Missing = { readonly scope?: string }
export type CallResult<T> = AnyAnswer<T, Missing>
export type Failed = AnyFailed<Missing>

export type Call<T = unknown> = {
  /** What `data` of a good answer looks like. */
  readonly shape: z.ZodType<T>
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Below `/open-apis`, e.g. `/im/v1/messages`. */
  readonly path: `/${string}`
  readonly query?: Readonly<Record<string, string>>
  /** A form where it holds a file. */
  readonly body?: Readonly<Record<string, unknown>> | FormData
  /** The answer stands beside `code`, not in `data`. */
  readonly isFlat?: true
}

export type RestApi = {
  readonly appId: string
  /** One request; never throws. */
  call<T>(call: Call<T>, limit: Limit): Promise<CallResult<T>>
}

export type RestApiSettings = {
  readonly appId: string
  readonly appSecret: string
  /** Without a path, e.g. `https://open.feishu.cn`. */
  readonly domain: string
}

export type RestApiDeps = {
  readonly token: AppToken
  /** One more request was made, which counts towards the month's. */
  readonly count: () => void
}

/** Why an answer counts for nothing. */
export const oddResponse = 'an answer that is not Feishu\u2019s'
/** Of what only needs to be done. */
export const done = z.unknown()

const envelope = z.object({ code: z.number().int(), msg: z.string().default(''), data: z.unknown().optional() })
/** With some refusals Feishu names the permissions, any of which would do. */
const violations = z.object({
  error: z.object({ permission_violations: z.array(z.object({ subject: z.string() })).min(1) }),
})

const outdated = new Set([99_991_661, 99_991_663, 99_991_664, 99_991_665, 99_991_668, 99_991_671, 20_005])
const tooMany = 99_991_400
/** So many messages to one chat or person. */
const tooManyInChat = new Set([230_020, 230_049])
/** Feishu's own trouble: what was asked for may have been done. */
const ofServer = new Set([1500, 1663, 2200, 55_001, 99_991_500])
const usualWaitMs = 1000
/** Nobody is asked to wait longer than a day. */
const mostWaitMs = 86_400_000

export function createRestApi({ appId, appSecret, domain }: RestApiSettings, deps: RestApiDeps): RestApi {
  const client = new Client({ appId, appSecret, domain, disableTokenCache: true, logger: quiet })
  const ask = async <T>(call: Call<T>, token: string, signal: AbortSignal): Promise<CallResult<T>> => {
    deps.count()
    try {
      return toResult(call, await request(client, domain, { ...call, token, signal }))
    } catch (error) {
      return toFailed(error, signal.aborted)
    }
  }
  return {
    appId,
    async call(call, limit) {
      const signal = AbortSignal.any([limit.signal, AbortSignal.timeout(limit.timeoutMs)])
      const token = await deps.token.find(signal)
      if (token.kind !== 'ok') return token
      const first = await ask(call, token.value, signal)
      if (first.kind !== 'refused' || !outdated.has(first.code)) return first
      // Nothing was done under it. Whoever meets it first has another one made.
      const next = await deps.token.renew(token.value, signal)
      return next.kind === 'ok' ? await ask(call, next.value, signal) : next
    },
  }
}

type Request = Call & { readonly token: string; readonly signal: AbortSignal }

/** Gives the answer with its headers. */
async function request(client: Client, domain: string, { token, signal, ...call }: Request): Promise<unknown> {
  const { method, path, query, body } = call
  const how = {
    method,
    signal,
    maxRedirects: 0,
    validateStatus: (status: number) => status < 500,
    $return_headers: true,
    ...(query ? { params: query } : {}),
  }
  const authorised = withTenantToken(token)
  if (body instanceof FormData) {
    // The SDK's client copies a body's fields, which a form does not have.
    return await defaultHttpInstance.request({ ...how, ...authorised, url: `${domain}/open-apis${path}`, data: body })
  }
  return await client.request({ ...how, url: `/open-apis${path}`, ...(body ? { data: body } : {}) }, authorised)
}

const response = z.object({ data: z.unknown(), headers: z.unknown() })

/** What an answer with its headers says. */
export function toResult<T>({ shape, isFlat }: Pick<Call<T>, 'shape' | 'isFlat'>, answer: unknown): CallResult<T> {
  const { data: body, headers } = response.catch({ data: undefined, headers: undefined }).parse(answer)
  const read = envelope.safeParse(body)
  if (!read.success) return { kind: 'unclear', reason: oddResponse }
  const { code, msg, data } = read.data
  if (code === 0) {
    const result = shape.safeParse(isFlat ? body : data)
    return result.success ? { kind: 'ok', value: result.data } : { kind: 'unclear', reason: oddResponse }
  }
  if (code === tooMany || tooManyInChat.has(code)) {
    const resetS = Number(headerOf(headers, 'x-ogw-ratelimit-reset'))
    const retryAfterMs = resetS > 0 ? Math.min(resetS * 1000, mostWaitMs) : usualWaitMs
    return { kind: 'slow-down', retryAfterMs, scope: code === tooMany ? 'bot' : 'chat' }
  }
  if (ofServer.has(code)) return { kind: 'unclear', reason: `Feishu answered ${code}` }
  const [scope] = (violations.safeParse(body).data?.error.permission_violations ?? []).map(({ subject }) => subject)
  return {
    kind: 'refused',
    code,
    reason: toReason(msg),
    ...(scope === undefined ? {} : { scope: scope.slice(0, 100) }),
  }
}

/** Feishu's words for a code; what follows them may repeat what was sent, or hold the token of a log. */
function toReason(msg: string): string {
  const [words = ''] = msg.split(/\b(?:ext|log_?id|troubleshooter|ErrPath|ErrMsg)\b/i, 1)
  return words
    .trim()
    .replace(/[,;:]$/, '')
    .slice(0, 120)
}

export function toFailed(error: unknown, aborted: boolean): Failed {
  const { code, syscall } = codeOf(error)
  const status = error instanceof Error && 'response' in error ? statusOf(error.response) : undefined
  if (status !== undefined) return { kind: 'unclear', reason: `Feishu answered ${status}` }
  if (syscall === 'connect' || syscall === 'getaddrinfo' || neverSent.test(code))
    return { kind: 'not-sent', reason: code }
  if (code === '' && (error instanceof SyntaxError || error instanceof TypeError))
    return { kind: 'unclear', reason: oddResponse }
  const reason = aborted || code === 'ERR_CANCELED' ? 'no answer in time' : code || 'the connection broke'
  return { kind: 'unclear', reason }
}

function statusOf(response: unknown): number | undefined {
  const isOne = typeof response === 'object' && response !== null && 'status' in response
  return isOne && typeof response.status === 'number' ? response.status : undefined
}

const headerOf = (headers: unknown, name: string): unknown =>
  typeof headers === 'object' && headers !== null ? Reflect.get(headers, name) : undefined

function codeOf(error: unknown): { readonly code: string; readonly syscall: string } {
  if (typeof error !== 'object' || error === null) return { code: '', syscall: '' }
  const cause = 'cause' in error ? codeOf(error.cause) : { code: '', syscall: '' }
  if (cause.code !== '') return cause
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { code, syscall: 'syscall' in error ? String(error.syscall) : '' }
}

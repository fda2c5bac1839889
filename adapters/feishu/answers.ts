// What Feishu's answers and the SDK's errors mean, as data. Feishu tells of most refusals under status 200, which the SDK takes for success,
// so that every answer is looked at here. https://open.feishu.cn/document/server-docs/getting-started/server-error-codes
import { z } from 'zod'
import { neverSent, type CallResult as AnyAnswer, type Failed as AnyFailed } from '#adapters/calls/call-result.ts'

/** With a refusal: the permission that is missing, where Feishu names one. */
export type Missing = { readonly scope?: string }
export type CallResult<T> = AnyAnswer<T, Missing>
export type Failed = AnyFailed<Missing>

/** Why an answer counts for nothing. */
export const oddResponse = 'an answer that is not Feishu\u2019s'
/** Bytes. No answer has so many; the SDK's client would read on until there is no memory. */
export const maxContentLength = 20_000_000
/** Of what only needs to be done. */
export const done = z.unknown()

const envelope = z.object({ code: z.number().int(), msg: z.string().default(''), data: z.unknown().optional() })
/** With some refusals Feishu names the permissions, any of which would do. */
const violations = z.object({
  error: z.object({ permission_violations: z.array(z.object({ subject: z.string() })).min(1) }),
})

const tooMany = 99_991_400
/** So many messages to one chat or person. */
const tooManyInChat = new Set([230_020, 230_049])
/** Feishu's own trouble: what was asked for may have been done. */
const ofServer = new Set([1500, 1663, 2200, 55_001, 99_991_500])
const usualWaitMs = 1000
/** Feishu counts by the second and by the minute: who asks for more is not believed, since it would silence the whole bot. */
const mostWaitMs = 120_000

/** What an answer is read as. */
export type Shape<T> = { readonly shape: z.ZodType<T>; readonly isFlat?: true }

const response = z.object({ data: z.unknown(), headers: z.unknown() })

/** What an answer with its headers says. */
export function toResult<T>({ shape, isFlat }: Shape<T>, answer: unknown): CallResult<T> {
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
  const isNoError = code === '' && (error instanceof SyntaxError || error instanceof TypeError)
  // Without a status: it was too long.
  if (isNoError || code === 'ERR_BAD_RESPONSE') return { kind: 'unclear', reason: oddResponse }
  const reason = aborted || code === 'ERR_CANCELED' ? 'no answer in time' : code || 'the connection broke'
  return { kind: 'unclear', reason }
}

function statusOf(given: unknown): number | undefined {
  const isOne = typeof given === 'object' && given !== null && 'status' in given
  return isOne && typeof given.status === 'number' ? given.status : undefined
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

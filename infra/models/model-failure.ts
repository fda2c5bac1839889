// Turns what the SDK or the network threw, and errors sent inside a stream, into the port's failures.
// A message holds only a status and codes: the endpoint's own words may repeat the prompt or the key.
import { APIError } from 'openai'
import type { ModelFailureKind, ModelRequest, ModelResult } from '#shared/model/model-port.ts'
import { withoutEchoes } from './echoes.ts'
import { isTooLong, toCode, toRefusal, toRefusalOfStream, type Refusal } from './refusal.ts'

export type ModelFailure = Extract<ModelResult, { kind: 'failure' }>

export function toFailure(failure: ModelFailureKind, message: string, retryAfterMs?: number): ModelFailure {
  return { kind: 'failure', failure, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

type Asked = Pick<ModelRequest, 'messages'>

/** Classifies an error of this request. `nowMs` is needed for a `Retry-After` that names a date. */
export function classifyError(error: unknown, { messages }: Asked, nowMs: number): ModelFailure {
  const told = toRefusal(error)
  const refusal = told && withoutEchoes(told, messages)
  if (!told || !refusal || !(error instanceof APIError))
    return toFailure('unavailable', `The model endpoint cannot be reached (${findNetworkCode(error)}).`)
  const headers: unknown = error.headers
  const retryAfterMs = toRetryAfterMs(headers instanceof Headers ? headers : undefined, nowMs)
  const { status, code } = refusal
  return isOfLength(told, refusal) ? tooLong(`${status}`) : classifyStatus(status, code, retryAfterMs)
}

/** An `error` object inside a stream that began well, or in a body that came with status 200. */
export function classifyStreamError(error: unknown, { messages }: Asked): ModelFailure {
  const told = toRefusalOfStream(error)
  const refusal = withoutEchoes(told, messages)
  const { status, code, said } = refusal
  if (isOfLength(told, refusal)) return tooLong('in its stream')
  if (/rate_?limit|too_many/i.test(code)) return classifyStatus(429, code)
  // Gateways pass words on without their status.
  if (status === 0 && /\brate limit|too many requests/i.test(said)) return classifyStatus(429, code)
  if (status > 0) return classifyStatus(status, code)
  return toFailure('unavailable', `The model endpoint reported an error inside its stream (${code || 'no code'}).`)
}

/** By the endpoint's own words. Where the same stands in the prompt, a count of tokens beside it is the endpoint's. */
const isOfLength = (told: Refusal, own: Refusal): boolean =>
  isTooLong(own) || (isTooLong(told) && /\d{4}/.test(own.said))

const tooLong = (where: string): ModelFailure =>
  toFailure('too-long', `The prompt does not fit the window of the model endpoint (${where}).`)

/** Milliseconds to wait by `retry-after-ms` or `Retry-After` (seconds or HTTP date, RFC 9110 §10.2.3); never negative. */
function toRetryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const precise = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (precise >= 0) return Math.round(precise)
  const value = headers?.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Math.round(Number(value) * 1000)
  const dateMs = value === '' ? Number.NaN : Date.parse(value)
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs)
}

function classifyStatus(status: number, code: string, retryAfterMs?: number): ModelFailure {
  const said = `${status}${code ? ` ${code}` : ''}`
  if (status === 401 || status === 403) return toFailure('auth', `The model endpoint refused the key (${said}).`)
  // An empty account is answered with 429 by some and 402 by others; waiting fills none.
  if (status === 402 || code === 'insufficient_quota') {
    return toFailure('auth', `The model account has no credit left (${said}).`)
  }
  if (status === 404) return toFailure('no-model', `The model endpoint does not have the model (${said}).`)
  if (status === 429) return toFailure('rate-limited', `The model endpoint limits the rate (${said}).`, retryAfterMs)
  if (status === 408) return toFailure('timeout', `The model endpoint gave up waiting (${said}).`, retryAfterMs)
  if (status === 409 || status === 425 || status >= 500) {
    return toFailure('unavailable', `The model endpoint is not available (${said}).`, retryAfterMs)
  }
  return toFailure('bad-request', `The model endpoint refused the request (${said}). Check model name and base URL.`)
}

/** The first machine-readable code in the chain of causes, e.g. `ECONNREFUSED`. */
function findNetworkCode(error: unknown): string {
  let current = error
  for (let depth = 0; depth < 6 && current instanceof Error; depth++) {
    const found = 'code' in current ? toCode(current.code) : ''
    if (found) return found
    current = current instanceof AggregateError ? current.errors[0] : current.cause
  }
  return error instanceof Error ? error.name : 'unknown error'
}

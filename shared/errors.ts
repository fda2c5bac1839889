// The one error class of the project and its closed list of codes.

/** Why something failed, for code that must choose what to do next. */
export type BotErrorCode =
  | 'config'
  | 'bad-input'
  | 'forbidden'
  | 'not-found'
  | 'store-unavailable'
  | 'store-corrupt'
  | 'store-newer'
  | 'fenced'
  | 'platform'
  | 'model'
  | 'internal'

/** Whether trying the same again can help, and when at the earliest. */
export type Retry = 'never' | { readonly afterMs: number }

/** Thrown for the unexpected. The message says what was attempted, with which value, and what to do; never a secret or message text. */
export class BotError extends Error {
  readonly code: BotErrorCode
  readonly retry: Retry

  constructor(code: BotErrorCode, message: string, options: { retry?: Retry; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'BotError'
    this.code = code
    this.retry = options.retry ?? 'never'
  }
}

/**
 * Whether what was being done cannot be done, however often it is tried. Else something passes (an outage), has to be repaired (what is
 * stored), or is for a process of another release.
 */
export const isHopeless = (error: unknown): error is Error =>
  error instanceof BotError
    ? error.retry === 'never' && !['store-corrupt', 'store-newer'].includes(error.code)
    : error instanceof Error

/** What a newer release stored, which is to be left to a process of that release. */
export const isNewer = (error: unknown): error is BotError => error instanceof BotError && error.code === 'store-newer'

/** Codes of connections that break, or come to nothing, for a moment. */
const passing = new Set(['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'])
const momentMs = 1000

/** A failure that passes, told in words that may be others'. */
export class PassingError extends Error {
  readonly afterMs: number

  constructor(message: string, afterMs = momentMs) {
    super(message)
    this.name = 'PassingError'
    this.afterMs = afterMs
  }
}

/** When trying the same again may help, for what says of itself that it passes; undefined for all else. */
export function findAfterMs(error: unknown): number | undefined {
  if (error instanceof PassingError) return error.afterMs
  if (error instanceof BotError) return error.retry === 'never' ? undefined : error.retry.afterMs
  if (!(error instanceof Error)) return undefined
  return codeOf(error) ?? (error.cause instanceof Error ? codeOf(error.cause) : undefined)
}

const codeOf = (error: Error): number | undefined =>
  'code' in error && typeof error.code === 'string' && passing.has(error.code) ? momentMs : undefined

/** What an error says, for a line of ours. What `JSON.parse` says quotes what it read, which may be anybody's. */
export function toReason(error: unknown): string {
  if (error instanceof SyntaxError) return 'It could not be read.'
  return error instanceof Error ? error.message : 'an unexpected error'
}

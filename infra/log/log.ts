// The process's log: JSON lines by pino, with secrets hidden by value and by pattern in the finished line, and message
// text dropped by field name. It never throws and never blocks a reply.
import { pino } from 'pino'
import type { DestinationStream, Logger, LevelWithSilent } from 'pino'
import { BotError, toReason } from '#shared/errors.ts'
import { createScrub } from './redaction.ts'

export type Log = Logger

/** Fields that hold what people or models wrote; they are replaced by their length. */
const textFields: ReadonlySet<string> = new Set([
  'text',
  'content',
  'messages',
  'prompt',
  'reply',
  'body',
  'payload',
  'args',
  'arguments',
])
const errorFields: ReadonlySet<string> = new Set(['err', 'error'])
const maxDepth = 5

type LogOptions = {
  readonly level: LevelWithSilent
  readonly secrets: readonly string[]
  /** Fields of every line, such as the worker's kind. */
  readonly base?: Readonly<Record<string, string | number>>
  /** Standard output when absent. */
  readonly destination?: DestinationStream
}

/** A logger; secrets found later (the owner code, the web token) are added with `addSecret`. */
export function createLog(options: LogOptions): { readonly log: Log; addSecret(value: string): void } {
  const secrets = [...options.secrets]
  let scrub = createScrub(secrets)
  const log = pino(
    {
      level: options.level,
      base: { pid: process.pid, ...options.base },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) =>
          Object.fromEntries(
            Object.entries(fields).map(([name, value]) => [
              name,
              errorFields.has(name) ? toLoggedError(value) : dropText(name, value, 0),
            ]),
          ),
      },
      // Serializers come after formatters: the error has been described by now, and pino's own would describe that.
      serializers: { err: (described: unknown) => described },
      hooks: { streamWrite: (line) => scrub(line) },
    },
    options.destination ?? pino.destination(1),
  )
  return {
    log,
    addSecret(value) {
      secrets.push(value)
      scrub = createScrub(secrets)
    },
  }
}

export type LoggedError = {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
  readonly cause?: LoggedError
}

/** What of an error is logged: type, message, code, stack and causes; never its other fields, which may hold requests and headers. */
export function toLoggedError(error: unknown): LoggedError {
  return describeError(error, 0)
}

function describeError(error: unknown, depth: number): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: typeof error === 'string' ? error : 'not an Error' }
  const code =
    error instanceof BotError ? error.code : 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const message = toReason(error)
  const stack = error.stack?.replace(error.message, message)
  return {
    type: error.name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(stack === undefined ? {} : { stack }),
    ...(error.cause === undefined || depth >= maxDepth ? {} : { cause: describeError(error.cause, depth + 1) }),
  }
}

function dropText(name: string, value: unknown, depth: number): unknown {
  if (textFields.has(name)) return typeof value === 'string' ? `[${value.length} characters]` : '[not logged]'
  if (value instanceof Error) return toLoggedError(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return '[deeper]'
  if (Array.isArray(value)) return value.map((item) => dropText('', item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, dropText(key, item, depth + 1)]))
}

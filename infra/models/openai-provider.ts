// The model port over Chat Completions, for any compatible endpoint. The SDK makes request and errors; its stream reader,
// which has no bounds and logs what it cannot parse, is not used. One call is one attempt: the executor alone retries.
import type { IncomingMessage } from 'node:http'
import { BotError } from '#shared/errors.ts'
import type { ModelPort, ModelRequest, ModelResult } from '#shared/model/model-port.ts'
import { type CallEnding, type CallWatch, watchCall } from './call-watch.ts'
import { type ChatChunk, parseChunk } from './chat-chunk.ts'
import { type Dialect, findDialect, toBody, widestDialect } from './chat-request.ts'
import { LeanClient } from './lean-client.ts'
import { sdkFetch, takeBody } from './http-transport.ts'
import { classifyError, classifyStreamError, type ModelFailure, toFailure } from './model-failure.ts'
import { createAssembly, type ReplyAssembly } from './reply-assembly.ts'
import { readSse, type SseEnd } from './sse.ts'

export type OpenAiOptions = {
  /** Any text for endpoints that need none. */
  readonly apiKey: string
  /** With the version path, e.g. `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly fastModel?: string
  readonly fallbackModel?: string
  readonly contextTokens: number
  /** Where it is another than that of the main model. */
  readonly otherContextTokens?: Readonly<Partial<Record<'fast' | 'fallback', number | undefined>>>
  /** Longest silence, also before the first byte. Default 30 000. */
  readonly idleTimeoutMs?: number
  /** Longest call. Default 180 000. */
  readonly totalTimeoutMs?: number
  /** Text and tool arguments of one reply beyond this are not read; the reply ends as `length`. Default 256 KiB. */
  readonly maxOutputBytes?: number
  /** For `Retry-After` dates. Default `Date.now`. */
  readonly now?: () => number
}

/** Silence waited for after the finish reason, for usage and the end of the stream. */
const afterFinishMs = 2_000
/** The same after `[DONE]`: only the end is missing, and with it the connection can be kept. */
const afterDoneMs = 100

/** Throws `config` for a base URL that is none. */
export function createOpenAiProvider(options: OpenAiOptions): ModelPort {
  const { idleTimeoutMs = 30_000, totalTimeoutMs = 180_000, maxOutputBytes = 256 * 1024, now = Date.now } = options
  const endpoint = parseBaseUrl(options.baseUrl)
  const client = new LeanClient({
    apiKey: options.apiKey,
    baseURL: options.baseUrl,
    maxRetries: 0,
    timeout: totalTimeoutMs + 5_000, // ours ends it first, with its own name
    logLevel: 'off',
    fetch: sdkFetch,
  })
  const dialects = new Map<string, Dialect>()

  /** Opens the stream; asks again only in another dialect, when the endpoint names a field it does not know. */
  async function open(request: ModelRequest, model: string, signal: AbortSignal): Promise<IncomingMessage | undefined> {
    for (;;) {
      const dialect = dialects.get(model) ?? widestDialect
      try {
        return takeBody(await client.chat.completions.create(toBody(request, model, dialect), { signal }).asResponse())
      } catch (error) {
        const other = findDialect(dialect, error)
        if (!other) throw error
        dialects.set(model, other)
      }
    }
  }

  async function call(request: ModelRequest, onText: (piece: string) => void, watch: CallWatch): Promise<ModelResult> {
    const model = modelFor(options, request.role)
    const assembly = createAssembly(model, maxOutputBytes, guardCaller(onText))
    let failure: ModelFailure | undefined
    let isOpen = false
    try {
      const body = await open(request, model, watch.signal)
      if (!body) return toFailure('malformed', 'The model endpoint sent no stream.')
      isOpen = true
      const end = await readSse(body, {
        onLife: () => watch.life(),
        maxLineLength: 8 * maxOutputBytes, // a character can take six in JSON
        onData(data) {
          if (data === '[DONE]') {
            if (assembly.isFinished()) watch.shorten(afterDoneMs)
            return 'more'
          }
          const chunk = parseChunk(data)
          failure = findChunkFailure(chunk)
          if (failure || !chunk) return 'stop'
          const wasFinished = assembly.isFinished()
          if (assembly.add(chunk) === 'full') return 'stop'
          if (!wasFinished && assembly.isFinished()) watch.shorten(afterFinishMs)
          return 'more'
        },
      })
      failure ??= findEndFailure(end, assembly)
    } catch (error) {
      if (error instanceof CallerError) throw error.cause
      failure ??= findTimeout(watch.ending(), { idleTimeoutMs, totalTimeoutMs })
      if (isOpen) failure ??= toFailure('cut-off', 'The connection broke in the middle of the reply.')
      failure ??= classifyError(error, now())
    }
    // What broke after the finish reason broke nothing of the reply; a stop by the caller still is one.
    if (watch.ending() === 'aborted') return toFailure('aborted', 'The model call was stopped.')
    return failure && !assembly.isFinished() ? failure : assembly.toReply(request)
  }

  return {
    async complete(request, onText, signal) {
      if (signal.aborted) return toFailure('aborted', 'The model call was stopped before it began.')
      const watch = watchCall({ idleTimeoutMs, totalTimeoutMs }, signal)
      try {
        return await call(request, onText, watch)
      } finally {
        watch.stop()
      }
    },
    describe: () => ({ name: options.model, endpoint, offline: false }),
    contextTokens: options.contextTokens,
    hasFallback: options.fallbackModel !== undefined,
    others: toOthers(options),
  }
}

/** What the caller's own callback threw: a fault of ours, not of the model. */
class CallerError extends Error {}

function guardCaller(onText: (piece: string) => void): (piece: string) => void {
  return (piece) => {
    try {
      onText(piece)
    } catch (cause) {
      throw new CallerError('The receiver of the text failed.', { cause })
    }
  }
}

function modelFor(options: OpenAiOptions, role: ModelRequest['role']): string {
  if (role === 'fast') return options.fastModel ?? options.model
  return role === 'fallback' ? (options.fallbackModel ?? options.model) : options.model
}

function toOthers({ fastModel, fallbackModel, contextTokens, otherContextTokens = {} }: OpenAiOptions) {
  const of = (role: 'fast' | 'fallback', name: string | undefined) =>
    name === undefined ? {} : { [role]: { name, contextTokens: otherContextTokens[role] ?? contextTokens } }
  return { ...of('fast', fastModel), ...of('fallback', fallbackModel) }
}

function findChunkFailure(chunk: ChatChunk | undefined): ModelFailure | undefined {
  if (!chunk) return toFailure('malformed', 'The model endpoint sent an event that is not a chunk of a reply.')
  return chunk.error ? classifyStreamError(chunk.error) : undefined
}

function findEndFailure(end: SseEnd, assembly: ReplyAssembly): ModelFailure | undefined {
  if (end === 'too-long') return toFailure('malformed', 'The model endpoint sent an event of more than the limit.')
  if (end === 'not-sse') return toFailure('malformed', 'The model endpoint answered with something that is no stream.')
  if (assembly.isFinished()) return undefined
  return toFailure('cut-off', 'The stream of the model ended without a finish reason.')
}

function findTimeout(
  ending: CallEnding | undefined,
  limits: { readonly idleTimeoutMs: number; readonly totalTimeoutMs: number },
): ModelFailure | undefined {
  if (ending === 'idle') return toFailure('timeout', `The model sent nothing for ${limits.idleTimeoutMs} ms.`)
  if (ending === 'total') return toFailure('timeout', `The model took more than ${limits.totalTimeoutMs} ms.`)
  return undefined
}

function parseBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.host
  throw new BotError('config', 'OPENAI_BASE_URL is not an http or https URL. Give one like https://api.openai.com/v1.')
}

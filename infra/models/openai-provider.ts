// The model port over Chat Completions, for any compatible endpoint. The SDK makes request and errors; its stream reader,
// which has no bounds and logs what it cannot parse, is not used. One call is one attempt: the executor alone retries.
import type { IncomingMessage } from 'node:http'
import { BotError } from '#shared/errors.ts'
import type { ModelPort, ModelRequest, ModelResult } from '#shared/model/model-port.ts'
import { type CallEnding, type CallWatch, watchCall } from './call-watch.ts'
import { parseChunk } from './chat-chunk.ts'
import { toBody } from './chat-request.ts'
import type { Dialect } from './dialects.ts'
import { createKnownDialects, type Lesson } from './known-dialects.ts'
import { LeanClient } from './lean-client.ts'
import { sdkFetch, takeBody } from './http-transport.ts'
import { classifyError, classifyStreamError, type ModelFailure, toFailure } from './model-failure.ts'
import { readReply, type ReplyEnd } from './read-reply.ts'
import { toRefusal, toRefusalOfStream } from './refusal.ts'
import { createAssembly, type ReplyAssembly } from './reply-assembly.ts'

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
  /** Longest silence between pieces, once text or a call has begun. Default 30 000. */
  readonly idleTimeoutMs?: number
  /** Longest silence before that: a model is loaded, reads a prompt, or thinks. Default 60 000. */
  readonly firstTimeoutMs?: number
  /** Longest call. Default 180 000. */
  readonly totalTimeoutMs?: number
  /** Text and tool arguments of one reply beyond this are not read; the reply ends as `length`. Default 256 KiB. */
  readonly maxOutputBytes?: number
  /** How the endpoint differs, where that is known (`dialects.ts`). */
  readonly dialect?: Dialect
  /** Told once how it differs, in words for operators. */
  readonly say?: (what: string) => void
  /** For `Retry-After` dates. Default `Date.now`. */
  readonly now?: () => number
}

/** Silence waited for after the finish reason, for usage and the end of the stream. */
const afterFinishMs = 2_000
/** The same after `[DONE]`: only the end is missing, and with it the connection can be kept. */
const afterDoneMs = 100

type Trial = {
  readonly request: ModelRequest
  readonly model: string
  readonly dialect: Dialect
  /** It rests on words that may be those of people, and is forgotten with its answer. */
  readonly isDoubtful: boolean
}

const toNext = (
  { request, dialect }: Trial,
  lesson: Lesson,
): { readonly dialect: Dialect; readonly maxOutputTokens: number } =>
  lesson.kind === 'room'
    ? { dialect, maxOutputTokens: lesson.tokens }
    : { dialect: lesson.dialect, maxOutputTokens: request.maxOutputTokens }

/** So many refusals in a row teach another dialect; then the last one stands. */
const mostLessons = 16

/** Throws `config` for a base URL that is none. */
export function createOpenAiProvider(options: OpenAiOptions): ModelPort {
  const { idleTimeoutMs = 30_000, firstTimeoutMs = 60_000, totalTimeoutMs = 180_000 } = options
  const { maxOutputBytes = 256 * 1024, now = Date.now } = options
  const limits = { idleTimeoutMs, firstTimeoutMs, totalTimeoutMs }
  const endpoint = parseBaseUrl(options.baseUrl)
  const client = new LeanClient({
    apiKey: options.apiKey,
    baseURL: options.baseUrl,
    maxRetries: 0,
    timeout: totalTimeoutMs + 5_000, // ours ends it first, with its own name
    logLevel: 'off',
    fetch: sdkFetch,
  })
  const dialects = createKnownDialects({
    ...(options.dialect ? { from: options.dialect } : {}),
    ...(options.say ? { say: options.say } : {}),
  })

  async function open({ request, model, dialect }: Trial, signal: AbortSignal): Promise<IncomingMessage | undefined> {
    const body = toBody(request, model, dialect)
    return takeBody(await client.chat.completions.create(body, { signal }).asResponse())
  }

  /** One request, and what came of it; a lesson where the endpoint refused it in words that are known. */
  async function attempt(
    trial: Trial,
    onText: (piece: string) => void,
    watch: CallWatch,
  ): Promise<ModelResult | Lesson> {
    const { request, model, dialect } = trial
    const beginsThinking = dialects.thinksAloud(model)
    const assembly = createAssembly({
      model,
      maxOutputBytes,
      onText: guardCaller(onText),
      tools: request.tools,
      beginsThinking,
    })
    const asked = Math.min(request.maxOutputTokens, dialect.mostOutputTokens ?? Infinity)
    const sent = { asked, tried: dialect, messages: request.messages }
    let failure: ModelFailure | undefined
    let isOpen = false
    try {
      const body = await open(trial, watch.signal)
      if (!body) return toFailure('malformed', 'The model endpoint sent no stream.')
      isOpen = true
      let refused: unknown
      let isOdd = false
      const end = await readReply(body, {
        onLife: () => watch.life(),
        maxLength: 8 * maxOutputBytes, // a character can take six in JSON
        onData(data) {
          if (data === '[DONE]') {
            assembly.noteDone()
            watch.shorten(afterDoneMs)
            return 'more'
          }
          const chunk = parseChunk(data)
          // What is no JSON at all, such as a heartbeat, means nothing. Of what should have been some, a piece of the answer may be lost.
          if (!chunk) {
            isOdd ||= data.includes('"delta"') || data.includes('"choices"')
            return 'more'
          }
          if (isOdd && !assembly.isFinished()) return 'stop'
          refused = chunk.error
          if (refused !== undefined) return 'stop'
          const isFull = assembly.add(chunk) === 'full'
          if (!assembly.isEmpty()) watch.hasBegun()
          if (isFull) return 'stop'
          if (assembly.isFinished()) watch.shorten(afterFinishMs)
          return 'more'
        },
      })
      const lesson = refused !== undefined && assembly.isEmpty() && dialects.learn(toRefusalOfStream(refused), sent)
      if (lesson) return lesson
      failure = refused === undefined ? findEndFailure(end, assembly, isOdd) : classifyStreamError(refused, request)
    } catch (error) {
      if (error instanceof CallerError) throw error.cause
      const refusal = toRefusal(error)
      const lesson = refusal && dialects.learn(refusal, sent)
      if (lesson) return lesson
      failure ??= findTimeout(watch.ending(), limits)
      if (isOpen) failure ??= toFailure('cut-off', 'The connection broke in the middle of the reply.')
      failure ??= classifyError(error, request, now())
    }
    // What broke after the finish reason broke nothing of the reply; a stop by the caller still is one.
    if (watch.ending() === 'aborted') return toFailure('aborted', 'The model call was stopped.')
    if (failure && (!assembly.isFinished() || assembly.isBroken())) return failure
    const reply = assembly.toReply(request)
    if (reply.text !== '') dialects.noteThoughts(model, assembly.thinksAloud())
    return reply
  }

  async function call(request: ModelRequest, onText: (piece: string) => void, watch: CallWatch): Promise<ModelResult> {
    const model = modelFor(options, request.role)
    let trial: Trial = { request, model, dialect: dialects.of(model), isDoubtful: false }
    const tried = [JSON.stringify(trial.dialect)]
    for (let lessons = 0; ; lessons++) {
      const result = await attempt(trial, onText, watch)
      if (result.kind === 'reply' && !trial.isDoubtful) dialects.keep(model, trial.dialect)
      if (result.kind === 'reply' || result.kind === 'failure') return result
      const { dialect, maxOutputTokens } = toNext(trial, result)
      const form = JSON.stringify({ ...dialect, maxOutputTokens })
      // A form that was refused already would be refused again.
      if (lessons >= mostLessons || tried.includes(form))
        return toFailure('bad-request', 'The model endpoint refused each form of the request.')
      tried.push(form)
      const isDoubtful = trial.isDoubtful || (result.kind === 'dialect' && result.isDoubtful)
      trial = { model, dialect, isDoubtful, request: { ...trial.request, maxOutputTokens } }
    }
  }

  return {
    async complete(request, onText, signal) {
      if (signal.aborted) return toFailure('aborted', 'The model call was stopped before it began.')
      const watch = watchCall(limits, signal)
      try {
        return await call(request, onText, watch)
      } finally {
        watch.stop()
      }
    },
    describe: () => ({ name: options.model, endpoint, offline: false }),
    dialect: (role) => dialects.describe(modelFor(options, role)),
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

function findEndFailure(end: ReplyEnd, assembly: ReplyAssembly, isOdd: boolean): ModelFailure | undefined {
  if (end === 'too-long') return toFailure('malformed', 'The model endpoint sent an event of more than the limit.')
  if (end === 'unreadable')
    return toFailure('malformed', 'The model endpoint answered in an encoding that is not known.')
  // Asked again, it is the same page.
  if (end === 'page') return toFailure('no-model', 'The model endpoint answered with a page. Check OPENAI_BASE_URL.')
  if (isOdd && (end === 'stopped' || assembly.isEmpty()))
    return toFailure('malformed', 'The model endpoint sent an event that is not a chunk of a reply.')
  if (!assembly.isBroken()) return undefined
  return assembly.isFinished()
    ? toFailure('cut-off', 'The model endpoint said that it broke off.')
    : toFailure('cut-off', 'The stream of the model ended without a finish reason.')
}

function findTimeout(
  ending: CallEnding | undefined,
  limits: Readonly<Record<'idleTimeoutMs' | 'firstTimeoutMs' | 'totalTimeoutMs', number>>,
): ModelFailure | undefined {
  if (ending === 'first') return toFailure('timeout', `The model sent nothing for ${limits.firstTimeoutMs} ms.`)
  if (ending === 'idle') return toFailure('timeout', `The model sent nothing more for ${limits.idleTimeoutMs} ms.`)
  if (ending === 'total') return toFailure('timeout', `The model took more than ${limits.totalTimeoutMs} ms.`)
  return undefined
}

function parseBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.host
  throw new BotError('config', 'OPENAI_BASE_URL is not an http or https URL. Give one like https://api.openai.com/v1.')
}

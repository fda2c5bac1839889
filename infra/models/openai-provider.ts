// The model port over Chat Completions, for any compatible endpoint. The SDK makes request and errors; its stream reader,
// which has no bounds and logs what it cannot parse, is not used. One call is one attempt: the executor alone retries.
import { BotError } from '#shared/errors.ts'
import type { ModelPort, ModelRequest, ModelResult } from '#shared/model/model-port.ts'
import { watchCall } from './call-watch.ts'
import type { Dialect } from './dialects.ts'
import { sdkFetch } from './http-transport.ts'
import { createKnownDialects, type Lesson } from './known-dialects.ts'
import { LeanClient } from './lean-client.ts'
import { toFailure } from './model-failure.ts'
import { tryRequest, type Heard, type Trial, type Trying } from './try-request.ts'

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
  const trying = { client, dialects, limits, maxOutputBytes, now }
  return {
    async complete(request, onText, signal) {
      if (signal.aborted) return toFailure('aborted', 'The model call was stopped before it began.')
      const watch = watchCall(limits, signal)
      try {
        const first = { request, model: modelFor(options, request.role) }
        return await call(trying, first, { onText, watch })
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

/** Tries one form of the request after the other, as the endpoint's refusals teach them. */
async function call(
  trying: Trying,
  { request, model }: Pick<Trial, 'request' | 'model'>,
  heard: Heard,
): Promise<ModelResult> {
  const { dialects } = trying
  let trial: Trial = { request, model, dialect: dialects.of(model), isDoubtful: false }
  const tried = [JSON.stringify(trial.dialect)]
  for (let lessons = 0; ; lessons++) {
    const result = await tryRequest(trying, trial, heard)
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

const toNext = (
  { request, dialect }: Trial,
  lesson: Lesson,
): { readonly dialect: Dialect; readonly maxOutputTokens: number } =>
  lesson.kind === 'room'
    ? { dialect, maxOutputTokens: lesson.tokens }
    : { dialect: lesson.dialect, maxOutputTokens: request.maxOutputTokens }

function modelFor(options: OpenAiOptions, role: ModelRequest['role']): string {
  if (role === 'fast') return options.fastModel ?? options.model
  return role === 'fallback' ? (options.fallbackModel ?? options.model) : options.model
}

function toOthers({ fastModel, fallbackModel, contextTokens, otherContextTokens = {} }: OpenAiOptions) {
  const of = (role: 'fast' | 'fallback', name: string | undefined) =>
    name === undefined ? {} : { [role]: { name, contextTokens: otherContextTokens[role] ?? contextTokens } }
  return { ...of('fast', fastModel), ...of('fallback', fallbackModel) }
}

function parseBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.host
  throw new BotError('config', 'OPENAI_BASE_URL is not an http or https URL. Give one like https://api.openai.com/v1.')
}

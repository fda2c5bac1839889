// Chooses the model at start: a configured endpoint, else an Ollama on this machine, else the offline demo model.
// What a person configured is never dropped in silence: it is refused with a fix, or told in `notice`.
// The SDK costs 40 MB of memory and is loaded only when used.
import { BotError } from '#shared/errors.ts'
import type { ModelPort } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { Dialect } from './dialects.ts'
import { createDemoModel } from './demo-model.ts'
import { demoTools } from './demo-tools.ts'
import { defaultOllamaUrl, findOllamaModels, findPulled } from './ollama.ts'
import { isNear, openAiUrl, thinks, toBaseUrl } from './endpoint.ts'

export type ModelSettings = {
  readonly apiKey?: string
  readonly baseUrl?: string
  readonly model?: string
  readonly fastModel?: string
  readonly fallbackModel?: string
  readonly contextTokens?: number
  readonly otherContextTokens?: Readonly<Partial<Record<'fast' | 'fallback', number | undefined>>>
  /** How the endpoint differs, where that is known. */
  readonly dialect?: Dialect
  /** Before the first word. */
  readonly waitMs?: number
  /** Told once how the endpoint differs. */
  readonly say?: (text: string) => void
}

export type FindModelDeps = {
  /** For tests. Default `http://127.0.0.1:11434`. */
  readonly ollamaUrl?: string
  /** Pause between the pieces of the demo model's stream, ms. Default 25, about five hundred characters a second. */
  readonly demoPieceDelayMs?: number
}

export type FoundModel = {
  readonly port: ModelPort
  readonly tools: readonly Tool[]
  /** One sentence for the banner, when a setting could not be followed. */
  readonly notice?: string
}

/** One that does not think first: the small limit of a light answer would be spent before its first word. */
const openAiModel = 'gpt-4.1-mini'
const endpointContextTokens = 128_000
/** Ollama's own default context; it drops what is beyond without saying so. Raise both (`OLLAMA_CONTEXT_LENGTH`). */
const ollamaContextTokens = 4096
/** A model may have to be loaded from disk, to read the prompt on a CPU, or to think before its first word. */
const slowTimeouts = { firstTimeoutMs: 300_000, totalTimeoutMs: 600_000 }
/** Between pieces, too: some servers hold a whole call back. */
const localTimeouts = { ...slowTimeouts, idleTimeoutMs: 120_000 }

/**
 * With a key or a base URL, that endpoint (a base URL alone is an endpoint without keys). Without, an Ollama that answers
 * within 300 ms and has a chat model: the configured one if pulled, else its first. Without that, the demo model.
 * Throws `config` when an endpoint other than OpenAI's is given without a model name.
 */
export async function findModel(settings: ModelSettings, deps: FindModelDeps = {}): Promise<FoundModel> {
  if (settings.apiKey || settings.baseUrl) return { port: await createEndpoint(settings), tools: [] }
  const ollamaUrl = deps.ollamaUrl ?? defaultOllamaUrl
  const pulled = await findOllamaModels(ollamaUrl)
  if (pulled?.[0] !== undefined) return createOllama(settings, pulled, ollamaUrl)
  const port = createDemoModel({ pieceDelayMs: deps.demoPieceDelayMs ?? 25 })
  const notice =
    settings.model === undefined
      ? undefined
      : `FLOTILLA_MODEL=${settings.model} is not used: there is neither OPENAI_API_KEY nor OPENAI_BASE_URL, and no Ollama with a chat model answers.`
  return { port, tools: demoTools(), ...(notice ? { notice } : {}) }
}

async function createEndpoint(settings: ModelSettings): Promise<ModelPort> {
  const baseUrl = toBaseUrl(settings.baseUrl ?? openAiUrl)
  const model = settings.model ?? (baseUrl === openAiUrl ? openAiModel : undefined)
  if (model === undefined) {
    throw new BotError('config', 'OPENAI_BASE_URL is set without FLOTILLA_MODEL. Name a model that this endpoint has.')
  }
  const { createOpenAiProvider } = await import('./openai-provider.ts')
  return createOpenAiProvider({
    apiKey: settings.apiKey ?? 'none',
    baseUrl,
    model,
    ...(settings.fastModel === undefined ? {} : { fastModel: settings.fastModel }),
    ...(settings.fallbackModel === undefined ? {} : { fallbackModel: settings.fallbackModel }),
    contextTokens: settings.contextTokens ?? endpointContextTokens,
    ...(isNear(baseUrl) ? localTimeouts : thinks(model) ? slowTimeouts : {}),
    ...toOthers(settings),
  })
}

async function createOllama(settings: ModelSettings, pulled: readonly string[], url: string): Promise<FoundModel> {
  const first = pulled[0] ?? ''
  const model = findPulled(pulled, settings.model) ?? first
  const fastModel = findPulled(pulled, settings.fastModel)
  const fallbackModel = findPulled(pulled, settings.fallbackModel)
  const missing = [
    ['FLOTILLA_MODEL', settings.model],
    ['FLOTILLA_FAST_MODEL', settings.fastModel],
    ['FLOTILLA_FALLBACK_MODEL', settings.fallbackModel],
  ].filter(([, name]) => name !== undefined && !findPulled(pulled, name))
  const { createOpenAiProvider } = await import('./openai-provider.ts')
  const port = createOpenAiProvider({
    apiKey: 'ollama',
    baseUrl: `${url}/v1`,
    model,
    ...(fastModel === undefined ? {} : { fastModel }),
    ...(fallbackModel === undefined ? {} : { fallbackModel }),
    contextTokens: settings.contextTokens ?? ollamaContextTokens,
    ...localTimeouts,
    ...toOthers(settings),
  })
  const names = missing.map(([variable, name]) => `${variable}=${name}`).join(', ')
  const notice = `The Ollama here has not pulled ${names}; ${model} is used. Run "ollama pull", or set OPENAI_API_KEY.`
  return { port, tools: [], ...(missing.length > 0 ? { notice } : {}) }
}

/** A setting goes before what is usual. */
const toOthers = ({ otherContextTokens, dialect, waitMs, say }: ModelSettings) => ({
  ...(otherContextTokens ? { otherContextTokens } : {}),
  ...(dialect ? { dialect } : {}),
  ...(say ? { say } : {}),
  ...(waitMs === undefined ? {} : { firstTimeoutMs: waitMs, totalTimeoutMs: Math.max(180_000, 3 * waitMs) }),
})

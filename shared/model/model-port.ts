// The seam to language models. A failed call is a value, not an exception; nothing behind this port retries.
import type { Depth } from '#shared/chat/decision.ts'

/** `id` is 1–64 characters of `a-z A-Z 0-9 _ - . :`, unique within its reply. */
export type ToolCall = {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** What its endpoint wants back with it. Nobody else reads it. */
  readonly opaque?: string
}

export type PromptMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string }

export type ToolSchema = {
  readonly name: string
  readonly description: string
  readonly parameters: Record<string, unknown>
}

/** The models that can be configured; each role is one, and the same one may have several. */
export const modelRoles = ['main', 'fast', 'fallback'] as const
export type ModelRole = (typeof modelRoles)[number]

/** What is asked of a model in the background, each under a budget of its own that holds up no answer. */
export const modelBudgets = ['compaction', 'reflection', 'curiosity'] as const
export type ModelBudget = (typeof modelBudgets)[number]

/** Which model a call is for, and under which budget where it is made in the background. */
export type CallFor = { readonly role: ModelRole; readonly budget?: ModelBudget | undefined }

export type ModelRequest = {
  /** Which configured model answers; the provider maps the role to a model name. */
  readonly role: ModelRole
  readonly messages: readonly PromptMessage[]
  readonly tools: readonly ToolSchema[]
  readonly maxOutputTokens: number
  /** 0–2. */
  readonly temperature: number
  readonly metadata: { readonly depth: Depth; readonly conversation: string }
}

export type Usage = {
  readonly promptTokens: number
  readonly completionTokens: number
  /** Of the prompt's, what the endpoint had in its cache, where it says so. */
  readonly cachedTokens?: number
}

export type ModelFailureKind =
  | 'rate-limited' // 429; `retryAfterMs` when the endpoint says so
  | 'auth' // 401, 403: wrong key; retrying cannot help
  | 'too-long' // 4xx: the prompt does not fit the window; a shorter one may
  | 'no-model' // 404: the endpoint does not have the model
  | 'bad-request' // other 4xx: the request itself is refused
  | 'unavailable' // 5xx, refused, DNS, TLS
  | 'timeout' // no byte for idleTimeoutMs, or totalTimeoutMs over
  | 'cut-off' // the stream ended without a finish reason
  | 'malformed' // bytes that are not the protocol
  | 'aborted' // the caller's signal

/** Why a turn ended for want of an answer. `empty`: the model answered, without a word or a call. */
export type TurnFailure = ModelFailureKind | 'empty'

/** Whether asking again, in a while or in another way, may help: else an operator has to, or the conversation is too long. */
export const isMendable = (failure: TurnFailure | undefined): boolean =>
  failure !== 'auth' && failure !== 'no-model' && failure !== 'too-long'

export type ModelResult =
  | {
      readonly kind: 'reply'
      readonly text: string
      readonly toolCalls: readonly ToolCall[]
      readonly finish: 'stop' | 'length' | 'tool-calls' | 'filtered'
      readonly usage: Usage
      /** What the endpoint told of its usage, where that cannot be: `usage` is estimated then. */
      readonly distrusted?: Usage
      /** The endpoint tells of so few tokens that it must have dropped some of the prompt. */
      readonly dropped?: true
      readonly model: string
    }
  | {
      readonly kind: 'failure'
      readonly failure: ModelFailureKind
      readonly message: string
      readonly retryAfterMs?: number
    }

export type ModelPort = {
  /** One model call. `onText` gets each new piece of text as it arrives. Never throws for a model's failure; an abort resolves as `aborted`. */
  complete(request: ModelRequest, onText: (piece: string) => void, signal: AbortSignal): Promise<ModelResult>
  /** What the banner shows: model name and where it is. */
  describe(): { readonly name: string; readonly endpoint: string; readonly offline: boolean }
  /** For operators: how the endpoint of this model was found to differ from what is usual. */
  dialect?(role: ModelRole): readonly string[]
  /** Context window in tokens. */
  readonly contextTokens: number
  /** Whether a fallback model is configured. */
  readonly hasFallback: boolean
  /** What else is configured than the main model. */
  readonly others?: Readonly<Partial<Record<ModelRole, ConfiguredModel>>>
}

export type ConfiguredModel = { readonly name: string; readonly contextTokens: number }

export type NamedModel = {
  readonly role: ModelRole
  readonly name: string
  /** How its endpoint differs, as far as it is known by now. */
  dialect?(): readonly string[]
}

/** All that are configured, the main one first. */
export const listModels = (port: Pick<ModelPort, 'describe' | 'others' | 'dialect'>): NamedModel[] =>
  modelRoles.flatMap((role) => {
    const name = role === 'main' ? port.describe().name : port.others?.[role]?.name
    return name === undefined ? [] : [{ role, name, dialect: () => port.dialect?.(role) ?? [] }]
  })

/** Which model a role is: where it has none of its own, the main one. */
export const modelOf = (
  port: Pick<ModelPort, 'describe' | 'contextTokens' | 'others'>,
  role: ModelRole,
): ConfiguredModel => port.others?.[role] ?? { name: port.describe().name, contextTokens: port.contextTokens }

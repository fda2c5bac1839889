// One question to a model from outside a turn's own steps: a feature, a reader or the summing up of a session asks it.
import type { z } from 'zod'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { ModelBudget, ModelRole, PromptMessage, TurnFailure, Usage } from './model-port.ts'

/** Who pays for a call. `budget` names work in the background; without it somebody waits for the answer. */
export type ModelPayer = {
  readonly conversation: ConversationId
  readonly principal: PrincipalId
  readonly budget?: ModelBudget | undefined
}

export type AskRequest = {
  /**
   * Names the question in its conversation, such as `<work>/<feature>/<what>`. A question that is asked again after a crash keeps its id, so its
   * cost is reserved once. No two questions have the same id at the same time.
   */
  readonly id: string
  /** `fast` unless given. */
  readonly role?: ModelRole
  readonly messages: readonly PromptMessage[]
  readonly maxOutputTokens: number
  /** 0–2; 0.2 unless given. */
  readonly temperature?: number
}

/** The answer is a JSON value of this shape; the model is told the shape behind the last message. */
export type ShapedRequest<T> = AskRequest & { readonly schema: z.ZodType<T> }

/**
 * `quiet`: an owner has the fleet do nothing by itself (`/quiet`). `too-many`: this process has as many questions of the budget under way as it
 * may. `misshaped`: two answers in a row were no value of the schema; `message` says why the second was none.
 */
export type AskRefusal = 'over-budget' | 'quiet' | 'too-many' | 'model-failed' | 'misshaped'

export type AskResult<T> =
  | {
      readonly kind: 'answered'
      readonly value: T
      readonly usage: Usage
      /** It ended at `maxOutputTokens`, so a text may lack its end. */
      readonly isCut: boolean
    }
  | {
      readonly kind: 'refused'
      readonly why: AskRefusal
      /** Of `model-failed`. */
      readonly failure?: TurnFailure
      /** For operators. Of `misshaped` it may hold names that the model wrote. */
      readonly message?: string
    }

/**
 * Reserves the cost, waits for a place among the fleet's calls, asks with retries and the fallback model, and charges. Work in the background is
 * not begun, and is broken off within two seconds, while the fleet is quiet. Throws only where `signal` aborts or a store is away.
 *
 * The answer is as untrusted as the messages that it was made from: whoever keeps it keeps their ids and taint with it.
 */
export type Ask = {
  <T>(payer: ModelPayer, request: ShapedRequest<T>, signal: AbortSignal): Promise<AskResult<T>>
  (payer: ModelPayer, request: AskRequest, signal: AbortSignal): Promise<AskResult<string>>
}

/**
 * For work that is done again later: throws BotError `model`, which may be retried, where nothing is wrong with the question: the fleet is quiet, this
 * process asks too much, a budget is used up for today, or the model is away.
 */
export function orLater<T>(result: AskResult<T>): AskResult<T> {
  if (result.kind === 'answered') return result
  const afterMs = laterMs[result.why]
  const isAway = result.why === 'model-failed' && result.failure !== undefined && passing.has(result.failure)
  if (afterMs === undefined && !isAway) return result
  const message = `The model cannot be asked now (${result.why}).`
  throw new BotError('model', message, { retry: { afterMs: afterMs ?? awayMs } })
}
const laterMs: Readonly<Partial<Record<AskRefusal, number>>> = {
  quiet: 5000,
  'too-many': 5000,
  'over-budget': 600_000,
}
const awayMs = 60_000
/** Nothing that this question alone could change. */
const passing: ReadonlySet<TurnFailure> = new Set([
  'rate-limited',
  'auth',
  'no-model',
  'unavailable',
  'timeout',
  'cut-off',
])

// Asks a model one question for a feature, a reader or the summing up: reserves, calls, charges, and reads the answer by its schema.
// Nothing here writes state. Work in the background asks `/quiet` before each call and once a second while it runs.
import type { Ask, AskRequest, AskResult, ModelPayer, ShapedRequest } from '#shared/model/ask.ts'
import type { ModelBudget, ModelRequest, ModelResult, ModelRole, Usage } from '#shared/model/model-port.ts'
import { readShape, toCorrected, toShaped, type ReadValues } from './shape.ts'

/** One call of the model, however many attempts it takes. */
export type AskCall = {
  /** Names its reservation and its place among the fleet's calls. */
  readonly holder: string
  readonly payer: ModelPayer
  readonly request: ModelRequest
  /** When an attempt has its place, and is to be made; it is not where this rejects. */
  onEntered(): Promise<void>
  /** Before each attempt but the first. */
  onAttempt(role: ModelRole): void
}

type Spending = Usage & { readonly role: ModelRole }

export type AskDeps = {
  /** Waits for a place, tries again and asks the fallback model. Resolves as `aborted` where `signal` aborts; throws where a store is away. */
  call(call: AskCall, signal: AbortSignal): Promise<ModelResult>
  /** Gives its place back. */
  leave(holder: string): Promise<void>
  /** Reserves the most that a call may take; resolves to some text where a budget is used up. */
  reserve(payer: ModelPayer, holder: string, most: Spending): Promise<string | undefined>
  /** Counts what it took, and gives its place back. */
  charge(payer: ModelPayer, holder: string, spent: Spending): Promise<void>
  /** Upper bound of a text's tokens. */
  estimate(text: string): number
  /** Whether an owner has the fleet do nothing by itself, as of a second ago at most. */
  isQuiet(): Promise<boolean>
  readonly readValues: ReadValues
}

/** Of each budget, in one process. What waits holds its prompt in memory. */
export const mostAtOnce = 512
const lookEveryMs = 1000
const temperature = 0.2

type Question = { readonly payer: ModelPayer; readonly request: AskRequest }
type Refused = Extract<AskResult<never>, { kind: 'refused' }>

export function createAsk(deps: AskDeps): Ask {
  const underWay = new Map<ModelBudget, number>()
  async function ask<T>(payer: ModelPayer, request: ShapedRequest<T>, signal: AbortSignal): Promise<AskResult<T>>
  async function ask(payer: ModelPayer, request: AskRequest, signal: AbortSignal): Promise<AskResult<string>>
  async function ask(
    payer: ModelPayer,
    request: AskRequest | ShapedRequest<unknown>,
    signal: AbortSignal,
  ): Promise<AskResult<unknown>> {
    const { budget } = payer
    const answer = (): Promise<AskResult<unknown>> =>
      'schema' in request ? askShaped(deps, { payer, request }, signal) : askOnce(deps, { payer, request }, signal)
    if (budget === undefined) return await answer()
    const others = underWay.get(budget) ?? 0
    if (others >= mostAtOnce) return { kind: 'refused', why: 'too-many' }
    underWay.set(budget, others + 1)
    try {
      return await answer()
    } finally {
      underWay.set(budget, (underWay.get(budget) ?? 1) - 1)
    }
  }
  return ask
}

/** A second time where the answer is no value of the schema: the model is told what is wrong with it. */
async function askShaped<T>(
  deps: AskDeps,
  { payer, request: { schema, ...plain } }: { readonly payer: ModelPayer; readonly request: ShapedRequest<T> },
  signal: AbortSignal,
): Promise<AskResult<T>> {
  const request = toShaped(plain, schema)
  const first = await askOnce(deps, { payer, request }, signal)
  if (first.kind === 'refused') return first
  const read = readShape(deps.readValues, schema, first.value)
  if (read.kind === 'read') return { ...first, value: read.value }
  const corrected = toCorrected(request, first.value, first.isCut ? tooLong : read.problem)
  const second = await askOnce(deps, { payer, request: corrected }, signal)
  if (second.kind === 'refused') return second
  const reread = readShape(deps.readValues, schema, second.value)
  if (reread.kind === 'read') return { ...second, value: reread.value, usage: addUsage(first.usage, second.usage) }
  return { kind: 'refused', why: 'misshaped', message: second.isCut ? tooLong : reread.problem }
}
const tooLong = 'It was cut off, because it was too long. Make it shorter.'

async function askOnce(deps: AskDeps, { payer, request }: Question, signal: AbortSignal): Promise<AskResult<string>> {
  signal.throwIfAborted()
  const isHeld = async (): Promise<boolean> => payer.budget !== undefined && (await deps.isQuiet())
  if (await isHeld()) return quiet
  const holder = `${payer.conversation}/${request.id}`
  const promptTokens = request.messages.reduce((sum, { content }) => sum + deps.estimate(content) + 8, 0)
  const { role = 'fast', maxOutputTokens } = request
  const most = { role, promptTokens, completionTokens: maxOutputTokens }
  if ((await deps.reserve(payer, holder, most)) !== undefined) return { kind: 'refused', why: 'over-budget' }
  const held = new AbortController()
  const stopLooking = lookForQuiet(isHeld, held)
  const call = { payer, request, holder, promptTokens, isHeld, held }
  const result = await callAndCharge(deps, call, signal).finally(stopLooking)
  if (result.kind === 'reply') return toAnswer(result)
  signal.throwIfAborted()
  if (held.signal.aborted) return quiet
  return { kind: 'refused', why: 'model-failed', failure: result.failure, message: result.message }
}

const quiet: Refused = { kind: 'refused', why: 'quiet' }

function toAnswer({ text, usage, finish }: Extract<ModelResult, { kind: 'reply' }>): AskResult<string> {
  if (text.trim() !== '') return { kind: 'answered', value: text, usage, isCut: finish === 'length' }
  return { kind: 'refused', why: 'model-failed', failure: 'empty', message: 'The model answered without a word.' }
}

/** Aborts `held` once the fleet is quiet; while the store is away nothing new is begun anyway. */
function lookForQuiet(isHeld: () => Promise<boolean>, held: AbortController): () => void {
  const timer = setInterval(() => {
    isHeld().then(
      (isQuiet) => isQuiet && held.abort(),
      () => {},
    )
  }, lookEveryMs)
  return () => clearInterval(timer)
}

type Running = Question & {
  readonly holder: string
  readonly promptTokens: number
  isHeld(): Promise<boolean>
  readonly held: AbortController
}

/** A call that was broken off costs its prompt; one that never reached the model costs nothing. */
async function callAndCharge(deps: AskDeps, of: Running, signal: AbortSignal): Promise<ModelResult> {
  const { payer, request, holder, promptTokens, held } = of
  const { messages, maxOutputTokens } = request
  const limit = AbortSignal.any([signal, held.signal])
  let role: ModelRole = request.role ?? 'fast'
  let isAsked = false
  const call: AskCall = {
    holder,
    payer,
    request: {
      role,
      messages,
      tools: [],
      maxOutputTokens,
      temperature: request.temperature ?? temperature,
      metadata: { depth: 'light', conversation: payer.conversation },
    },
    async onEntered() {
      // It may have waited for long.
      if (await of.isHeld()) held.abort()
      limit.throwIfAborted()
      isAsked = true
    },
    onAttempt(by) {
      role = by
    },
  }
  const result = await deps.call(call, limit).catch(async (error: unknown) => {
    await deps.leave(holder)
    throw error
  })
  const isBrokenOff = isAsked && result.kind === 'failure' && result.failure === 'aborted'
  const read = { promptTokens: isBrokenOff ? promptTokens : 0, completionTokens: 0 }
  await deps.charge(payer, holder, { ...(result.kind === 'reply' ? result.usage : read), role })
  return result
}

const addUsage = (one: Usage, other: Usage): Usage => ({
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
  ...(one.cachedTokens === undefined && other.cachedTokens === undefined
    ? {}
    : { cachedTokens: (one.cachedTokens ?? 0) + (other.cachedTokens ?? 0) }),
})

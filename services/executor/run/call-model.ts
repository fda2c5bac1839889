// One model answer, whatever it takes: a permit under the shared cap, retries with backoff, the fallback model, then an honest failure.
// The only retry layer of the project for models. Nothing here writes state; each attempt is announced first, so that it is journaled.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { CallFor, ModelBudget, ModelPort, ModelRequest, ModelRole } from '#shared/model/model-port.ts'
import type { ModelFailureKind, ModelResult } from '#shared/model/model-port.ts'

export type ModelDeps = {
  readonly model: ModelPort
  /** Waits for a permit among the fleet's concurrent calls; whoever charges the call gives it back. */
  enter(what: CallFor, holder: string, signal: AbortSignal): Promise<void>
  /** Gives the permit back before: while a retry waits. */
  leave(holder: string): Promise<void>
  /** Says that a person's call was refused with a 429: several such pause the role for all, one what is done under that budget. */
  refused(what: CallFor, principal: PrincipalId, forMs: number): Promise<void>
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Before the second, third, … attempt. */
  readonly retryDelaysMs: readonly number[]
  readonly maxRetryAfterMs: number
  /** Tells the operator, once in a while, what people are told. */
  onFailure(kind: ModelFailureKind, message: string): void
}

const worthRetrying: readonly ModelFailureKind[] = ['rate-limited', 'unavailable', 'timeout', 'cut-off', 'malformed']

export type ModelCall = {
  readonly holder: string
  /** Whose words are answered. */
  readonly principal: PrincipalId
  readonly request: ModelRequest
  /** Of what is asked in the background. */
  readonly budget?: ModelBudget
  readonly onText: (piece: string) => void
  /** Called before each attempt but the first; resolves false when the turn may not go on. */
  readonly onAttempt: (attempt: number, role: ModelRole) => Promise<boolean>
  readonly firstAttempt: number
}

export async function callModel(deps: ModelDeps, call: ModelCall, signal: AbortSignal): Promise<ModelResult> {
  const { role: first } = call.request
  const roles: ModelRole[] = deps.model.hasFallback && first !== 'fallback' ? [first, 'fallback'] : [first]
  let attempt = call.firstAttempt
  let last: ModelResult = { kind: 'failure', failure: 'unavailable', message: 'No attempt was left.' }
  for (const role of roles) {
    const tries = role !== first ? 2 : deps.retryDelaysMs.length + 1
    for (let n = 0; n < tries; n++) {
      if (n > 0 || role !== first) {
        if (!(await call.onAttempt(++attempt, role))) return aborted
      }
      last = await attemptOnce(deps, { ...call, request: { ...call.request, role } }, signal)
      if (last.kind === 'reply' || last.failure === 'aborted' || signal.aborted) return last
      deps.onFailure(last.failure, last.message)
      // A shorter prompt is its caller's to make.
      if (last.failure === 'too-long') return last
      if (!worthRetrying.includes(last.failure) || n === tries - 1) break
      deps.leave(call.holder).catch(() => {})
      const backoffMs = deps.retryDelaysMs[n] ?? 1000
      const waitMs = Math.max(backoffMs, Math.min(last.retryAfterMs ?? 0, deps.maxRetryAfterMs))
      if (last.failure === 'rate-limited') await deps.refused({ role, budget: call.budget }, call.principal, waitMs)
      const slept = await deps.sleep(waitMs, signal).then(
        () => true,
        () => false,
      )
      if (!slept) return aborted
    }
  }
  return last
}

const aborted: ModelResult = { kind: 'failure', failure: 'aborted', message: 'The call was aborted.' }

async function attemptOnce(deps: ModelDeps, call: ModelCall, signal: AbortSignal): Promise<ModelResult> {
  try {
    await deps.enter({ role: call.request.role, budget: call.budget }, call.holder, signal)
  } catch (error) {
    if (signal.aborted) return aborted
    throw error
  }
  return await deps.model.complete(call.request, call.onText, signal)
}

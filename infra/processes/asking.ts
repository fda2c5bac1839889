// How a process calls its model: through the fleet's gate, paid by whom it is for, with failures told to the operator.
import { setTimeout as sleep } from 'node:timers/promises'
import { readAnswerValues } from '#infra/models/answer-values.ts'
import type { FoundModel } from '#infra/models/find-model.ts'
import { createAsk } from '#services/asking/ask.ts'
import { callModel, type ModelDeps } from '#services/executor/run/call-model.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import type { Ask } from '#shared/model/ask.ts'
import type { ModelRole } from '#shared/model/model-port.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { onceAMinute } from './part.ts'
import { remembering } from './remembering.ts'
import type { Runtime } from './runtime.ts'
import { createSpending } from './spending.ts'
import { advice, telling } from './telling-model.ts'

const defaultRetryDelaysMs = [1000, 2000, 4000]
const maxRetryAfterMs = 60_000

/** How models are called, paid and held back. */
export type ModelCalls = ModelDeps & Pick<ExecutorDeps, 'reserve' | 'charge' | 'estimate' | 'isQuiet'>

type Told = {
  readonly trouble: (what: string) => void
  readonly retryDelaysMs?: readonly number[] | undefined
}

export function openModelCalls(runtime: Runtime, found: FoundModel, { trouble, retryDelaysMs }: Told): ModelCalls {
  const { modelGate, quiet } = runtime
  return {
    model: telling(found.port, trouble),
    enter: modelGate.enter,
    leave: modelGate.leave,
    refused: modelGate.refused,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    retryDelaysMs: retryDelaysMs ?? defaultRetryDelaysMs,
    maxRetryAfterMs,
    onFailure: (kind, message) => trouble(`The model did not answer (${kind}): ${message}${advice[kind] ?? ''}`),
    estimate: remembering((text) => estimateTokens(text).upperBound),
    ...createSpending(runtime, found.port),
    isQuiet: quiet.isQuiet,
  }
}

/** What features and readers ask with. It looks at `calls` anew for each question. */
export function askBy(calls: ModelCalls): Ask {
  return createAsk({
    leave: (holder) => calls.leave(holder),
    reserve: (...all) => calls.reserve(...all),
    charge: (...all) => calls.charge(...all),
    estimate: (text) => calls.estimate(text),
    isQuiet: () => calls.isQuiet(),
    readValues: readAnswerValues,
    async call({ holder, payer: { principal, budget }, request, onEntered, onAttempt }, signal) {
      const enter: ModelDeps['enter'] = async (...all) => {
        await calls.enter(...all)
        await onEntered()
      }
      const attempts = {
        firstAttempt: 1,
        onText: () => {},
        async onAttempt(_: number, role: ModelRole) {
          onAttempt(role)
          return !signal.aborted
        },
      }
      const background = budget === undefined ? {} : { budget }
      return await callModel({ ...calls, enter }, { holder, principal, ...background, request, ...attempts }, signal)
    },
  })
}

/** For all of a process. */
export function openAsk(runtime: Runtime, found: FoundModel): Ask {
  return askBy(openModelCalls(runtime, found, { trouble: onceAMinute((what) => runtime.log.warn(what)) }))
}

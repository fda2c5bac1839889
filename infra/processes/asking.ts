// How a process calls its model: through the fleet's gate, paid by whom it is for, with failures told to the operator.
import { setTimeout as sleep } from 'node:timers/promises'
import { readAnswerValues } from '#infra/models/answer-values.ts'
import type { FoundModel } from '#infra/models/find-model.ts'
import { createAsk, type AskDeps } from '#services/executor/run/ask.ts'
import type { Ask } from '#shared/model/ask.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { onceAMinute } from './part.ts'
import { remembering } from './remembering.ts'
import type { Runtime } from './runtime.ts'
import { createSpending } from './spending.ts'
import { advice, telling } from './telling-model.ts'

const defaultRetryDelaysMs = [1000, 2000, 4000]
const maxRetryAfterMs = 60_000

type Told = {
  readonly trouble: (what: string) => void
  readonly retryDelaysMs?: readonly number[] | undefined
}

export function openModelCalls(runtime: Runtime, found: FoundModel, { trouble, retryDelaysMs }: Told): AskDeps {
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
    readValues: readAnswerValues,
  }
}

/** What the features and readers of a process, and its executor, ask with. */
export function openAsk(runtime: Runtime, found: FoundModel): Ask {
  return createAsk(openModelCalls(runtime, found, { trouble: onceAMinute((what) => runtime.log.warn(what)) }))
}

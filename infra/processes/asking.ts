// How a process calls its model: through the fleet's gate, paid by whom it is for, with failures told to the operator.
import { setTimeout as sleep } from 'node:timers/promises'
import { readAnswerValues } from '#infra/models/answer-values.ts'
import type { FoundModel } from '#infra/models/find-model.ts'
import { createAsk, type AskDeps } from '#services/executor/run/ask.ts'
import type { Ask } from '#shared/model/ask.ts'
import type { ModelPort } from '#shared/model/model-port.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { onceAMinute } from './part.ts'
import { remembering } from './remembering.ts'
import type { Runtime } from './runtime.ts'
import { createSpending } from './spending.ts'

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

/** What the features and readers of a process ask with. */
export function openAsk(runtime: Runtime, found: FoundModel): Ask {
  return createAsk(openModelCalls(runtime, found, { trouble: onceAMinute((what) => runtime.log.warn(what)) }))
}

/** Tells the operator of what the endpoint said of its usage and nobody can believe. */
function telling(port: ModelPort, trouble: (what: string) => void): ModelPort {
  return {
    ...port,
    async complete(request, onText, signal) {
      const result = await port.complete(request, onText, signal)
      if (result.kind === 'reply' && result.distrusted) {
        const { promptTokens, completionTokens } = result.distrusted
        const told = `${promptTokens} tokens read and ${completionTokens} written`
        trouble(`The model endpoint reports an impossible usage (${told}); our own estimate is counted instead.`)
      }
      if (result.kind === 'reply' && result.dropped) trouble(dropped(result.usage.promptTokens))
      return result
    },
  }
}

const dropped = (read: number): string =>
  `The model endpoint read ${read} tokens of a prompt that has many more: its window is smaller than FLOTILLA_CONTEXT_TOKENS says, and it drops the rest in silence. Set that to the window it has, or raise the window (of Ollama by OLLAMA_CONTEXT_LENGTH).`

const advice: Readonly<Record<string, string>> = {
  'too-long': ' Set FLOTILLA_CONTEXT_TOKENS to the window that the endpoint really has.',
  'no-model': ' Check FLOTILLA_MODEL and OPENAI_BASE_URL; with Ollama, pull the model.',
  auth: ' Check OPENAI_API_KEY and OPENAI_BASE_URL.',
  unavailable: ' Check OPENAI_BASE_URL and the network.',
}

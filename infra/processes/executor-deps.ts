// What an executor works with in this process: its features, the model behind the fleet's gate, and what the fleet knows of people.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '#infra/config/settings.ts'
import type { FoundModel } from '#infra/models/find-model.ts'
import type { KnownKinds } from '#queues/fleet/known-kinds.ts'
import { greetStranger } from '#services/commands/access-commands.ts'
import { createPace, members } from '#services/commands/pace.ts'
import { prefixTokensOf } from '#services/executor/context/gather.ts'
import { createOffers, toMostHistory } from '#services/executor/context/offer.ts'
import type { ModelDeps } from '#services/executor/run/call-model.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import { toReason } from '#shared/errors.ts'
import { listModels, modelOf } from '#shared/model/model-port.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { defaultLimits } from '#shared/run/turn-limits.ts'
import { everySecond } from './every-second.ts'
import type { OpenFeatures } from './open-features.ts'
import type { FeaturePorts } from './open-ports.ts'
import { remembering } from './remembering.ts'
import type { Runtime } from './runtime.ts'
import { createSpending, toMoneyLimit } from './spending.ts'
import { advice, telling } from './telling-model.ts'
import { watchFeature } from './watch-feature.ts'

const defaultRetryDelaysMs = [1000, 2000, 4000]
const maxRetryAfterMs = 60_000
/** Half the window of most models. More is written to Redis at each turn's end only where it is asked for. */
const defaultHistoryTokens = 64_000
/** An answer that took longer is worth a line at `info`; others have one at `debug`. */
const slowAnswerMs = 30_000
const toolTimeoutMs = 600_000
const defaultReplyExpiresInMs = 600_000

type Told = { readonly trouble: (what: string) => void; readonly known: KnownKinds }

export function createExecutorDeps(runtime: Runtime, features: OpenFeatures, { trouble, known }: Told): ExecutorDeps {
  const { settings } = runtime
  const { model, ports } = features
  return {
    ...toModelDeps(runtime, model, trouble),
    ...toPromptDeps(runtime, features, trouble),
    ...toPeopleDeps(ports),
    now: runtime.clock.now,
    clock: toClock(settings),
    limits: { ...defaultLimits, money: toMoneyLimit(settings, model.port) },
    sessionIdleMs: settings.sessionIdleHours * 3_600_000,
    replyExpiresInMs: defaultReplyExpiresInMs,
    ...createSpending(runtime, model.port),
    onEnded: (conversation, timing) =>
      runtime.log[timing.totalMs >= slowAnswerMs ? 'info' : 'debug']({ conversation, ...timing }, 'answered'),
    isKnownElsewhere: known.isKnown,
    toolTimeoutMs,
    settled: runtime.settled,
  }
}

/** How the model is called, and how often. */
function toModelDeps({ modelGate }: Runtime, { port }: FoundModel, trouble: Told['trouble']): ModelDeps {
  return {
    model: telling(port, trouble),
    enter: modelGate.enter,
    leave: modelGate.leave,
    refused: modelGate.refused,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    retryDelaysMs: defaultRetryDelaysMs,
    maxRetryAfterMs,
    onFailure: (kind, message) => trouble(`The model did not answer (${kind}): ${message}${advice[kind] ?? ''}`),
  }
}

type PromptDeps = Pick<
  ExecutorDeps,
  'features' | 'estimate' | 'offered' | 'historyTokens' | 'onFeatureFailed' | 'onPartFailed'
>

/** The features, and what prompts have of them. Throws BotError `config` where a model's window has no room for a prompt. */
function toPromptDeps(
  { settings, underway }: Runtime,
  { all, model: { port } }: OpenFeatures,
  trouble: Told['trouble'],
): PromptDeps {
  const estimate = remembering((text) => estimateTokens(text).upperBound)
  const onFeatureFailed = (feature: string, error: unknown): void =>
    trouble(`The feature ${feature} failed: ${toReason(error)}`)
  const features = indexFeatures(
    all.map((feature) => watchFeature(feature, underway)),
    onFeatureFailed,
  )
  const offered = createOffers(features.tools, estimate, prefixTokensOf(features))
  // A chat may choose any of them: one whose window has no room for a prompt is told of now.
  for (const { role } of listModels(port)) offered(modelOf(port, role).contextTokens)
  const most = toMostHistory(offered(port.contextTokens).room)
  return {
    features,
    estimate,
    offered: (windowTokens) => offered(windowTokens).tools,
    historyTokens: Math.min(settings.historyTokens ?? defaultHistoryTokens, most),
    onFeatureFailed,
    onPartFailed: (part, error) => trouble(`The prompt went without ${part}: ${toReason(error)}`),
  }
}

type PeopleDeps = Pick<
  ExecutorDeps,
  'isQuiet' | 'isOwner' | 'pace' | 'noteAnswer' | 'findZone' | 'greet' | 'admitChat' | 'findRight'
>

/** What the fleet knows of people, by the ports that features have. */
function toPeopleDeps({ access, people, quiet }: FeaturePorts): PeopleDeps {
  const pace = createPace(() => performance.now(), members)
  return {
    isQuiet: quiet.isQuiet,
    isOwner: access.isOwner,
    pace: async (principal, conversation) => {
      const found = pace.of(principal)
      return found === 'answer' || (await access.isOwner(principal, conversation)) ? 'answer' : found
    },
    noteAnswer: pace.note,
    findZone: people.findZoneOf,
    greet: async (stranger, language) =>
      access.mayAnswer(stranger) ? await greetStranger(access, stranger, language) : undefined,
    admitChat: (chat, by) => access.admit('chat', chat, by),
    findRight: access.findToolRight,
  }
}

/** Date and time to the minute, in the operator's zone. */
function toClock({ timeZone }: Settings): (atMs: number) => string {
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return everySecond((atMs) => `${time.format(new Date(atMs))} (${timeZone})`)
}

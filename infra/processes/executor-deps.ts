// What an executor works with in this process: its features, the model behind the fleet's gate, and what the fleet knows of people.
import type { Settings } from '#infra/config/settings.ts'
import type { KnownKinds } from '#queues/fleet/known-kinds.ts'
import { greetStranger } from '#services/commands/access-commands.ts'
import { createPace, members } from '#services/commands/pace.ts'
import { prefixTokensOf } from '#services/executor/context/gather.ts'
import { createOffers, toMostHistory } from '#services/executor/context/offer.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { toReason } from '#shared/errors.ts'
import { listModels, modelOf } from '#shared/model/model-port.ts'
import { defaultLimits } from '#shared/run/turn-limits.ts'
import { openModelCalls } from './asking.ts'
import { everySecond } from './every-second.ts'
import type { OpenFeatures } from './open-features.ts'
import type { FeaturePorts } from './open-ports.ts'
import type { Runtime } from './runtime.ts'
import { toMoneyLimit } from './spending.ts'
import { watchFeature } from './watch-feature.ts'

/** Half the window of most models. More is written to Redis at each turn's end only where it is asked for. */
const defaultHistoryTokens = 64_000
/** An answer that took longer is worth a line at `info`; others have one at `debug`. */
const slowAnswerMs = 30_000
const toolTimeoutMs = 600_000
const defaultReplyExpiresInMs = 600_000
/** What a task says is as true an hour later. */
const taskReplyExpiresInMs = 86_400_000

type Told = { readonly trouble: (what: string) => void; readonly known: KnownKinds }

/** Of conversations, and of their tasks. */
export type AllDeps = { readonly chats: ExecutorDeps; readonly tasks: ExecutorDeps }

export function createExecutorDeps(runtime: Runtime, features: OpenFeatures, told: Told): AllDeps {
  const calls = openModelCalls(runtime, features.model, { trouble: told.trouble })
  const of = (all: readonly Feature[]): ExecutorDeps => toDeps(runtime, { ...features, all }, { ...told, calls })
  return {
    chats: of(features.all),
    tasks: { ...of(features.ofTasks), replyExpiresInMs: taskReplyExpiresInMs },
  }
}

function toDeps(
  runtime: Runtime,
  features: OpenFeatures,
  { trouble, known, calls }: Told & { readonly calls: ReturnType<typeof openModelCalls> },
): ExecutorDeps {
  const { settings } = runtime
  const { model, ports } = features
  return {
    ...calls,
    ask: ports.ask,
    ...toPromptDeps(runtime, features, { trouble, estimate: calls.estimate }),
    ...toPeopleDeps(ports),
    now: runtime.clock.now,
    clock: toClock(settings),
    limits: { ...defaultLimits, money: toMoneyLimit(settings, model.port) },
    sessionIdleMs: settings.sessionIdleHours * 3_600_000,
    replyExpiresInMs: defaultReplyExpiresInMs,
    onEnded: (conversation, timing) =>
      runtime.log[timing.totalMs >= slowAnswerMs ? 'info' : 'debug']({ conversation, ...timing }, 'answered'),
    isKnownElsewhere: known.isKnown,
    toolTimeoutMs,
    settled: runtime.settled,
  }
}

type PromptDeps = Pick<ExecutorDeps, 'features' | 'offered' | 'historyTokens' | 'onFeatureFailed' | 'onPartFailed'>

/** The features, and what prompts have of them. Throws BotError `config` where a model's window has no room for a prompt. */
function toPromptDeps(
  { settings, underway }: Runtime,
  { all, model: { port } }: OpenFeatures,
  { trouble, estimate }: Pick<Told, 'trouble'> & Pick<ExecutorDeps, 'estimate'>,
): PromptDeps {
  const onFeatureFailed = (feature: string, error: unknown): void =>
    trouble(`The feature ${feature} failed: ${toReason(error)}`)
  const features = indexFeatures(
    all.map((feature) => watchFeature(feature, underway)),
    onFeatureFailed,
  )
  const offered = createOffers(estimate, prefixTokensOf(features))
  const tools = features.tools.now()
  // A chat may choose any of them: one whose window has no room for a prompt is told of now.
  for (const { role } of listModels(port)) offered(modelOf(port, role).contextTokens, tools)
  const most = toMostHistory(offered(port.contextTokens, tools).room)
  return {
    features,
    offered: (windowTokens, shown) => offered(windowTokens, shown).tools,
    historyTokens: Math.min(settings.historyTokens ?? defaultHistoryTokens, most),
    onFeatureFailed,
    onPartFailed: (part, error) => trouble(`The prompt went without ${part}: ${toReason(error)}`),
  }
}

type PeopleDeps = Pick<
  ExecutorDeps,
  'isOwner' | 'pace' | 'noteAnswer' | 'findZone' | 'greet' | 'admitChat' | 'findRight'
>

/** What the fleet knows of people, by the ports that features have. */
function toPeopleDeps({ access, people }: FeaturePorts): PeopleDeps {
  const pace = createPace(() => performance.now(), members)
  return {
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

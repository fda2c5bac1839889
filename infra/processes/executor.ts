// The executor's process: reads hints of `execute`, claims conversations and serves them. Stateless; start as many as needed.
import { toReason } from '#shared/errors.ts'
import { listModels, modelOf } from '#shared/model/model-port.ts'
import type { FoundModel } from '#infra/models/find-model.ts'
import { queueNames } from '#queues/jobs/queue-names.ts'
import { createKnownKinds, type KnownKinds } from '#queues/fleet/known-kinds.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createCompany } from '#queues/workers/company.ts'
import { executeConversation } from '#queues/workers/execute-conversation.ts'
import type { HintHandler } from '#queues/workers/crowd.ts'
import { createPutBack } from '#queues/workers/put-back.ts'
import { keepFileApart } from '#queues/workers/shown-files.ts'
import { createGate } from '#queues/workers/start-gate.ts'
import { greetStranger } from '#services/commands/access-commands.ts'
import { createPace, members, strangers } from '#services/commands/pace.ts'
import { openFeatures } from './open-features.ts'
import { createOffers, toMostHistory } from '#services/executor/context/offer.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { defaultLimits } from '#shared/run/turn-limits.ts'
import { serveConversation } from '#services/executor/serve/serve.ts'
import { askBy, openModelCalls } from './asking.ts'
import { everySecond } from './every-second.ts'
import { createOwnerCheck, createRightFinder } from './find-rights.ts'
import { toMoneyLimit } from './spending.ts'
import { startHintPart } from './hint-part.ts'
import { onceAMinute, toLeft, type Part } from './part.ts'
import type { Runtime } from './runtime.ts'
import { watchFeature } from './watch-feature.ts'

/** Half the window of most models. More is written to Redis at each turn's end only where it is asked for. */
const defaultHistoryTokens = 64_000
/** An answer that took longer is worth a line at `info`; others have one at `debug`. */
const slowAnswerMs = 30_000
const toolTimeoutMs = 600_000
const defaultReplyExpiresInMs = 600_000
/** A claim is the first step of every turn: pacing it by Redis' own answers keeps a flood from beginning everything at once. */
const claimsAtOnce = 32

/** What is no operator's setting. `retryDelaysMs`: before the second, third, … try of a model call. `features`: besides the fleet's own. */
export type ExecutorTuning = Partial<Pick<ExecutorDeps, 'retryDelaysMs' | 'replyExpiresInMs' | 'limits'>> & {
  readonly features?: readonly Feature[]
}

export function startExecutor(
  runtime: Runtime,
  model: FoundModel,
  { features = [], ...tuning }: ExecutorTuning = {},
): Part {
  const { log, settings } = runtime
  const trouble = onceAMinute((what, error) => log.warn(error === undefined ? {} : { err: error }, what))
  const known = createKnownKinds(runtime.redis, runtime.clock.now)
  const { retryDelaysMs } = tuning
  const deps = { ...createExecutorDeps(runtime, model, { features, trouble, known, retryDelaysMs }), ...tuning }
  const endAnnouncing = known.announce(deps.features.kinds)
  const gate = createGate(claimsAtOnce)
  const company = createCompany()
  const putBack = createPutBack(runtime.hints)
  const kernel: Kernel = {
    ...runtime.kernel,
    append: async (conversation, epoch, step) =>
      await runtime.kernel.append(conversation, epoch, keepFileApart(conversation, step)),
    async claim(...claim) {
      return await gate(async () => {
        const askedAtMs = Date.now()
        const claimed = await runtime.kernel.claim(...claim)
        if (claimed.kind === 'CLAIMED') runtime.clock.learn(claimed.atMs, askedAtMs)
        return claimed
      })
    },
  }
  const handler: HintHandler = (conversation, shutdown) =>
    executeConversation(
      {
        kernel,
        hints: runtime.hints,
        signals: runtime.signals,
        liveness: runtime.liveness,
        giveBack: runtime.giveBack,
        company,
        carry: runtime.carry,
        serve: (run, signal) => serveConversation(deps, run, signal),
        onLeft(left, reason) {
          trouble(toLeft(left, reason))
          putBack('run', left)
        },
        onParked: (parked, reason) => trouble(`Conversation ${parked} is parked: ${reason}. See flotilla doctor.`),
      },
      conversation,
      shutdown,
    )
  runtime.signals.onUnheard((conversation) => {
    const wake = async (): Promise<void> => {
      const { events } = await kernel.pending(conversation, 0)
      if (events.length > 0) await runtime.hints.execute(conversation)
    }
    // Should it fail, the sweeper finds what waits.
    wake().catch(() => {})
  })
  const part = startHintPart(runtime, {
    name: 'executor',
    queue: queueNames.executor,
    local: 'execute',
    concurrency: settings.executorConcurrency,
    handler,
    onTrouble: trouble,
  })
  return {
    name: part.name,
    async stop(graceMs) {
      await part.stop(graceMs)
      endAnnouncing()
    },
  }
}

type Tuned = {
  readonly features: readonly Feature[]
  readonly trouble: (what: string) => void
  readonly known: KnownKinds
  readonly retryDelaysMs?: readonly number[] | undefined
}

/** What an executor works with in this process. */
export function createExecutorDeps(
  runtime: Runtime,
  found: FoundModel,
  { features, trouble, known, retryDelaysMs }: Tuned,
): ExecutorDeps {
  const { settings, access, people } = runtime
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone: settings.timeZone, dateStyle: 'short', timeStyle: 'short' })
  const strangerPace = createPace(() => performance.now(), strangers)
  const mayAnswer = (stranger: string): boolean => {
    const isAnswered = strangerPace.of(stranger) === 'answer'
    if (isAnswered) strangerPace.note(stranger)
    return isAnswered
  }
  const memberPace = createPace(() => performance.now(), members)
  const isOwner = createOwnerCheck(runtime)
  const onFeatureFailed = (feature: string, error: unknown): void =>
    trouble(`The feature ${feature} failed: ${toReason(error)}`)
  const calls = openModelCalls(runtime, found, { trouble, retryDelaysMs })
  const given = [...features, ...openFeatures(runtime, found, mayAnswer, features)]
  const all = indexFeatures(
    given.map((feature) => watchFeature(feature, runtime.underway)),
    onFeatureFailed,
  )
  const offered = createOffers(all.tools, calls.estimate)
  // A chat may choose any of them: one whose window has no room for a prompt is told of now.
  for (const { role } of listModels(found.port)) offered(modelOf(found.port, role).contextTokens)
  return {
    features: all,
    offered: (windowTokens) => offered(windowTokens).tools,
    onFeatureFailed,
    ...calls,
    ask: askBy(calls),
    now: runtime.clock.now,
    clock: everySecond((atMs) => `${time.format(new Date(atMs))} (${settings.timeZone})`),
    limits: { ...defaultLimits, money: toMoneyLimit(settings, found.port) },
    historyTokens: Math.min(
      settings.historyTokens ?? defaultHistoryTokens,
      toMostHistory(offered(found.port.contextTokens).room),
    ),
    sessionIdleMs: settings.sessionIdleHours * 3_600_000,
    replyExpiresInMs: defaultReplyExpiresInMs,
    onEnded: (conversation, timing) =>
      runtime.log[timing.totalMs >= slowAnswerMs ? 'info' : 'debug']({ conversation, ...timing }, 'answered'),
    isOwner,
    pace: async (principal, conversation) => {
      const pace = memberPace.of(principal)
      return pace === 'answer' || (await isOwner(principal, conversation)) ? 'answer' : pace
    },
    noteAnswer: memberPace.note,
    findZone: async (principal) => (await people.find(principal)).zone,
    greet: async (stranger, language) =>
      mayAnswer(stranger) ? await greetStranger(access, stranger, language) : undefined,
    isKnownElsewhere: known.isKnown,
    admitChat: (chat, by) => access.admit('chat', chat, by),
    findRight: createRightFinder(runtime),
    toolTimeoutMs,
    settled: runtime.settled,
    onPartFailed: (part, error) => trouble(`The prompt went without ${part}: ${toReason(error)}`),
  }
}

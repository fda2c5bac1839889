// The executor's process: reads hints of `execute` and `execute-tasks`, claims conversations and tasks, and serves them. Stateless; start as many as needed.
import { isTask, type Address } from '#shared/chat/address.ts'
import { queueNames } from '#queues/jobs/queue-names.ts'
import { createKnownKinds } from '#queues/fleet/known-kinds.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createCompany } from '#queues/workers/company.ts'
import { executeConversation, type ExecuteDeps } from '#queues/workers/execute-conversation.ts'
import { createPutBack } from '#queues/workers/put-back.ts'
import { keepFileApart } from '#queues/workers/shown-files.ts'
import { createGate } from '#queues/workers/start-gate.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { serveConversation } from '#services/executor/serve/serve.ts'
import { createExecutorDeps } from './executor-deps.ts'
import { startHintPart } from './hint-part.ts'
import type { OpenFeatures } from './open-features.ts'
import { onceAMinute, toLeft, toParked, type Part } from './part.ts'
import type { Runtime } from './runtime.ts'

/** A claim is the first step of every turn: pacing it by Redis' own answers keeps a flood from beginning everything at once. */
const claimsAtOnce = 32

/** What is no operator's setting. `retryDelaysMs`: before the second, third, … try of a model call. */
export type ExecutorTuning = Partial<Pick<ExecutorDeps, 'retryDelaysMs' | 'replyExpiresInMs' | 'limits'>>

export function startExecutor(runtime: Runtime, features: OpenFeatures, tuning: ExecutorTuning = {}): Part {
  const trouble = onceAMinute((what, error) => runtime.log.warn(error === undefined ? {} : { err: error }, what))
  const known = createKnownKinds(runtime.redis, runtime.clock.now)
  const { chats, tasks } = createExecutorDeps(runtime, features, { trouble, known })
  const deps = { ...chats, ...tuning }
  const ofTasks = { ...tasks, ...tuning }
  const endAnnouncing = known.announce(() => [...new Set([...deps.features.kinds(), ...ofTasks.features.kinds()])])
  const own = toOwnDeps(runtime, trouble)
  const executing = (address: Address, mustLeave: () => boolean): ExecuteDeps => ({
    ...own,
    serve: (run, signal) =>
      isTask(address)
        ? serveConversation(ofTasks, { ...run, mustLeave }, signal)
        : serveConversation(deps, run, signal),
  })
  wakeUnheard(runtime)
  const part = startHintPart(runtime, {
    name: 'executor',
    queue: queueNames.executor,
    local: 'execute',
    concurrency: runtime.settings.executorConcurrency,
    tasks: queueNames.tasks,
    handler: async (address, shutdown, mustLeave) =>
      await executeConversation(executing(address, mustLeave), address, shutdown),
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

type Trouble = (what: string, error?: unknown) => void

/** Of all that it takes to serve conversations, what is no part of serving one. */
function toOwnDeps(runtime: Runtime, trouble: Trouble): Omit<ExecuteDeps, 'serve'> {
  const { hints, signals, liveness, giveBack, carry } = runtime
  const putBack = createPutBack(hints)
  return {
    kernel: toPacedKernel(runtime),
    hints,
    signals,
    liveness,
    giveBack,
    carry,
    company: createCompany(),
    onLeft(left, reason) {
      trouble(toLeft(left, reason))
      putBack('run', left)
    },
    onParked: (parked, reason) => trouble(toParked(parked, reason)),
  }
}

/** The kernel, by which few claims are made at once, and files that are shown lie apart from the steps. */
function toPacedKernel({ kernel, clock }: Pick<Runtime, 'kernel' | 'clock'>): Kernel {
  const gate = createGate(claimsAtOnce)
  return {
    ...kernel,
    append: async (conversation, epoch, step) =>
      await kernel.append(conversation, epoch, keepFileApart(conversation, step)),
    async claim(...claim) {
      return await gate(async () => {
        const askedAtMs = Date.now()
        const claimed = await kernel.claim(...claim)
        if (claimed.kind === 'CLAIMED') clock.learn(claimed.atMs, askedAtMs)
        return claimed
      })
    },
  }
}

/** A signal for a conversation that nobody here serves may have come between two turns: what waits there is hinted again. */
function wakeUnheard({ signals, kernel, hints }: Pick<Runtime, 'signals' | 'kernel' | 'hints'>): void {
  signals.onUnheard((conversation) => {
    const wake = async (): Promise<void> => {
      const { events } = await kernel.pending(conversation, 0)
      if (events.length > 0) await hints.execute(conversation)
    }
    // Should it fail, the sweeper finds what waits.
    wake().catch(() => {})
  })
}

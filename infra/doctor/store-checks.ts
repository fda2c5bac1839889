// What doctor finds in Redis: the server, the processes that live, and what waits. An errand repairs or replays a conversation before that.
import type { Finding } from '#infra/checks/finding.ts'
import { checkServer } from '#infra/checks/server-checks.ts'
import type { Settings } from '#infra/config/settings.ts'
import { listConnected } from '#infra/processes/channels.ts'
import { describeRedis } from '#infra/processes/describe-redis.ts'
import { findBudgets } from '#infra/processes/spending.ts'
import { findRedis } from '#infra/redis/fleet-file.ts'
import { explainTrouble, listenForTrouble } from '#infra/redis/redis-trouble.ts'
import { connectKernel } from '#queues/connection.ts'
import { createBudgets } from '#queues/fleet/budgets.ts'
import { readProcesses } from '#queues/fleet/process-key.ts'
import { allQueues } from '#queues/jobs/queue-names.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createReadyWait } from '#queues/ready-wait.ts'
import { createUnits } from '#queues/units.ts'
import {
  countPutBack,
  findParked,
  inspectLate,
  inspectRecords,
  inspectServer,
  listWaiting,
} from '#queues/workers/inspect.ts'
import { BotError } from '#shared/errors.ts'
import { channelChecks } from './channel-checks.ts'
import { createReaderJobs, type ReaderJobs } from '#queues/records/reader-jobs.ts'
import { runErrand, type Errand } from './errand.ts'
import { checkMemory } from './memory-checks.ts'
import { checkJobs, type JobFacts } from './job-checks.ts'
import { checkLate, checkParked, checkPutBack, checkRecords } from './checks.ts'
import { checkAgreed, checkBudgets, checkProcesses, checkRoles, checkWaiting } from './fleet-checks.ts'
import type { Store } from './fleet-facts.ts'

const patienceMs = 3000

export async function checkStore(
  settings: Settings,
  errand: Errand | undefined,
): Promise<{ store: Store; findings: Finding[] }> {
  let redis: ReturnType<typeof connectKernel> | undefined
  let trouble: ReturnType<typeof listenForTrouble> | undefined
  try {
    redis = connectKernel(await findRedis(settings))
    trouble = listenForTrouble(redis)
    const call = createUnits(redis, { patienceMs })
    const kernel = createRedisKernel(redis, call)
    await createReadyWait(redis)(patienceMs)
    const { living, silent } = await readProcesses(redis)
    const due = await listWaiting(kernel, silent)
    if (errand) await runErrand({ redis, call, kernel }, errand)
    const putBack = await countPutBack(
      redis,
      allQueues(
        channelChecks.map(({ channel }) => channel),
        settings.queueShards,
      ),
    )
    const records = await inspectRecords(kernel)
    const findings = [
      ...checkPutBack(putBack),
      ...checkServer(await inspectServer(redis)),
      ...checkProcesses(living),
      ...checkRoles({ living, channels: listConnected(settings), due }),
      ...checkAgreed(living),
      ...(await checkMemory(redis, call, { living, settings })),
      ...checkBudgets(await findBudgets({ settings, budgets: createBudgets(redis) })),
      ...checkParked(await findParked(redis)),
      checkWaiting(due),
      ...checkLate(await inspectLate(redis)),
      ...checkRecords(records),
      ...checkJobs({ living, records, waiting: await lookAtJobs(createReaderJobs(redis, call)) }),
    ]
    return { store: { kind: 'open', redis }, findings }
  } catch (error) {
    const isReady = redis?.status === 'ready'
    redis?.disconnect()
    if (error instanceof BotError && error.code === 'bad-input') throw error
    return toAway(settings, isReady ? error : (trouble?.last() ?? error))
  }
}

const lookAtJobs = async ({ look }: Pick<ReaderJobs, 'look'>): Promise<JobFacts['waiting']> => ({
  reflection: await look('reflection'),
  curiosity: await look('curiosity'),
})

export function toFrozen(finding: Finding): { store: Store; findings: Finding[] } {
  return { store: { kind: 'away', reason: finding.found }, findings: [finding] }
}

/** Where a channel is being connected, its step to start the fleet says that none runs. */
function toAway(settings: Settings, error: unknown): { store: Store; findings: Finding[] } {
  const reason = error instanceof Error ? error.message : String(error)
  const isNone = error instanceof BotError && error.code === 'config'
  const store: Store = isNone ? { kind: 'none' } : { kind: 'away', reason }
  const about = 'Redis'
  if (isNone && (settings.telegram ?? settings.discord ?? settings.feishu)) {
    return { store, findings: [{ level: 'waits', about, found: 'not looked at before a fleet runs' }] }
  }
  const known = error instanceof Error && !isNone ? explainTrouble(error) : undefined
  if (settings.redisUrl !== undefined && known) {
    const found = `${describeRedis(settings)} cannot be used: ${known.reason}`
    return {
      store: { kind: 'away', reason: known.reason },
      findings: [{ level: 'error', about, found, fix: known.fix }],
    }
  }
  const fix = 'Start the fleet with "npm start", or set REDIS_URL to a running Redis.'
  return { store, findings: [{ level: 'error', about, found: reason, fix }] }
}

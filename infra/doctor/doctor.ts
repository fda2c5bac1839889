// `flotilla doctor [model|telegram|discord|feishu]`: looks at everything a fleet stands on and says how to mend what is wrong. Changes nothing
// without --repair or --replay.
import { loadSettings, type Settings } from '#infra/config/settings.ts'
import { createScrub } from '#infra/redaction.ts'
import { listConnected } from '#infra/processes/channels.ts'
import { describeRedis } from '#infra/processes/describe-redis.ts'
import { findBudgets } from '#infra/processes/spending.ts'
import { createBudgets } from '#queues/fleet/budgets.ts'
import { findRedis } from '#infra/redis/fleet-file.ts'
import { explainTrouble, listenForTrouble } from '#infra/redis/redis-trouble.ts'
import { connectKernel } from '#queues/connection.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { readProcesses } from '#queues/fleet/process-key.ts'
import { allQueues } from '#queues/jobs/queue-names.ts'
import { createReadyWait } from '#queues/ready-wait.ts'
import { createUnits } from '#queues/units.ts'
import {
  countPutBack,
  findParked,
  inspectLate,
  inspectRecords,
  inspectServer,
  listWaiting,
  repairConversation,
} from '#queues/workers/inspect.ts'
import { BotError } from '#shared/errors.ts'
import { checkLate, checkParked, checkPutBack, checkRecords, checkServer, type Finding } from './checks.ts'
import { checkAgreed, checkBudgets, checkListen, checkProcesses, checkRoles, checkWaiting } from './fleet-checks.ts'
import { channelChecks } from './channel-checks.ts'
import type { Store } from './fleet-facts.ts'
import { checkModel } from './model-checks.ts'
import { examineModel } from './model-trials.ts'
import { checkFolder, checkFrozen } from './folder-checks.ts'
import { checkHttp } from './http-checks.ts'
import { checkIdleRedis } from './idle-redis.ts'
import { checkNode } from './node-check.ts'

const patienceMs = 3000
const marks = { ok: 'ok  ', off: 'off ', warning: 'warn', error: 'FAIL', waits: 'wait' } as const

/**
 * Prints the findings; the exit code is 1 when one is an error. With a channel's name that channel must be connected, and the others are
 * left out; with `model` only the model is tried, in all that a fleet asks of one. `--repair <conversation>` puts a parked conversation back, `--replay <conversation>` what was set aside there after
 * three crashes.
 */
export async function runDoctor(args: readonly string[]): Promise<number> {
  const settings = loadSettings(process.env, process.cwd())
  const findings = await examine(settings, args)
  const scrub = createScrub(settings.secrets)
  for (const { level, about, found, fix } of findings) {
    process.stdout.write(scrub(`${marks[level]}  ${about}: ${found}\n${fix ? `      fix: ${fix}\n` : ''}`))
  }
  process.stdout.write(`${sumUp(findings)}\n`)
  return findings.some((item) => item.level === 'error') ? 1 : 0
}

function sumUp(findings: readonly Finding[]): string {
  const count = (wanted: Finding['level']): number => findings.filter(({ level }) => level === wanted).length
  const [wrong, warnings] = [count('error'), count('warning')]
  const warned = warnings === 0 ? '' : ` ${warnings} warning${warnings > 1 ? 's' : ''} above.`
  if (wrong > 0) return `${wrong} thing${wrong > 1 ? 's' : ''} to mend: see FAIL above.${warned}`
  return count('waits') > 0 ? `Nothing failed, but not all is done: see wait above.${warned}` : `All is well.${warned}`
}

export async function examine(settings: Settings, args: readonly string[]): Promise<Finding[]> {
  if (args[0] === 'model') return await examineModel(settings)
  const names: readonly string[] = channelChecks.map(({ channel }) => channel)
  const [word, target] = args.filter((arg) => !names.includes(arg))
  if (word !== undefined && word !== '--repair' && word !== '--replay') {
    const forms = ['doctor', 'doctor model', ...names.map((name) => `doctor ${name}`)]
    throw new BotError(
      'bad-input',
      `doctor does not know "${word}". Use ${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}.`,
    )
  }
  const only = args.find((arg) => names.includes(arg))
  const ownRedis = settings.redisUrl === undefined
  const onDisk = await checkFolder(settings.dataFolder, process.cwd(), { ownRedis })
  const frozen = ownRedis ? await checkFrozen(settings.dataFolder) : undefined
  const { store, findings } = frozen ? toFrozen(frozen) : await checkStore(settings, { word, target })
  try {
    const looked = channelChecks.filter(({ channel }) => only === undefined || channel === only)
    const looks = [
      checkModel(settings),
      checkHttp(settings.http),
      ...looked.map(({ check }) => check(settings, store, only !== undefined)),
    ]
    const idle = ownRedis ? await checkIdleRedis() : []
    return [
      checkNode(process.versions.node),
      ...onDisk,
      ...findings,
      ...checkListen(settings),
      ...idle,
      ...(await Promise.all(looks)).flat(),
    ]
  } finally {
    if (store.kind === 'open') store.redis.disconnect()
  }
}

type Errand = { readonly word: string | undefined; readonly target: string | undefined }

async function checkStore(
  settings: Settings,
  { word, target }: Errand,
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
    if (word === '--repair' && target) await repairConversation(call, kernel, target)
    if (word === '--replay' && target) await kernel.replay(target)
    const putBack = await countPutBack(
      redis,
      allQueues(
        channelChecks.map(({ channel }) => channel),
        settings.queueShards,
      ),
    )
    const findings = [
      ...checkPutBack(putBack),
      ...checkServer(await inspectServer(redis)),
      ...checkProcesses(living),
      ...checkRoles({ living, channels: listConnected(settings), due }),
      ...checkAgreed(living),
      ...checkBudgets(await findBudgets({ settings, budgets: createBudgets(redis) })),
      ...checkParked(await findParked(redis)),
      checkWaiting(due),
      ...checkLate(await inspectLate(redis)),
      ...checkRecords(await inspectRecords(kernel)),
    ]
    return { store: { kind: 'open', redis }, findings }
  } catch (error) {
    const isReady = redis?.status === 'ready'
    redis?.disconnect()
    return toAway(settings, isReady ? error : (trouble?.last() ?? error))
  }
}

function toFrozen(finding: Finding): { store: Store; findings: Finding[] } {
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

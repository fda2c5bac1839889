// `flotilla doctor [telegram|discord]`: looks at everything a fleet stands on and says how to mend what is wrong. Changes nothing without
// --repair or --replay.
import { loadSettings, type Settings } from '#infra/config/settings.ts'
import { createScrub } from '#infra/redaction.ts'
import { loadModel } from '#infra/processes/model.ts'
import { findRedis } from '#infra/redis/fleet-file.ts'
import { connectKernel } from '#queues/connection.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { countPutBack, findParked, inspectServer, inspectWaiting, repairConversation } from '#queues/workers/inspect.ts'
import { BotError } from '#shared/errors.ts'
import { checkModel, checkParked, checkPutBack, checkServer, checkWaiting, type Finding } from './checks.ts'
import { readDiscord } from './discord-facts.ts'
import { discordSteps } from './discord-steps.ts'
import type { ConnectedChannel, FleetFacts, Store } from './fleet-facts.ts'
import { checkFolder, checkFrozen } from './folder-checks.ts'
import { checkIdleRedis } from './idle-redis.ts'
import { judgeSteps, numberOf } from './steps.ts'
import { readTelegram } from './telegram-facts.ts'
import { telegramSteps } from './telegram-steps.ts'

const patienceMs = 3000
const modelTimeoutMs = 15_000
const marks = { ok: 'ok  ', warning: 'warn', error: 'FAIL', waits: 'wait' } as const

/**
 * Prints the findings; the exit code is 1 when one is an error. With a channel's name that channel must be connected, and the other is
 * left out. `--repair <conversation>` puts a parked conversation back, `--replay <conversation>` what was set aside there after
 * three crashes.
 */
export async function runDoctor(args: readonly string[]): Promise<number> {
  const settings = loadSettings(process.env, process.cwd())
  const findings = await examine(settings, args)
  const scrub = createScrub(settings.secrets)
  for (const { level, about, found, fix } of findings) {
    process.stdout.write(scrub(`${marks[level]}  ${about}: ${found}\n${fix ? `      fix: ${fix}\n` : ''}`))
  }
  return findings.some((item) => item.level === 'error') ? 1 : 0
}

export async function examine(settings: Settings, args: readonly string[]): Promise<Finding[]> {
  const [word, target] = args.filter((arg) => arg !== 'telegram' && arg !== 'discord')
  if (word !== undefined && word !== '--repair' && word !== '--replay') {
    throw new BotError('bad-input', `doctor does not know "${word}". Use doctor, doctor telegram or doctor discord.`)
  }
  const only = args.find((arg) => arg === 'telegram' || arg === 'discord')
  const ownRedis = settings.redisUrl === undefined
  const onDisk = await checkFolder(settings.dataFolder, process.cwd(), { ownRedis })
  const frozen = ownRedis ? await checkFrozen(settings.dataFolder) : undefined
  const { store, findings } = frozen ? toFrozen(frozen) : await checkStore(settings, { word, target })
  try {
    const looks = [
      askModel(settings),
      ...(only === 'discord' ? [] : [checkTelegram(settings, store, only)]),
      ...(only === 'telegram' ? [] : [checkDiscord(settings, store, only)]),
    ]
    const idle = ownRedis ? await checkIdleRedis() : []
    return [...onDisk, ...findings, ...idle, ...(await Promise.all(looks)).flat()]
  } finally {
    if (store.kind === 'open') store.redis.disconnect()
  }
}

async function checkTelegram(settings: Settings, store: Store, only: string | undefined): Promise<Finding[]> {
  const facts = await readTelegram(settings, store)
  if (facts.api.kind === 'unset' && !only)
    return [notConnected('telegram', numberOf(telegramSteps, 'token'), facts.fleet)]
  return judgeSteps('Telegram', telegramSteps, facts)
}

async function checkDiscord(settings: Settings, store: Store, only: string | undefined): Promise<Finding[]> {
  const facts = await readDiscord(settings, store)
  if (facts.api.kind === 'unset' && !only)
    return [notConnected('discord', numberOf(discordSteps, 'token'), facts.fleet)]
  return judgeSteps('Discord', discordSteps, facts)
}

/** Nobody must have every channel; but a token that only the other terminal has would hide what is wrong. */
function notConnected(channel: ConnectedChannel, step: number, fleet: FleetFacts): Finding {
  const [about, variable] =
    channel === 'telegram' ? ['Telegram', 'TELEGRAM_BOT_TOKEN'] : ['Discord', 'DISCORD_BOT_TOKEN']
  if (fleet.kind === 'known' && fleet.isTold && !fleet.missing.includes(channel)) {
    const found = `could not look: a ${channel} process runs, but ${variable} is not set here`
    return { level: 'warning', about, found, fix: `Write ${variable} into .env, or export it here too.` }
  }
  return {
    level: 'ok',
    about,
    found: `not connected: ${variable} is not set (step ${step} of infra/docs/${channel}.md)`,
  }
}

type Errand = { readonly word: string | undefined; readonly target: string | undefined }

async function checkStore(
  settings: Settings,
  { word, target }: Errand,
): Promise<{ store: Store; findings: Finding[] }> {
  let redis: ReturnType<typeof connectKernel> | undefined
  try {
    redis = connectKernel(await findRedis(settings))
    const call = createUnits(redis, { patienceMs })
    const kernel = createRedisKernel(redis, call)
    const waiting = await inspectWaiting(kernel)
    if (word === '--repair' && target) await repairConversation(call, kernel, target)
    if (word === '--replay' && target) await kernel.replay(target)
    const putBack = await countPutBack(redis, ['inbound', 'execute', 'outbound-telegram', 'outbound-discord'])
    const findings = [
      ...checkPutBack(putBack),
      ...checkServer(await inspectServer(redis)),
      ...checkParked(await findParked(redis)),
      checkWaiting(waiting),
    ]
    return { store: { kind: 'open', redis }, findings }
  } catch (error) {
    redis?.disconnect()
    return toAway(settings, error)
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
  if (isNone && (settings.telegram ?? settings.discord)) {
    return { store, findings: [{ level: 'waits', about, found: 'not looked at before a fleet runs' }] }
  }
  const fix = 'Start the fleet with "npm start", or set REDIS_URL to a running Redis.'
  return { store, findings: [{ level: 'error', about, found: reason, fix }] }
}

async function askModel(settings: Settings): Promise<Finding[]> {
  try {
    const { port } = await loadModel(settings)
    const { name, offline } = port.describe()
    if (offline) {
      const fix = 'Set OPENAI_API_KEY (and OPENAI_BASE_URL, FLOTILLA_MODEL) for a real one.'
      return [{ level: 'warning', about: 'model', found: 'the offline demo model', fix }]
    }
    const answer = await port.complete(
      {
        role: 'main',
        messages: [{ role: 'user', content: 'ping' }],
        tools: [],
        maxOutputTokens: 16,
        temperature: 0,
        metadata: { depth: 'light', conversation: 'console:doctor' },
      },
      () => {},
      AbortSignal.timeout(modelTimeoutMs),
    )
    return [checkModel(name, answer)]
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return [{ level: 'error', about: 'model', found, fix: 'Set the model variables as the message says.' }]
  }
}

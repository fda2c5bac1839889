// `flotilla doctor`: looks at everything a fleet stands on and says how to mend what is wrong. Changes nothing without --repair.
import { loadSettings, type Settings } from '#infra/config/settings.ts'
import { createScrub } from '#infra/redaction.ts'
import { loadModel } from '#infra/processes/model.ts'
import { findRedis } from '#infra/redis/fleet-file.ts'
import { connectKernel } from '#queues/connection.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { countPutBack, findParked, inspectServer, inspectWaiting, repairConversation } from '#queues/workers/inspect.ts'
import { checkModel, checkParked, checkPutBack, checkServer, checkWaiting, type Finding } from './checks.ts'
import { checkTelegram } from './telegram-check.ts'

const patienceMs = 3000
const modelTimeoutMs = 15_000

/** Prints the findings; the exit code is 1 when one is an error. `--repair <conversation>` puts a parked conversation back,
 * `--replay <conversation>` what was set aside there after three crashes. */
export async function runDoctor(args: readonly string[]): Promise<number> {
  const settings = loadSettings(process.env, process.cwd())
  const findings = [
    ...(await checkStore(settings, args)),
    await askModel(settings),
    ...(await checkTelegram(settings.telegram)),
  ]
  const scrub = createScrub(settings.secrets)
  for (const { level, about, found, fix } of findings) {
    const mark = { ok: 'ok  ', warning: 'warn', error: 'FAIL' }[level]
    process.stdout.write(scrub(`${mark}  ${about}: ${found}\n${fix ? `      fix: ${fix}\n` : ''}`))
  }
  return findings.some((item) => item.level === 'error') ? 1 : 0
}

async function checkStore(settings: Settings, args: readonly string[]): Promise<Finding[]> {
  let redis: ReturnType<typeof connectKernel> | undefined
  try {
    redis = connectKernel(await findRedis(settings))
    const call = createUnits(redis, { patienceMs })
    const kernel = createRedisKernel(redis, call)
    const waiting = await inspectWaiting(kernel)
    const [action, target] = args
    if (action === '--repair' && target) await repairConversation(call, kernel, target)
    if (action === '--replay' && target) await kernel.replay(target)
    const putBack = await countPutBack(redis, ['inbound', 'execute', 'outbound-telegram'])
    return [
      ...checkPutBack(putBack),
      ...checkServer(await inspectServer(redis)),
      ...checkParked(await findParked(redis)),
      checkWaiting(waiting),
    ]
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return [
      {
        level: 'error',
        about: 'Redis',
        found,
        fix: 'Start the fleet with "npm start", or set REDIS_URL to a running Redis.',
      },
    ]
  } finally {
    redis?.disconnect()
  }
}

async function askModel(settings: Settings): Promise<Finding> {
  try {
    const { port } = await loadModel(settings)
    const { name, offline } = port.describe()
    if (offline)
      return {
        level: 'warning',
        about: 'model',
        found: 'the offline demo model',
        fix: 'Set OPENAI_API_KEY (and OPENAI_BASE_URL, FLOTILLA_MODEL) for a real one.',
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
    return checkModel(name, answer)
  } catch (error) {
    return {
      level: 'error',
      about: 'model',
      found: error instanceof Error ? error.message : String(error),
      fix: 'Set the model variables as the message says.',
    }
  }
}

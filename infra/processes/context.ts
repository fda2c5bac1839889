// `flotilla context <conversation>`: what its model would see if somebody asked now, part by part and then message by message. It only looks.
import { loadSettings, type Settings } from '#infra/config/settings.ts'
import { createLog } from '#infra/log/log.ts'
import { findRedis } from '#infra/redis/fleet-file.ts'
import { connectKernel } from '#queues/connection.ts'
import { createKnownKinds } from '#queues/fleet/known-kinds.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { findConversations, listConversations, lookAt } from '#queues/workers/look-at.ts'
import { conversationId, type ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import { findContext } from './context-now.ts'
import { printContext } from './print-context.ts'
import { createExecutorDeps } from './executor-deps.ts'
import { loadModel } from './model.ts'
import { openFeatures } from './open-features.ts'
import { openRuntime, type Runtime } from './runtime.ts'

const usage =
  'Write flotilla context <conversation> [--at <turn>] [--json], with a conversation like web:main, as it stands in the address of the page: http://…/#main.\n'
const mostListed = 10
const patienceMs = 1500
const gatherMs = 10_000

/** Exits with 2 for words that it does not know; throws for what is not there. */
export async function runContext(args: readonly string[]): Promise<number> {
  const words = readWords(args)
  if (!words) {
    process.stderr.write(usage)
    return 2
  }
  const settings = loadSettings(process.env, process.cwd())
  const redisUrl = await findRedis(settings)
  await expectRedis(redisUrl)
  const { log } = createLog({ level: 'fatal', secrets: settings.secrets })
  const runtime = await openRuntime({
    told: { role: 'context', does: ['context'], settings: {} },
    settings,
    redisUrl,
    log,
  })
  try {
    const found = await look(runtime, settings, words)
    process.stdout.write(`${words.json ? JSON.stringify(found, undefined, 2) : printContext(found)}\n`)
    return 0
  } finally {
    await runtime.close()
  }
}

type Words = { readonly name: string; readonly at?: string; readonly json: boolean }

function readWords(args: readonly string[]): Words | undefined {
  const json = args.includes('--json')
  const rest = args.filter((arg) => arg !== '--json')
  const marked = rest.indexOf('--at')
  const at = marked < 0 ? undefined : rest[marked + 1]
  const [name, ...more] = marked < 0 ? rest : rest.toSpliced(marked, 2)
  const isStrange = name === undefined || name.startsWith('--') || more.length > 0
  if (isStrange || (marked >= 0 && at === undefined)) return undefined
  return { name, json, ...(at === undefined ? {} : { at }) }
}

async function look(runtime: Runtime, settings: Settings, { name, at }: Words) {
  const model = await loadModel(settings)
  const trouble = (what: string): void => {
    process.stderr.write(`${what}\n`)
  }
  const known = createKnownKinds(runtime.redis, runtime.clock.now)
  const executor = createExecutorDeps(runtime, openFeatures(runtime, model), { trouble, known })
  const conversation = await findOne(runtime, name)
  return await findContext({ ...runtime, executor }, { conversation, at }, AbortSignal.timeout(gatherMs))
}

/** Told at once: a process of the fleet would wait for it to come back. */
async function expectRedis(redisUrl: string): Promise<void> {
  const redis = connectKernel(redisUrl)
  try {
    await createRedisKernel(redis, createUnits(redis, { patienceMs })).due(0, 0)
  } catch (error) {
    if (!(error instanceof BotError)) throw error
    const fix = 'Start the fleet with "npm start", or set REDIS_URL to a running Redis.'
    throw new BotError(error.code, `${error.message} ${fix}`, { cause: error })
  } finally {
    redis.disconnect()
  }
}

/** By its id, or by the part of it behind the channel where that is the only one. */
async function findOne({ redis }: Pick<Runtime, 'redis'>, name: string): Promise<ConversationId> {
  const whole = conversationId.safeParse(name)
  if (whole.success && (await lookAt(redis, whole.data))) return whole.data
  const found = await findConversations(redis, name)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const said = name.slice(0, 80)
  if (only !== undefined)
    throw new BotError('bad-input', `"${said}" may be any of ${found.join(', ')}. Name one of them.`)
  const there = await listConversations(redis, mostListed)
  const which = there.length === 0 ? 'Nobody has written to it yet.' : `Those last written in: ${there.join(', ')}.`
  throw new BotError('bad-input', `There is no conversation "${said}" in this fleet. ${which}`)
}

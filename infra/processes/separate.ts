// One kind of worker in a process of its own, against REDIS_URL or the embedded Redis of this folder's fleet.
import { loadSettings } from '#infra/config/settings.ts'
import { toAgreed } from '#infra/config/agreed-settings.ts'
import { loadConfigFile } from '#infra/config/file.ts'
import { createLog } from '#infra/log/log.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { readerWorkers, type ReaderWorker } from '#shared/feature/projection.ts'
import { BotError } from '#shared/errors.ts'
import { checkAgreement } from './agreement.ts'
import { describeRedis } from './describe-redis.ts'
import { holdLayout } from './held-locks.ts'
import { loadModel } from './model.ts'
import { findRedis } from '#infra/redis/fleet-file.ts'
import { startChannel } from './channel.ts'
import { openPlatform, platforms, type Platform } from './channels.ts'
import { runParts, type Start } from './lifecycle.ts'
import type { ExecutorTuning } from './executor.ts'
import type { OpenFeatures } from './open-features.ts'
import type { Part } from './part.ts'
import { warnOfServer } from './server-warnings.ts'
import { startLoopWatch } from './watch-loop.ts'
import { openRuntime, type Runtime, type RuntimeOptions } from './runtime.ts'
import { startSweeper } from './sweeper.ts'

export type Role = 'router' | 'executor' | ReaderWorker | 'web' | Platform['name']

/** `features`: besides the fleet's own. */
type Tuning = Pick<RuntimeOptions, 'wrapUnits'> & {
  readonly executor?: ExecutorTuning
  readonly features?: readonly Feature[]
}

export async function runSeparate(
  roles: readonly Role[],
  { executor, features = [], ...units }: Tuning = {},
): Promise<number> {
  const folder = process.cwd()
  const settings = loadSettings(process.env, folder)
  const { log } = createLog({ level: settings.logLevel, secrets: settings.secrets, base: { role: roles.join('+') } })
  const start = async ({ add, addAll, defer }: Start): Promise<readonly Part[]> => {
    const model = roles.some(thinks) ? await loadModel(settings, (text) => log.warn(text)) : undefined
    const routing = roles.includes('router') ? loadConfigFile(folder).routing : undefined
    const agreed = toAgreed(settings, { roles, model: model?.port, routing })
    const runtime = await openRuntime({
      ...units,
      told: { role: roles.join('+'), does: [...roles], settings: agreed },
      settings,
      redisUrl: await findRedis(settings),
      log,
    })
    defer(() => runtime.close())
    const parts: Part[] = [add(await holdLayout(runtime)), add(startSweeper(runtime))]
    await warnOfServer(runtime)
    await checkAgreement(runtime)
    const opened = model && (await import('./open-features.ts')).openFeatures(runtime, model, features)
    for (const role of roles)
      parts.push(...addAll(await startRole(role, runtime, { folder, executor, features: opened })))
    parts.push(add(startLoopWatch(runtime)))
    const { name, endpoint } = model?.port.describe() ?? {}
    log.info({ roles, redis: describeRedis(settings), ...(model && { model: `${name} at ${endpoint}` }) }, 'started')
    return parts
  }
  return await runParts(log, start, roles.every(isWorker) ? 'end' : 'go-on')
}

/** Whether it works with the model. */
const thinks = (role: Role): boolean => role === 'executor' || isReaderWorker(role)

/** Others take its work over within seconds; a channel has connections of people, and a bot may have one process alone. */
const isWorker = (role: Role): boolean => role === 'router' || thinks(role)

const isReaderWorker = (role: Role): role is ReaderWorker => readerWorkers.some((worker) => worker === role)

type Given = {
  readonly folder: string
  readonly executor: ExecutorTuning | undefined
  /** Of roles that think. */
  readonly features: OpenFeatures | undefined
}

async function startRole(
  role: Role,
  runtime: Runtime,
  { folder, executor, features }: Given,
): Promise<readonly Part[]> {
  if (role === 'router') return [(await import('./router.ts')).startRouter(runtime, folder)]
  if (role === 'executor' && features) {
    const { model, all } = features
    if (model.notice) runtime.log.warn(model.notice)
    // What `npm start` says in its own words.
    runtime.log.info((await import('./tool-room.ts')).toRoom(all, model), 'tools in each prompt')
    return [(await import('./executor.ts')).startExecutor(runtime, features, executor)]
  }
  if (isReaderWorker(role) && features)
    return [(await import('./readers.ts')).startReaders(runtime, features.all, role)]
  if (role === 'web') {
    const { channel, url, loginUrl, tokenFile } = await (await import('./web.ts')).openWeb(runtime)
    runtime.log.info({ url, tokenFile }, 'the page')
    if (loginUrl !== undefined) process.stdout.write(`${loginUrl}   (logs you in, once, within 10 minutes)\n`)
    return (await startChannel(runtime, channel)).ingress
  }
  const platform = platforms.find(({ name }) => name === role)
  const adapter = platform && (await openPlatform(runtime, platform))
  if (!adapter)
    throw new BotError('config', `The ${role} process needs ${platform?.needs}. Get one from ${platform?.from}.`)
  const { delivery, ingress } = await startChannel(runtime, adapter)
  return [...delivery, ...ingress]
}

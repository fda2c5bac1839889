// The whole fleet in one process on an embedded Redis: `npm start`.
import { randomInt } from 'node:crypto'
import type { WebChannel } from '#adapters/web/web-channel.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { loadSettings, type Settings } from '#infra/config/settings.ts'
import { toAgreed } from '#infra/config/agreed-settings.ts'
import { loadConfigFile } from '#infra/config/file.ts'
import { createLog, type Log } from '#infra/log/log.ts'
import { openRedis } from '#infra/redis/embedded-redis.ts'
import { lockFolder } from '#infra/redis/fleet-file.ts'
import { checkAgreement } from './agreement.ts'
import { toBanner } from './banner.ts'
import { startExecutor } from './executor.ts'
import { startChannel, type ChannelParts } from './channel.ts'
import { listConnected, openPlatform, platforms } from './channels.ts'
import { runParts, type Start } from './lifecycle.ts'
import { holdLayout } from './held-locks.ts'
import { readProcesses } from '#queues/fleet/process-key.ts'
import { loadModel } from './model.ts'
import type { Part } from './part.ts'
import { startRouter } from './router.ts'
import { openFeatures } from './open-features.ts'
import { toRoom } from './tool-room.ts'
import { startReflection } from './reflection.ts'
import { warnOfServer } from './server-warnings.ts'
import { openRuntime, type Runtime } from './runtime.ts'
import { startSweeper } from './sweeper.ts'
import { startLoopWatch } from './watch-loop.ts'
import { openWeb } from './web.ts'

export async function runAll(): Promise<number> {
  const settings = loadSettings(process.env, process.cwd())
  const { log, addSecret } = createLog({ level: settings.logLevel, secrets: settings.secrets })
  return await runParts(log, (start) => startAll({ ...start, settings, log, addSecret }), 'go-on')
}

type Deps = Start & { readonly settings: Settings; readonly log: Log; addSecret(value: string): void }

async function startAll({ settings, log, addSecret, signal, add, addAll, defer }: Deps): Promise<readonly Part[]> {
  const lock = lockFolder(settings)
  defer(() => lock.release())
  const { redisUrl, dataFolder } = settings
  const redis = await openRedis({ redisUrl, dataFolder, report: (line) => log.warn(line) }, signal)
  defer(() => redis.stop())
  lock.publish(redis.url)
  const model = await loadModel(settings, (text) => log.warn(text))
  const does = ['router', 'executor', 'reflection', 'web', ...listConnected(settings)]
  const { routing } = loadConfigFile(process.cwd())
  const agreed = toAgreed(settings, { roles: does, model: model.port, routing })
  const runtime = await openRuntime({
    told: { role: 'all', does, settings: agreed },
    settings,
    redisUrl: redis.url,
    log,
  })
  defer(() => runtime.close())
  defer(() => tellOfOthers(runtime))
  const layout = add(await holdLayout(runtime))
  await warnOfServer(runtime)
  await checkAgreement(runtime)
  const web = await openWeb(runtime)
  const channels: ChannelParts[] = []
  const begin = async (adapter: ChannelAdapter, server?: WebChannel): Promise<void> => {
    const parts = await startChannel(runtime, adapter, server)
    addAll([...parts.ingress, ...parts.delivery])
    channels.push(parts)
  }
  await begin(web.channel)
  const adapters = await Promise.all(platforms.map((platform) => openPlatform(runtime, platform)))
  for (const adapter of adapters) if (adapter) await begin(adapter, web.channel)
  const startCode = await runtime.access.code(newCode())
  if (startCode) addSecret(startCode)
  const features = openFeatures(runtime, model)
  const parts: Part[] = [
    layout,
    add(startSweeper(runtime)),
    ...channels.flatMap(({ delivery }) => delivery),
    add(startExecutor(runtime, features)),
    add(startReflection(runtime, features.all)),
    add(startRouter(runtime, process.cwd())),
    ...channels.flatMap(({ ingress }) => ingress),
    add(startLoopWatch(runtime)),
  ]
  const { url, loginUrl, tokenFile } = web
  const described = { model: model.port.describe(), notice: model.notice, room: toRoom(features.all, model) }
  process.stdout.write(toBanner({ settings, url, loginUrl, tokenFile, startCode, ...described }))
  return parts
}

/** With the embedded Redis the other processes of its folder lose theirs. */
async function tellOfOthers({ settings, redis, log }: Runtime): Promise<void> {
  if (settings.redisUrl !== undefined) return
  const { living } = await readProcesses(redis).catch(() => ({ living: [] }))
  const others = living.filter(({ pid }) => pid !== process.pid).map(({ role, pid }) => `${role} (pid ${pid})`)
  if (others.length > 0)
    log.warn(`Other processes of this folder wait until "npm start" runs here again: ${others.join(', ')}.`)
}

/** 12 letters and digits without look-alikes, 59 bits. */
function newCode(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  return Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

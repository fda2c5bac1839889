// The whole fleet in one process on an embedded Redis: `npm start`.
import { loadSettings, type Settings } from '#infra/config/settings.ts'
import { toAgreed } from '#infra/config/agreed-settings.ts'
import { loadConfigFile } from '#infra/config/file.ts'
import { createLog, type Log } from '#infra/log/log.ts'
import { readerWorkers } from '#shared/feature/projection.ts'
import { checkAgreement } from './agreement.ts'
import { toBanner } from './banner.ts'
import { startExecutor } from './executor.ts'
import { listConnected } from './channels.ts'
import { runParts, type Start } from './lifecycle.ts'
import { holdLayout } from './held-locks.ts'
import { loadModel } from './model.ts'
import type { Part } from './part.ts'
import { startRouter } from './router.ts'
import { openFeatures } from './open-features.ts'
import { toRoom } from './tool-room.ts'
import { startReading } from './reading-role.ts'
import { warnOfServer } from './server-warnings.ts'
import { openOwnRedis, tellOfOthers } from './own-redis.ts'
import { openRuntime } from './runtime.ts'
import { startChannels } from './start-channels.ts'
import { newCode } from './start-code.ts'
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
  const redisUrl = await openOwnRedis({ settings, log, signal, defer })
  const model = await loadModel(settings, (text) => log.warn(text))
  const does = ['router', 'executor', ...readerWorkers, 'web', ...listConnected(settings)]
  const { routing } = loadConfigFile(process.cwd())
  const agreed = toAgreed(settings, { roles: does, model: model.port, routing })
  const runtime = await openRuntime({
    told: { role: 'all', does, settings: agreed },
    settings,
    redisUrl,
    log,
  })
  defer(() => runtime.close())
  defer(() => tellOfOthers(runtime))
  const layout = add(await holdLayout(runtime))
  await warnOfServer(runtime, settings)
  await checkAgreement(runtime)
  const web = await openWeb(runtime)
  const channels = await startChannels(runtime, web.channel, addAll)
  const startCode = await runtime.access.code(newCode())
  if (startCode) addSecret(startCode)
  const features = openFeatures(runtime, model)
  const parts: Part[] = [
    layout,
    add(startSweeper(runtime)),
    ...channels.flatMap(({ delivery }) => delivery),
    add(startExecutor(runtime, features)),
    ...readerWorkers.flatMap((worker) => addAll(startReading(runtime, features.all, worker))),
    add(startRouter(runtime, process.cwd())),
    ...channels.flatMap(({ ingress }) => ingress),
    add(startLoopWatch(runtime)),
  ]
  const { url, loginUrl, tokenFile } = web
  const described = { model: model.port.describe(), notice: model.notice, room: toRoom(features.all, model) }
  process.stdout.write(toBanner({ settings, url, loginUrl, tokenFile, startCode, ...described }))
  return parts
}

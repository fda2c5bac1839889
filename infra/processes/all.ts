// The whole fleet in one process on an embedded Redis: `npm start`.
import { randomInt } from 'node:crypto'
import { loadSettings } from '#infra/config/settings.ts'
import { createLog } from '#infra/log.ts'
import { openRedis } from '#infra/redis/embedded-redis.ts'
import { lockFolder } from '#infra/redis/fleet-file.ts'
import { startExecutor } from './executor.ts'
import { runUntilSignal } from './lifecycle.ts'
import { loadModel } from './model.ts'
import type { Part } from './part.ts'
import { startRouter } from './router.ts'
import { openRuntime } from './runtime.ts'
import { startSweeper } from './sweeper.ts'

export async function runAll(): Promise<number> {
  const folder = process.cwd()
  const settings = loadSettings(process.env, folder)
  const { log, addSecret } = createLog({ level: settings.logLevel, secrets: settings.secrets })
  const lock = lockFolder(settings)
  const opening = new AbortController()
  const redis = await openRedis(
    { redisUrl: settings.redisUrl, dataFolder: settings.dataFolder, report: (line) => log.warn(line) },
    opening.signal,
  )
  lock.publish(redis.url)
  const runtime = await openRuntime({ settings, redisUrl: redis.url, log })
  const model = await loadModel(settings)
  const parts: Part[] = [startSweeper(runtime), startRouter(runtime, folder), startExecutor(runtime, model)]
  const code = await runtime.access.code(newCode())
  if (code) addSecret(code)
  process.stdout.write(banner({ settings, model: model.port.describe().name, code, notice: model.notice }))
  return await runUntilSignal(parts, log, async () => {
    await runtime.close()
    await redis.stop()
    lock.release()
  })
}

/** 12 letters and digits without look-alikes, 59 bits. */
function newCode(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  return Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

function banner(of: {
  settings: ReturnType<typeof loadSettings>
  model: string
  code: string | undefined
  notice: string | undefined
}): string {
  const lines = [
    '',
    '  Flotilla is running.',
    `  Model     ${of.model}`,
    ...(of.notice ? [`            ${of.notice}`] : []),
    `  Data      ${of.settings.dataFolder}`,
    ...(of.code ? [`  Owner     send  /start ${of.code}  to the bot to become its owner`] : []),
    '  Stop      Ctrl-C',
    '',
  ]
  return lines.join('\n') + '\n'
}

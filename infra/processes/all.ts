// The whole fleet in one process on an embedded Redis: `npm start`.
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { loadSettings, type Settings } from '#infra/config/settings.ts'
import { createLog } from '#infra/log.ts'
import { openRedis } from '#infra/redis/embedded-redis.ts'
import { lockFolder } from '#infra/redis/fleet-file.ts'
import { startExecutor } from './executor.ts'
import { startChannel } from './channel.ts'
import { openPlatform, platforms } from './channels.ts'
import { runUntilSignal } from './lifecycle.ts'
import { loadModel } from './model.ts'
import type { Part } from './part.ts'
import { startRouter } from './router.ts'
import { openRuntime } from './runtime.ts'
import { startSweeper } from './sweeper.ts'
import { openWeb } from './web.ts'

export async function runAll(): Promise<number> {
  const folder = process.cwd()
  const settings = loadSettings(process.env, folder)
  const { log, addSecret } = createLog({ level: settings.logLevel, secrets: settings.secrets })
  const lock = lockFolder(settings)
  const closing = new AsyncDisposableStack()
  closing.defer(() => lock.release())
  try {
    const redis = await openRedis(
      { redisUrl: settings.redisUrl, dataFolder: settings.dataFolder, report: (line) => log.warn(line) },
      new AbortController().signal,
    )
    closing.defer(() => redis.stop())
    lock.publish(redis.url)
    const runtime = await openRuntime({ settings, redisUrl: redis.url, log })
    closing.defer(() => runtime.close())
    const model = await loadModel(settings)
    const web = await openWeb(runtime)
    const channels = [await startChannel(runtime, web.channel)]
    closing.defer(async () => {
      // Has happened already, unless the start fails half way.
      for (const part of channels.flatMap(({ ingress, delivery }) => [...ingress, ...delivery])) await part.stop(0)
    })
    const adapters = await Promise.all(platforms.map((platform) => openPlatform(runtime, platform)))
    for (const adapter of adapters) if (adapter) channels.push(await startChannel(runtime, adapter, web.channel))
    const startCode = await runtime.access.code(newCode())
    if (startCode) addSecret(startCode)
    const parts: Part[] = [
      startSweeper(runtime),
      ...channels.flatMap(({ delivery }) => delivery),
      startExecutor(runtime, model),
      startRouter(runtime, folder),
      ...channels.flatMap(({ ingress }) => ingress),
    ]
    const code = runUntilSignal(parts, log, () => closing.disposeAsync())
    const { url, tokenFile } = web
    const described = { model: model.port.describe(), notice: model.notice }
    process.stdout.write(banner({ settings, url, tokenFile, startCode, ...described }))
    return await code
  } catch (error) {
    // A start that fails half way leaves nothing running.
    await closing.disposeAsync()
    throw error
  }
}

/** 12 letters and digits without look-alikes, 59 bits. */
function newCode(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  return Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

type Banner = {
  readonly settings: Settings
  readonly url: string
  readonly tokenFile: string
  readonly model: { readonly name: string; readonly endpoint: string; readonly offline: boolean }
  readonly startCode: string | undefined
  readonly notice: string | undefined
}

function banner(of: Banner): string {
  const { name, endpoint, offline } = of.model
  const connected = platforms.filter((one) => of.settings[one.name] !== undefined)
  const missing = platforms.filter((one) => !connected.includes(one)).map(({ needs }) => needs)
  const channels = ['web', 'console', ...connected.map((one) => one.name)]
  const rows: [string, string][] = [
    ['Web', `${of.url}   (token: ${path.relative(process.cwd(), of.tokenFile)})`],
    ['Terminal', 'npm run flotilla -- console'],
    ['Model', offline ? `${name} (set OPENAI_API_KEY for a real one)` : `${name} at ${endpoint}`],
    ...(of.notice ? [['', of.notice] satisfies [string, string]] : []),
    ['Channels', channels.join(', ') + (missing.length > 0 ? `   (set ${missing.join(' or ')} for more)` : '')],
    ['Data', of.settings.dataFolder],
    ...(of.startCode
      ? [['Owner', `send "/start ${of.startCode}" to the bot in a chat to become its owner`] satisfies [string, string]]
      : []),
    ['Stop', 'Ctrl-C'],
  ]
  return [
    '',
    '  Flotilla is running.',
    '',
    ...rows.map(([label, text]) => `  ${label.padEnd(10)}${text}`),
    '',
    '',
  ].join('\n')
}

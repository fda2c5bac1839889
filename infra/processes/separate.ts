// One kind of worker in a process of its own, against REDIS_URL or the embedded Redis of this folder's fleet.
import { loadSettings } from '#infra/config/settings.ts'
import { createLog } from '#infra/log.ts'
import { BotError } from '#shared/errors.ts'
import { loadModel } from './model.ts'
import { holdBot } from './held-bot.ts'
import { findRedis } from '#infra/redis/fleet-file.ts'
import { commandList } from './command-list.ts'
import { runUntilSignal } from './lifecycle.ts'
import type { Part } from './part.ts'
import { openRuntime, type Runtime, type RuntimeOptions } from './runtime.ts'
import { startSweeper } from './sweeper.ts'

export type Role = 'router' | 'executor' | 'telegram' | 'discord' | 'web'

export async function runSeparate(
  roles: readonly Role[],
  options: Pick<RuntimeOptions, 'wrapUnits'> = {},
): Promise<number> {
  const folder = process.cwd()
  const settings = loadSettings(process.env, folder)
  const { log } = createLog({ level: settings.logLevel, secrets: settings.secrets, base: { role: roles.join('+') } })
  const runtime = await openRuntime({ ...options, settings, redisUrl: await findRedis(settings), log })
  const parts: Part[] = [startSweeper(runtime)]
  try {
    for (const role of roles) parts.push(...(await startRole(role, runtime, folder)))
  } catch (error) {
    for (const part of parts.toReversed()) await part.stop(0)
    await runtime.close()
    throw error
  }
  log.info({ roles }, 'started')
  return await runUntilSignal(parts, log, () => runtime.close())
}

async function startRole(role: Role, runtime: Runtime, folder: string): Promise<readonly Part[]> {
  switch (role) {
    case 'router':
      return [(await import('./router.ts')).startRouter(runtime, folder)]
    case 'executor':
      return [(await import('./executor.ts')).startExecutor(runtime, await loadModel(runtime.settings))]
    case 'web':
      return [(await (await import('./web.ts')).startWeb(runtime)).part]
    case 'telegram': {
      const { telegram } = runtime.settings
      if (!telegram)
        throw new BotError('config', 'The telegram process needs TELEGRAM_BOT_TOKEN. Get one from @BotFather.')
      const bot = await holdBot(runtime, 'telegram', telegram.token)
      const { startTelegram } = await import('./telegram.ts')
      const { delivery, ingress } = await startTelegram(runtime, telegram, { commands: commandList() })
      return [bot, delivery, ...ingress]
    }
    case 'discord': {
      const { discord } = runtime.settings
      if (!discord)
        throw new BotError('config', 'The discord process needs DISCORD_BOT_TOKEN. Make a bot in the developer portal.')
      const bot = await holdBot(runtime, 'discord', discord.token)
      const { delivery, ingress } = (await import('./discord.ts')).startDiscord(runtime, discord, {
        commands: commandList(),
      })
      return [bot, delivery, ...ingress]
    }
    default:
      return role satisfies never
  }
}

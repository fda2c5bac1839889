// The commands behind Telegram's menu button: written only when they differ, since every start of every process would write them.
import type { CommandInfo } from '#shared/feature/feature.ts'
import { commandList, done } from './responses.ts'
import type { BotApi } from './bot-api.ts'

const timeoutMs = 5000

/** English is the default list, Chinese the one for Chinese clients. A failure is left for the next start. */
export async function keepCommands(bot: BotApi, commands: readonly CommandInfo[], signal: AbortSignal): Promise<void> {
  for (const language of ['en', 'zh'] as const) {
    const wanted = commands.map(({ name, help }) => ({
      command: name,
      description: help[language].slice(0, 256),
    }))
    const scope = language === 'en' ? {} : { language_code: language }
    const limit = { timeoutMs, signal }
    const known = await bot.call(commandList, (api, stop) => api.getMyCommands(scope, stop), limit)
    if (known.kind !== 'ok' || isSame(known.value, wanted)) continue
    await bot.call(done, (api, stop) => api.setMyCommands(wanted, scope, stop), limit)
  }
}

type Listed = readonly { readonly command: string; readonly description: string }[]

function isSame(a: Listed, b: Listed): boolean {
  return (
    a.length === b.length && a.every((one, i) => one.command === b[i]?.command && one.description === b[i]?.description)
  )
}

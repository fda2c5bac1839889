// The platforms, one line of wiring each: what its settings lack when it is off, and how its adapter is made. Loaded only when used.
import type { Channel, ReplyMode } from '#shared/chat/conversation.ts'
import type { CallUnit } from '#queues/units.ts'
import type { Liveness } from '#queues/fleet/liveness.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import type { CommandInfo } from '#shared/feature/feature.ts'
import type { Settings } from '#infra/config/settings.ts'
import { onceAMinute } from './part.ts'
import type { Runtime } from './runtime.ts'

type Deps = {
  readonly chats: ChatBook
  readonly call: CallUnit
  readonly liveness: Liveness
  readonly commands: readonly CommandInfo[]
  readonly noteHearing: (hearsAll: boolean) => void
  findMode(chat: string): Promise<ReplyMode>
  readonly say: (text: string) => void
  readonly count: (reason: string) => void
  readonly now: () => number
}
type Wiring = {
  readonly name: Channel
  /** The variable without which it is off, and where its value comes from. */
  readonly needs: string
  readonly from: string
  open(settings: Settings, deps: Deps): Promise<ChannelAdapter | undefined>
}

/** In the order in which they are named to people. */
export const platforms = [
  {
    name: 'telegram',
    needs: 'TELEGRAM_BOT_TOKEN',
    from: '@BotFather',
    open: async ({ telegram }, deps) =>
      telegram && (await import('#adapters/telegram/telegram-channel.ts')).createTelegramChannel(telegram, deps),
  },
  {
    name: 'discord',
    needs: 'DISCORD_BOT_TOKEN',
    from: 'the developer portal',
    open: async ({ discord }, deps) =>
      discord && (await import('#adapters/discord/discord-channel.ts')).createDiscordChannel(discord, deps),
  },
  {
    name: 'feishu',
    needs: 'FEISHU_APP_ID',
    from: 'the developer console of Feishu',
    open: async ({ feishu }, deps) =>
      feishu && (await import('#adapters/feishu/feishu-channel.ts')).createFeishuChannel(feishu, deps),
  },
] as const satisfies readonly Wiring[]

export type Platform = (typeof platforms)[number]

/** Those for which the settings have a token. */
export const listConnected = (settings: Settings): Platform['name'][] =>
  platforms.map(({ name }) => name).filter((name) => settings[name] !== undefined)

/** Undefined when the settings leave the platform out. Throws BotError `config` when they contradict each other. */
export async function openPlatform(runtime: Runtime, platform: Platform): Promise<ChannelAdapter | undefined> {
  const { log, settings, chats, call, liveness, access } = runtime
  const trouble = onceAMinute((text) => log.warn(text))
  return await platform.open(settings, {
    chats,
    call,
    liveness,
    // What is not noted now is noted a little later.
    noteHearing: (hearsAll) => {
      runtime.hearing.note(platform.name, hearsAll).catch(() => {})
    },
    commands: (await import('./features.ts')).listCommands(),
    findMode: async (chat) => (await access.find('', chat)).mode,
    say: (text) => trouble(text),
    count: (reason) => log.debug({ reason }, 'ignored'),
    now: runtime.clock.now,
  })
}

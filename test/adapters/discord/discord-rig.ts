// What the tests of the Discord channel share: the strict simulator, the real kernel on a private Redis, and the channel between them.
import {
  createDiscordChannel,
  type DiscordChannelDeps,
  type DiscordChannelSettings,
} from '#adapters/discord/discord-channel.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { openChannelRig, until, type ChannelRig, type ChannelRigOptions } from '#test/rig/channel-rig.ts'
import type { PrivateRedis } from '#test/rig/redis.ts'
import {
  startDiscordSimulator,
  type DiscordSimulator,
  type DiscordSimulatorOptions,
} from '#test/simulators/discord/simulator.ts'
import type { MadeGuild } from '#test/simulators/discord/places.ts'

export type RigOptions = ChannelRigOptions & {
  readonly simulator?: DiscordSimulatorOptions
  readonly channel?: Partial<DiscordChannelSettings>
  readonly commands?: DiscordChannelDeps['commands']
}

export type DiscordRig = AsyncDisposable &
  Omit<ChannelRig, 'run' | 'deliver'> & {
    readonly discord: DiscordSimulator
    readonly guild: MadeGuild
    readonly channel: ChannelAdapter
    run(channel?: ChannelAdapter): () => Promise<void>
    /** As `run`, and waits until the session is stored. */
    start(): Promise<() => Promise<void>>
    /** Another process of the same channel. */
    another(settings?: Partial<DiscordChannelSettings>): ChannelAdapter
    /** Runs the delivery worker once. */
    deliver(conversation: ConversationId, signal?: AbortSignal): Promise<void>
  }

/** Empties the Redis first: one rig at a time. */
export async function openDiscordRig(server: PrivateRedis, options: RigOptions = {}): Promise<DiscordRig> {
  const discord = await startDiscordSimulator(options.simulator)
  const guild = discord.addGuild({ name: 'Room', channels: ['general', 'random'] })
  const rig = await openChannelRig(server, { leaveOut: 'join', ...options })
  const open = (settings: Partial<DiscordChannelSettings> = {}): ChannelAdapter =>
    createDiscordChannel(
      {
        token: discord.token,
        apiRoot: discord.apiRoot,
        sendTimeoutMs: 2000,
        backOff: { firstMs: 20, maxMs: 100 },
        leastWaitMs: 50,
        identifyEveryMs: 100,
        ...options.channel,
        ...settings,
      },
      { ...rig.deps, commands: options.commands },
    )
  const channel = open()
  return {
    ...rig,
    discord,
    guild,
    channel,
    another: open,
    run: (which = channel) => rig.run(which),
    async start() {
      const stop = rig.run(channel)
      await discord.ledger.waitForGateway(({ kind }) => kind === 'identify' || kind === 'resume')
      const key = `fl:{gateway-discord-${discord.bot.id}-0}`
      await until(async () => ((await server.admin.exists(key)) === 1 ? true : undefined))
      return stop
    },
    deliver: (conversation, signal) => rig.deliver(channel, conversation, signal ? { signal } : {}),
    async [Symbol.asyncDispose]() {
      await rig.close()
      await discord.close()
    },
  }
}

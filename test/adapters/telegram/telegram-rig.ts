// What the tests of the Telegram channel share: the strict simulator, the real kernel on a private Redis, and the channel between them.
import type { TelegramChannelSettings } from '#adapters/telegram/telegram-channel.ts'
import { createTelegramChannel } from '#adapters/telegram/telegram-channel.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { openChannelRig, type ChannelRig, type ChannelRigOptions, type Delivering } from '#test/rig/channel-rig.ts'
import type { PrivateRedis } from '#test/rig/redis.ts'
import { startTelegramSimulator, type TelegramSimulator } from '#test/simulators/telegram/simulator.ts'
import type { TelegramSimulatorOptions } from '#test/simulators/telegram/simulator.ts'

export type RigOptions = ChannelRigOptions & {
  readonly simulator?: TelegramSimulatorOptions
  readonly channel?: Partial<TelegramChannelSettings>
  readonly commands?: Parameters<typeof createTelegramChannel>[1]['commands']
}

export type TelegramRig = AsyncDisposable &
  Omit<ChannelRig, 'run' | 'deliver'> & {
    readonly telegram: TelegramSimulator
    readonly channel: ChannelAdapter
    run(channel?: ChannelAdapter): () => Promise<void>
    /** Another process of the same channel. */
    another(settings?: Partial<TelegramChannelSettings>): ChannelAdapter
    /** Runs the delivery worker once. */
    deliver(conversation: ConversationId, how?: Delivering): Promise<void>
  }

/** Empties the Redis first: one rig at a time. */
export async function openTelegramRig(server: PrivateRedis, options: RigOptions = {}): Promise<TelegramRig> {
  const telegram = await startTelegramSimulator(options.simulator)
  const rig = await openChannelRig(server, options)
  const open = (settings: Partial<TelegramChannelSettings> = {}): ChannelAdapter =>
    createTelegramChannel(
      {
        token: telegram.token,
        apiRoot: telegram.apiRoot,
        rates: { botPerS: 10_000, chatPerS: 10_000, groupPerMinute: 10_000 },
        pollS: 1,
        sendTimeoutMs: 2000,
        backOff: { firstMs: 20, maxMs: 100 },
        leastWaitMs: 50,
        ...options.channel,
        ...settings,
      },
      { ...rig.deps, commands: options.commands },
    )
  const channel = open()
  return {
    ...rig,
    telegram,
    channel,
    another: open,
    run: (which = channel) => rig.run(which),
    deliver: (conversation, how) => rig.deliver(channel, conversation, how),
    async [Symbol.asyncDispose]() {
      await rig.close()
      await telegram.close()
    },
  }
}

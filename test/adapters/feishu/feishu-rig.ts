// What the tests of the Feishu channel share: the strict simulator, the real kernel on a private Redis, and the channel between them.
import type { FeishuChannelDeps, FeishuChannelSettings } from '#adapters/feishu/channel-settings.ts'
import { createFeishuChannel } from '#adapters/feishu/feishu-channel.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { openChannelRig, type ChannelRig, type ChannelRigOptions } from '#test/rig/channel-rig.ts'
import type { PrivateRedis } from '#test/rig/redis.ts'
import {
  startFeishuSimulator,
  type FeishuSimulator,
  type FeishuSimulatorOptions,
} from '#test/simulators/feishu/simulator.ts'

export type RigOptions = ChannelRigOptions & {
  readonly simulator?: FeishuSimulatorOptions
  readonly channel?: Partial<FeishuChannelSettings>
  readonly commands?: FeishuChannelDeps['commands']
  /** When the bot answers in a group; `mention` when left out. */
  readonly findMode?: FeishuChannelDeps['findMode']
}

export type FeishuRig = AsyncDisposable &
  Omit<ChannelRig, 'run' | 'deliver'> & {
    readonly feishu: FeishuSimulator
    readonly channel: ChannelAdapter
    run(channel?: ChannelAdapter): () => Promise<void>
    /** As `run`, and waits until there is a connection. */
    start(): Promise<() => Promise<void>>
    /** Another process of the same channel. */
    another(settings?: Partial<FeishuChannelSettings>, deps?: Partial<FeishuChannelDeps>): ChannelAdapter
    /** Runs the delivery worker once. */
    deliver(conversation: ConversationId, signal?: AbortSignal): Promise<void>
    /** The direct chat's conversation. */
    direct(name: string): ConversationId
  }

/** Empties the Redis first: one rig at a time. */
export async function openFeishuRig(server: PrivateRedis, options: RigOptions = {}): Promise<FeishuRig> {
  const feishu = await startFeishuSimulator({ redeliverMs: [300, 600, 1200, 2400], ...options.simulator })
  const rig = await openChannelRig(server, { leaveOut: 'join', ...options })
  const open = (settings: Partial<FeishuChannelSettings> = {}, deps: Partial<FeishuChannelDeps> = {}): ChannelAdapter =>
    createFeishuChannel(
      {
        appId: feishu.appId,
        appSecret: feishu.appSecret,
        domain: feishu.apiRoot,
        cardUpdates: 6,
        monthlyCalls: 10_000,
        sendTimeoutMs: 2000,
        backOff: { firstMs: 20, maxMs: 100 },
        leastWaitMs: 50,
        ...options.channel,
        ...settings,
      },
      { ...rig.deps, commands: options.commands, findMode: options.findMode ?? rig.deps.findMode, ...deps },
    )
  const channel = open()
  return {
    ...rig,
    feishu,
    channel,
    another: open,
    run: (which = channel) => rig.run(which),
    async start() {
      const stop = rig.run(channel)
      // The SDK listens a moment after the connection is open, and pings first.
      await feishu.ledger.waitForConnection(({ kind }) => kind === 'ping')
      return stop
    },
    deliver: (conversation, signal) => rig.deliver(channel, conversation, signal ? { signal } : {}),
    direct: (name) => `feishu:${feishu.person(name).openId}`,
    async [Symbol.asyncDispose]() {
      await rig.close()
      await feishu.close()
    },
  }
}

// A person's direct chat with the bot on the simulated Feishu, through the SDK's client and its long connection.
import { createFeishuChannel } from '#adapters/feishu/feishu-channel.ts'
import { pressTexts } from '#adapters/press/texts.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { toTold, type Fleet, type Platform } from './channel-world.ts'

export async function openFeishu(fleet: Fleet): Promise<Platform> {
  const platform = await startFeishu({ redeliverMs: [100, 200, 400, 800, 1600, 3200, 6400] })
  const { feishu } = platform
  const open = (): ChannelAdapter =>
    createFeishuChannel(
      {
        appId: feishu.appId,
        appSecret: feishu.appSecret,
        domain: feishu.apiRoot,
        cardUpdates: 6,
        monthlyCalls: 0,
        sendTimeoutMs: 500,
        backOff: { firstMs: 20, maxMs: 100 },
        leastWaitMs: 50,
      },
      fleet.deps,
    )
  return {
    adapter: open(),
    another: async () => open(),
    chat: platform.direct('Ada'),
    who: 'Ada',
    person: platform.principal('Ada'),
    toTold: (notice) => toTold(notice, pressTexts.won.en),
    openThread: () => platform.group({ by: 'Ada', hasThreads: true }).openThread('Ada', 'Plans'),
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  }
}

// A person's private chat with the bot on the simulated Telegram, through grammY.
import { createTelegramChannel } from '#adapters/telegram/telegram-channel.ts'
import { pressTexts } from '#adapters/press/texts.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { toTold, type Fleet, type Platform } from './channel-world.ts'

export async function openTelegram(fleet: Fleet): Promise<Platform> {
  const platform = await startTelegram({ canReadAllGroupMessages: false })
  const open = (): ChannelAdapter =>
    createTelegramChannel(
      {
        token: platform.telegram.token,
        apiRoot: platform.telegram.apiRoot,
        rates: { botPerS: 10_000, chatPerS: 10_000, groupPerMinute: 10_000 },
        pollS: 1,
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

// A person's direct channel with the bot on the simulated Discord, through @discordjs/ws and @discordjs/rest.
import { createDiscordChannel } from '#adapters/discord/discord-channel.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import type { Chat } from '#test/rig/chats/chat.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { toTold, until, type Fleet, type Platform } from './channel-world.ts'

export async function openDiscord(fleet: Fleet): Promise<Platform> {
  const platform = await startDiscord()
  const { discord } = platform
  const open = (): ChannelAdapter =>
    createDiscordChannel(
      {
        token: discord.token,
        apiRoot: discord.apiRoot,
        sendTimeoutMs: 500,
        backOff: { firstMs: 20, maxMs: 100 },
        leastWaitMs: 50,
        identifyEveryMs: 100,
      },
      fleet.deps,
    )
  let isFirst = true
  /** Discord brings nothing from before a session began, and another process goes on with it once it is kept. */
  const once = (chat: Chat): Chat => ({
    ...chat,
    async say(who, text) {
      if (isFirst)
        await until('a session that can be resumed', async () => {
          const keys = await fleet.redis.exists(`fl:{gateway-discord-${discord.bot.id}-0}`)
          return keys === 1 ? true : undefined
        })
      isFirst = false
      return await chat.say(who, text)
    },
  })
  const { channel } = discord.addGuild({ name: 'Room', channels: ['general'] })
  return {
    adapter: open(),
    another: async () => open(),
    chat: once(platform.direct('Ada')),
    who: 'Ada',
    person: platform.principal('Ada'),
    // The winner's answer changes the card and says nothing.
    toTold: (notice) => toTold(notice, ''),
    openThread: () => once(platform.channel(channel).openThread('Ada', 'Plans')),
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  }
}

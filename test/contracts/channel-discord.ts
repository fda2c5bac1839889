// A person's direct channel with the bot on the simulated Discord, through @discordjs/ws and @discordjs/rest.
import { createDiscordChannel } from '#adapters/discord/discord-channel.ts'
import { pressTexts } from '#adapters/press/texts.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { startDiscordSimulator } from '#test/simulators/discord/simulator.ts'
import { until, type Fleet, type Platform, type Shown, type Told } from './channel-world.ts'

export async function openDiscord(fleet: Fleet): Promise<Platform> {
  const discord = await startDiscordSimulator()
  const guild = discord.addGuild({ name: 'Room', channels: ['general'] })
  const ada = discord.person('Ada')
  const open = (): ChannelAdapter =>
    createDiscordChannel(
      {
        token: discord.token,
        apiRoot: discord.apiRoot,
        leaseMs: 400,
        sendTimeoutMs: 500,
        backOff: { firstMs: 20, maxMs: 100 },
        leastWaitMs: 50,
        identifyEveryMs: 100,
      },
      { chats: fleet.chats, call: fleet.call, say: () => {}, count: () => {}, now: Date.now },
    )
  /** Discord brings nothing from before a session began. */
  const connected = (): Promise<true> =>
    until('a session that can be resumed', async () => {
      const keys = await fleet.redis.exists(`fl:{gateway-discord-${discord.bot.id}-0}`)
      return keys === 1 ? true : undefined
    })
  let isFirst = true
  let lastSaid = ''
  const buttons = new Map<string, { readonly message: string; readonly data: string }>()
  const look = (channel: string): Shown[] => {
    const mine = discord.visible(channel).filter((one) => one.from === 'bot')
    for (const one of mine)
      for (const { label, customId = '' } of one.buttons.flat()) buttons.set(label, { message: one.id, data: customId })
    return mine.map((one) => ({
      text: one.text.replaceAll(/\\([^\w\s])/g, '$1'),
      buttons: one.buttons.flat().map(({ label }) => label),
      pings: [...one.pings.users, ...one.pings.roles, ...(one.pings.everyone ? ['everyone'] : [])],
      previews: one.previews.length > 0,
      ...(one.files[0] === undefined ? {} : { file: { name: one.files[0], text: one.fileTexts[0] ?? '' } }),
    }))
  }
  const press = async (message: string, data: string): Promise<Told> => {
    const id = ada.press(ada.dm, message, data, { isForged: true })
    await discord.until(() => (discord.interaction(id).state === 'answered' ? true : undefined))
    return toTold(discord.interaction(id).answers.find(({ isEphemeral }) => isEphemeral)?.text)
  }
  const says = async (channel: string, text: string): Promise<string> => {
    if (isFirst) await connected()
    isFirst = false
    lastSaid = ada.say(channel, text)
    return lastSaid
  }
  return {
    adapter: open(),
    another: async () => open(),
    conversation: `discord:${ada.dm}`,
    person: `discord:${ada.id}`,
    says: (text) => says(ada.dm, text),
    async repeats() {
      discord.repeat('MESSAGE_CREATE')
    },
    async presses(label) {
      const button = buttons.get(label)
      if (!button) throw new Error(`No button ${label} was seen.`)
      return await press(button.message, button.data)
    },
    forges: (data) => press(discord.visible(ada.dm).findLast((one) => one.from === 'bot')?.id ?? '', data),
    shown: async () => look(ada.dm),
    growing: async () => look(ada.dm).at(-1)?.text,
    reaction: () => Object.keys(discord.visible(ada.dm).find(({ id }) => id === lastSaid)?.reactions ?? {})[0],
    loseNextAnswer: () =>
      discord.fault({ when: { route: 'createMessage' }, times: 1, fault: { kind: 'no-answer', accepted: true } }),
    async openThread() {
      const thread = ada.openThread(guild.channel, 'Plans')
      return {
        conversation: `discord:${guild.channel}:${thread}`,
        says: (text) => says(thread, `<@${discord.bot.id}> ${text}`),
        shown: async () => look(thread),
      }
    },
    [Symbol.asyncDispose]: () => discord.close(),
  }
}

/** The winner's answer changes the card and says nothing. */
function toTold(notice: string | undefined): Told {
  if (notice === undefined) return 'won'
  if (notice === pressTexts.unknown.en) return 'unknown'
  if (notice.startsWith(pressTexts.already.en) || notice.startsWith(pressTexts.mine.en)) return 'already'
  throw new Error(`The presser was told "${notice}".`)
}

// Keeps the Discord simulator honest: an SDK other than the project's logs in, receives, sends, edits, takes a press and meets a 429.
import {
  ApplicationCommandTypes,
  ButtonStyles,
  Client,
  ComponentTypes,
  type CommandInteraction,
  type ComponentInteraction,
  type Message,
} from 'oceanic.js'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startDiscordSimulator, type DiscordSimulator } from '#test/simulators/discord/simulator.ts'

/** Resolves with what the client's next event of this name carries. */
function next(client: Client, name: 'ready' | 'interactionCreate'): Promise<readonly unknown[]> {
  const heard = Promise.withResolvers<readonly unknown[]>()
  client.once(name, (...given: readonly unknown[]) => heard.resolve(given))
  return heard.promise
}

async function login(discord: DiscordSimulator): Promise<AsyncDisposable & { readonly client: Client }> {
  const client = new Client({
    auth: `Bot ${discord.token}`,
    rest: { baseURL: `${discord.apiRoot}/v10` },
    gateway: { intents: ['GUILDS', 'GUILD_MESSAGES', 'MESSAGE_CONTENT', 'DIRECT_MESSAGES'], autoReconnect: false },
  })
  client.on('error', () => undefined)
  const ready = next(client, 'ready')
  await client.connect()
  await ready
  return { client, [Symbol.asyncDispose]: async () => client.disconnect(false) }
}

test('logs in, receives, replies with a button, takes the press and edits', async () => {
  await using discord = await startClosable()
  const guild = discord.simulator.addGuild()
  await using bot = await login(discord.simulator)
  const { client } = bot
  expect(client.user.username).toBe('flotilla_test_bot')
  client.on('messageCreate', (message: Message) => {
    if (message.author.bot) return
    const button = { type: ComponentTypes.BUTTON, style: ButtonStyles.PRIMARY, label: 'Go', customID: 'go' } as const
    void client.rest.channels.createMessage(message.channelID, {
      content: `you said ${message.content}`,
      messageReference: { messageID: message.id },
      components: [{ type: ComponentTypes.ACTION_ROW, components: [button] }],
    })
  })
  const ann = discord.simulator.person('Ann')
  const question = ann.say(guild.channel, 'hello')
  const answer = await discord.simulator.until(() => discord.simulator.visible(guild.channel)[1])
  expect(answer).toMatchObject({ from: 'bot', text: 'you said hello', replyTo: question, buttons: [[{ label: 'Go' }]] })
  const pressed = next(client, 'interactionCreate')
  const press = ann.press(guild.channel, answer.id, 'Go')
  const [interaction] = z.tuple([z.custom<ComponentInteraction>()]).parse(await pressed)
  expect([interaction.data.customID, interaction.user.id]).toEqual(['go', ann.id])
  await interaction.editParent({ content: 'pressed', components: [] })
  expect(discord.simulator.interaction(press)).toMatchObject({ state: 'answered', type: 7 })
  await client.rest.channels.editMessage(guild.channel, answer.id, { content: 'edited' })
  expect(discord.simulator.visible(guild.channel)[1]).toMatchObject({ text: 'edited', edits: 2, buttons: [] })
})

test('registers a command and answers it after deferring', async () => {
  await using discord = await startClosable()
  await using bot = await login(discord.simulator)
  const description = 'Asks'
  await bot.client.application.bulkEditGlobalCommands([
    { type: ApplicationCommandTypes.CHAT_INPUT, name: 'ask', description },
  ])
  const called = next(bot.client, 'interactionCreate')
  const ann = discord.simulator.person('Ann')
  const id = ann.slash(ann.dm, 'ask')
  const [interaction] = z.tuple([z.custom<CommandInteraction>()]).parse(await called)
  await interaction.defer()
  await interaction.editOriginal({ content: 'done' })
  expect(discord.simulator.interaction(id).answers).toMatchObject([{ text: 'done', isLoading: false }])
})

test('meets a 429 and comes again after the wait, not before', async () => {
  await using discord = await startClosable()
  const guild = discord.simulator.addGuild()
  await using bot = await login(discord.simulator)
  discord.simulator.fault({ times: 1, fault: { kind: 'rate-limit', retryAfterS: 0.3 } })
  await bot.client.rest.channels.createMessage(guild.channel, { content: 'late' })
  const { ledger } = discord.simulator
  const [first, second] = ledger.of('createMessage')
  expect([first?.status, second?.status]).toEqual([429, 200])
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(290)
  expect(ledger.duringWait()).toEqual([])
  expect(discord.simulator.visible(guild.channel)).toMatchObject([{ text: 'late' }])
})

async function startClosable(): Promise<AsyncDisposable & { readonly simulator: DiscordSimulator }> {
  const simulator = await startDiscordSimulator()
  return { simulator, [Symbol.asyncDispose]: () => simulator.close() }
}

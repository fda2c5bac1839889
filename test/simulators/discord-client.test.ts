// The Discord simulator seen through the whole discord.js client.
import { once } from 'node:events'
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  Events,
  GatewayIntentBits,
  MessageFlags,
  Partials,
  type ButtonInteraction,
  type Message,
} from 'discord.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { MadeGuild } from '#test/simulators/discord/places.ts'
import { startDiscordSimulator, type DiscordSimulator } from '#test/simulators/discord/simulator.ts'

let discord: DiscordSimulator
let guild: MadeGuild
let client: Client<true>

beforeEach(async () => {
  discord = await startDiscordSimulator()
  guild = discord.addGuild({ name: 'Home', members: ['Ann', 'Bob'] })
  const { Guilds, GuildMessages, MessageContent, DirectMessages } = GatewayIntentBits
  const made = new Client({
    intents: [Guilds, GuildMessages, MessageContent, DirectMessages],
    partials: [Partials.Channel],
    rest: { api: discord.apiRoot },
  })
  const ready = once(made, Events.ClientReady)
  await made.login(discord.token)
  client = z.tuple([z.custom<Client<true>>()]).parse(await ready)[0]
})

afterEach(async () => {
  await client.destroy()
  await discord.close()
})

async function nextMessage(act: () => unknown): Promise<Message> {
  const came = once(client, Events.MessageCreate)
  act()
  return z.tuple([z.custom<Message>()]).parse(await came)[0]
}

test('knows guild, channel and members, and replies to a person', async () => {
  expect(client.guilds.cache.get(guild.id)?.memberCount).toBe(4)
  const message = await nextMessage(() => discord.person('Ann').say(guild.channel, 'hello'))
  expect([message.content, message.member?.displayName, message.guild?.name]).toEqual(['hello', 'Ann', 'Home'])
  await message.reply({ content: 'hi', allowedMentions: { parse: [] } })
  expect(discord.visible(guild.channel)).toMatchObject([{ name: 'Ann' }, { text: 'hi', replyTo: message.id }])
})

test('talks in direct channels and threads', async () => {
  const ann = discord.person('Ann')
  const direct = await nextMessage(() => ann.say(ann.dm, 'psst'))
  expect([direct.inGuild(), direct.content]).toEqual([false, 'psst'])
  if (direct.channel.isSendable()) await direct.channel.send('yes?')
  expect(discord.visible(ann.dm)).toMatchObject([{ text: 'psst' }, { text: 'yes?', from: 'bot' }])
  const question = await nextMessage(() => ann.say(guild.channel, 'a topic'))
  const thread = await question.startThread({ name: 'topic' })
  await thread.send('inside')
  expect(thread.id).toBe(question.id)
  expect(discord.visible(thread.id)).toMatchObject([{ text: 'inside' }])
})

test('answers the presser alone, then updates the message for everybody', async () => {
  const channel = await client.channels.fetch(guild.channel)
  if (channel?.isSendable() !== true) throw new Error('The channel is not there')
  const button = new ButtonBuilder().setCustomId('go').setLabel('Go').setStyle(ButtonStyle.Primary)
  const components = [new ActionRowBuilder<ButtonBuilder>().addComponents(button)]
  const asked = await channel.send({ content: 'ask', components })
  const pressed = async (name: string): Promise<ButtonInteraction> => {
    const came = once(client, Events.InteractionCreate)
    discord.person(name).press(guild.channel, asked.id, 'go')
    return z.tuple([z.custom<ButtonInteraction>()]).parse(await came)[0]
  }
  const bobs = await pressed('Bob')
  await bobs.reply({ content: 'not yours', flags: MessageFlags.Ephemeral })
  expect(discord.visible(guild.channel, 'Bob')).toMatchObject([{}, { text: 'not yours', isEphemeral: true }])
  const anns = await pressed('Ann')
  await anns.deferUpdate()
  await anns.editReply({ content: 'done', components: [] })
  expect(discord.visible(guild.channel)).toMatchObject([{ text: 'done', buttons: [] }])
  await expect(anns.update('again')).rejects.toThrow()
})

test('sees other bots and webhooks as such', async () => {
  const fromBot = await nextMessage(() => discord.person('Other', { isBot: true }).say(guild.channel, 'beep'))
  expect(fromBot.author.bot).toBe(true)
  const hook = { channel: guild.channel, name: 'News', text: 'news' }
  const fromHook = await nextMessage(() => discord.sayAsWebhook(hook))
  expect([fromHook.webhookId === null, fromHook.author.username]).toEqual([false, 'News'])
})

test('sends files and reads the history', async () => {
  const channel = await client.channels.fetch(guild.channel)
  if (channel?.isSendable() !== true) throw new Error('The channel is not there')
  const sent = await channel.send({ files: [{ attachment: Buffer.from('text'), name: 'a.txt' }] })
  expect(sent.attachments.first()).toMatchObject({ name: 'a.txt', size: 4 })
  discord.person('Ann').say(guild.channel, 'later')
  const after = await channel.messages.fetch({ after: sent.id })
  expect(after.map((one) => one.content)).toEqual(['later'])
})

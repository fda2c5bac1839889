// Who may talk on Discord, with a whole fleet: a server is admitted as one, by an owner who says so or who added the bot.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord, type DiscordPlatform } from '#test/rig/chats/discord-chat.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'

let platform: DiscordPlatform
let fleet: Fleet
beforeAll(async () => {
  platform = await startDiscord()
  fleet = await startChatFleet([platform], { owner: 'Olga' })
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
  await platform[Symbol.asyncDispose]()
})

const notices = (chat: SimulatedChat): number => chat.said().filter(({ text }) => text.includes('/allow here')).length
const isAdmitted = (chat: SimulatedChat): Promise<unknown> => chat.hear('This server is let in')
const isAnswered = async (chat: SimulatedChat, who: string, text: string): Promise<void> =>
  expect((await chat.answerTo(who, text)).text).toContain('echo')

/** Two channels of a server. */
function openServer(): readonly [general: SimulatedChat, random: SimulatedChat] {
  const { channels } = platform.discord.addGuild({ channels: ['general', 'random'] })
  const { general = '', random = '' } = channels
  return [platform.channel(general), platform.channel(random)]
}

test('what an owner admits is the server: its other channels and threads, and no other server', async () => {
  const [general, random] = openServer()
  const elsewhere = platform.group({ by: 'Mallory' })
  await until(() => notices(general) === 1 && notices(elsewhere) === 1)
  random.ask('Bo', 'may I ask why?')
  await until(() => notices(random) === 1)
  general.ask('Olga', '/allow here')
  await isAdmitted(general)
  await isAnswered(random, 'Bo', 'and now, why?')
  const thread = general.openThread('Bo', 'Plans')
  await isAnswered(thread, 'Bo', 'what about threads?')
  const late = platform.group({ by: 'Mallory' })
  late.ask('Bo', 'and here, why?')
  await until(() => notices(late) === 1)
  expect(notices(thread)).toBe(0)
  expect(elsewhere.said()).toHaveLength(1)
})

test('a slash command and a press count for the server too', async () => {
  const [general, random] = openServer()
  general.command('Olga', 'allow', 'here')
  await isAdmitted(general)
  random.command('Bo', 'config')
  const card = await random.until(() => random.said().findLast(({ buttons }) => buttons.length > 0))
  random.press('Bo', card.id, 'Default depth')
  await random.when(card.id, ({ text }) => text === 'Default depth: automatic')
  expect(notices(random)).toBe(0)
})

test('an owner who adds the bot admits the server, where the bot may see who added it', async () => {
  const { discord } = platform
  const [admitted, refused] = ['Olga', 'Mallory'].map((by) => {
    const { id, channel } = discord.addGuild({ hasBot: false })
    discord.deny({ guild: id, permissions: [] })
    discord.inviteBot(id, { by })
    return platform.channel(channel)
  })
  if (!admitted || !refused) throw new Error('There are no two servers.')
  await until(() => admitted.said().length === 1 && refused.said().length === 1)
  expect(notices(admitted)).toBe(0)
  expect(notices(refused)).toBe(1)
  await isAnswered(admitted, 'Bo', 'why?')
})

test('a server that is admitted already stays so, whoever adds the bot again', async () => {
  const { id, channel } = platform.discord.addGuild()
  const chat = platform.channel(channel)
  await until(() => notices(chat) === 1)
  chat.ask('Olga', '/allow here')
  await isAdmitted(chat)
  platform.discord.removeBot(id)
  platform.discord.inviteBot(id)
  await chat.hear('Hello everyone')
  expect(notices(chat)).toBe(1)
})

test('an owner who takes a server back shuts all its channels', async () => {
  const [general, random] = openServer()
  general.ask('Olga', '/allow here')
  await isAdmitted(general)
  random.ask('Bo', '/allow -here')
  await random.hear('Only an owner can let people in')
  await isAnswered(random, 'Bo', 'first, why?')
  random.ask('Olga', '/allow -here')
  await random.hear('no longer let in')
  random.ask('Bo', 'second, why?')
  await until(() => notices(random) === 1)
  expect(random.said().some(({ text }) => text.includes('second'))).toBe(false)
})

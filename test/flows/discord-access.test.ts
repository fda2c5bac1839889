// Who may talk on Discord, with a whole fleet: a server is admitted as one, by an owner who says so or who added the bot.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { startDiscordSimulator, type DiscordSimulator } from '#test/simulators/discord/simulator.ts'

let discord: DiscordSimulator
let fleet: Fleet
let stop: () => Promise<void>
let mention: string
beforeAll(async () => {
  discord = await startDiscordSimulator()
  mention = `<@${discord.bot.id}>`
  fleet = await startFleet({
    env: {
      DISCORD_BOT_TOKEN: discord.token,
      DISCORD_API_ROOT: discord.apiRoot,
      FLOTILLA_OWNERS: `discord:${discord.person('Olga').id}`,
    },
  })
  stop = await startPlatform(fleet.runtime, 'discord')
  await discord.ledger.waitForGateway(({ kind }) => kind === 'identify')
})
afterAll(async () => {
  await stop()
  await fleet[Symbol.asyncDispose]()
  await discord.close()
})

const said = (channel: string): string[] =>
  discord.visible(channel).flatMap(({ from, text }) => (from === 'bot' ? [text] : []))
const notices = (channel: string): number => said(channel).filter((text) => text.includes('/allow here')).length
const answered = (channel: string, part: string): Promise<unknown> =>
  until(() => said(channel).some((text) => text.includes('echo') && text.includes(part)))

test('what an owner admits is the server: its other channels and threads, and no other server', async () => {
  const { channel, channels } = discord.addGuild({ channels: ['general', 'random'] })
  const random = channels['random'] ?? ''
  const elsewhere = discord.addGuild().channel
  const [olga, bo] = [discord.person('Olga'), discord.person('Bo')]
  await until(() => notices(channel) === 1 && notices(elsewhere) === 1)
  bo.say(random, `${mention} may I ask why?`)
  await until(() => notices(random) === 1)
  olga.say(channel, `${mention} /allow here`)
  await until(() => said(channel).some((text) => text.includes('This server is let in')))
  bo.say(random, `${mention} and now, why?`)
  await answered(random, 'and now')
  const thread = bo.openThread(channel, 'Plans')
  bo.say(thread, `${mention} what about threads?`)
  await answered(thread, 'about threads')
  const late = discord.addGuild().channel
  bo.say(late, `${mention} and here, why?`)
  await until(() => notices(late) === 1)
  expect(notices(thread)).toBe(0)
  expect(said(elsewhere)).toHaveLength(1)
})

test('a slash command and a press count for the server too', async () => {
  const { channel, channels } = discord.addGuild({ channels: ['general', 'random'] })
  const random = channels['random'] ?? ''
  const bo = discord.person('Bo')
  discord.person('Olga').slash(channel, 'allow', { text: 'here' })
  await until(() => said(channel).some((text) => text.includes('This server is let in')))
  bo.slash(random, 'config')
  const card = await until(() => discord.visible(random).findLast(({ buttons }) => buttons.length > 0))
  bo.press(random, card.id, 'Default depth')
  await until(() =>
    discord.visible(random).some(({ id, text }) => id === card.id && text === 'Default depth: automatic'),
  )
  expect(notices(random)).toBe(0)
})

test('an owner who adds the bot admits the server, where the bot may see who added it', async () => {
  const admitted = discord.addGuild({ hasBot: false })
  const refused = discord.addGuild({ hasBot: false })
  for (const guild of [admitted.id, refused.id]) discord.deny({ guild, permissions: [] })
  discord.inviteBot(admitted.id, { by: 'Olga' })
  discord.inviteBot(refused.id, { by: 'Mallory' })
  await until(() => said(admitted.channel).length === 1 && said(refused.channel).length === 1)
  expect(notices(admitted.channel)).toBe(0)
  expect(notices(refused.channel)).toBe(1)
  discord.person('Bo').say(admitted.channel, `${mention} why?`)
  await answered(admitted.channel, 'why')
})

test('a server that is admitted already stays so, whoever adds the bot again', async () => {
  const { id, channel } = discord.addGuild()
  await until(() => notices(channel) === 1)
  discord.person('Olga').say(channel, `${mention} /allow here`)
  await until(() => said(channel).some((text) => text.includes('This server is let in')))
  discord.removeBot(id)
  discord.inviteBot(id)
  await until(() => said(channel).some((text) => text.includes('Hello everyone')))
  expect(notices(channel)).toBe(1)
})

test('an owner who takes a server back shuts all its channels', async () => {
  const { channel, channels } = discord.addGuild({ channels: ['general', 'random'] })
  const random = channels['random'] ?? ''
  const [olga, bo] = [discord.person('Olga'), discord.person('Bo')]
  olga.say(channel, `${mention} /allow here`)
  await until(() => said(channel).some((text) => text.includes('This server is let in')))
  bo.say(random, `${mention} /allow -here`)
  await until(() => said(random).some((text) => text.includes('Only an owner')))
  bo.say(random, `${mention} first, why?`)
  await answered(random, 'first')
  olga.say(random, `${mention} /allow -here`)
  await until(() => said(random).some((text) => text.includes('no longer let in')))
  bo.say(random, `${mention} second, why?`)
  await until(() => notices(random) === 1)
  expect(said(random).some((text) => text.includes('second'))).toBe(false)
})

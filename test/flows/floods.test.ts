// Threat T20: one person who writes three hundred messages in one go, or three hundred people at once in one channel, starve nobody.
import { expect, test } from 'vitest'
import { startFleet, until } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { startTelegramFleet } from '#test/rig/telegram-fleet.ts'
import { startDiscordSimulator } from '#test/simulators/discord/simulator.ts'

const boundMs = 10_000
const many = Array.from({ length: 300 }, (_, i) => i)
const slowly = { when: { model: 'sim-main' }, latencyMs: 50 }

test('on Telegram others are answered while one person floods the bot', async () => {
  await using rig = await startTelegramFleet({ env: { FLOTILLA_ALLOW: '*' } })
  rig.fleet.model.script(slowly)
  for (const i of many) rig.telegram.sendText({ from: 3000, text: `what is ${i}?` })
  const askedMs = Date.now()
  const others = [3001, 3002, 3003].map((from) =>
    rig.replyTo(from, rig.telegram.sendText({ from, text: 'and what is quiet?' }).message),
  )
  await Promise.all(others)
  expect(Date.now() - askedMs).toBeLessThan(boundMs)
})

test('on Discord others are answered while one person, or a whole channel, floods the bot', async () => {
  const discord = await startDiscordSimulator()
  await using fleet = await startFleet({
    env: { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_ROOT: discord.apiRoot, FLOTILLA_ALLOW: '*' },
  })
  const stop = await startPlatform(fleet.runtime, 'discord')
  await discord.ledger.waitForGateway(({ kind }) => kind === 'identify')
  fleet.model.script(slowly)
  const { channel } = discord.addGuild()
  const ada = discord.person('Ada')
  for (const i of many) {
    ada.say(ada.dm, `what is ${i}?`)
    discord.person(`Member ${i}`).say(channel, `<@${discord.bot.id}> what is ${i}?`)
  }
  const askedMs = Date.now()
  const quiet = ['Bo', 'Cy', 'Di'].map((name) => discord.person(name))
  for (const person of quiet) person.say(person.dm, 'and what is quiet?')
  await until(() =>
    quiet.every(({ dm }) => discord.visible(dm).some(({ from, text }) => from === 'bot' && text.includes('quiet'))),
  )
  expect(Date.now() - askedMs).toBeLessThan(boundMs)
  expect(discord.ledger.duringWait()).toEqual([])
  expect(discord.ledger.invalidRequests()).toBeLessThan(100)
  await stop()
  await discord.close()
})

// Discord says no to what the shard asks of it: nothing is lost, and what has nothing to do with it goes on.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDiscordRig } from '#test/adapters/discord/discord-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

/** As in production. */
const slowBackOff = { channel: { backOff: { firstMs: 1000, maxMs: 60_000 } } }

test('asks for what was missed until Discord says it', async () => {
  await using rig = await openDiscordRig(server)
  const { channel } = rig.guild
  const ada = rig.discord.person('Ada')
  const stop = await rig.start()
  ada.say(channel, 'one')
  await rig.waitForEvents(`discord:${channel}`, 1)
  rig.discord.invalidate()
  await stop()
  ada.say(channel, 'two, while nobody listens')
  const fault = { kind: 'error', status: 503, message: 'Service Unavailable' } as const
  rig.discord.fault({ when: { route: 'listMessages' }, times: 8, fault })
  rig.run(rig.another())
  await rig.discord.until(() => (rig.discord.ledger.identifies() === 2 ? true : undefined))
  ada.say(channel, 'three')
  await rig.waitForEvents(`discord:${channel}`, 3)
  const texts = (await rig.events(`discord:${channel}`)).map((event) => (event.kind === 'message' ? event.text : ''))
  expect(texts).toEqual(['one', 'two, while nobody listens', 'three'])
  expect(rig.discord.ledger.of('listMessages').filter(({ status }) => status === 503)).toHaveLength(8)
  expect(rig.said.filter((text) => text.includes('while nobody listened'))).toHaveLength(1)
}, 60_000)

test('hears 120 channels that it does not know within seconds of a takeover', async () => {
  await using rig = await openDiscordRig(server, slowBackOff)
  const stop = await rig.start()
  const names = Array.from({ length: 120 }, (_, i) => `c${i}`)
  const channels = Object.values(rig.discord.addGuild({ name: 'Big', channels: names }).channels)
  const ada = rig.discord.person('Ada')
  // Behind the news of that server.
  ada.say(rig.guild.channel, 'hello')
  await rig.waitForEvents(`discord:${rig.guild.channel}`, 1)
  await stop()
  rig.run(rig.another())
  await rig.discord.ledger.waitForGateway(({ kind }) => kind === 'resume')
  const begunAtMs = Date.now()
  for (const channel of channels) ada.say(channel, 'hello')
  for (const channel of channels) await rig.waitForEvents(`discord:${channel}`, 1)
  expect(Date.now() - begunAtMs).toBeLessThan(15_000)
  // What a busy machine answers late is asked once more.
  const asked = rig.discord.ledger.of('getChannel').filter(({ status }) => status === 200)
  expect(asked.length).toBeLessThanOrEqual(2 * 120)
}, 60_000)

test('a channel that Discord asks to wait keeps no other waiting, and is not asked for meanwhile', async () => {
  await using rig = await openDiscordRig(server, slowBackOff)
  const { channel: general } = rig.guild
  const other = Object.values(rig.guild.channels).find((id) => id !== general) ?? ''
  const stop = await rig.start()
  const ada = rig.discord.person('Ada')
  ada.say(general, 'seen before')
  await rig.waitForEvents(`discord:${general}`, 1)
  await stop()
  rig.discord.fault({ when: { route: 'getChannel' }, times: 1, fault: { kind: 'rate-limit', retryAfterS: 4 } })
  rig.run(rig.another())
  await rig.discord.ledger.waitForGateway(({ kind }) => kind === 'resume')
  ada.say(other, 'in a channel the new process does not know yet')
  await rig.discord.ledger.waitFor(({ status }) => status === 429)
  ada.say(general, 'in another channel')
  await rig.waitForEvents(`discord:${general}`, 2)
  expect(await rig.events(`discord:${other}`)).toHaveLength(0)
  await rig.waitForEvents(`discord:${other}`, 1)
  // What a busy machine answers late is asked once more.
  const [refused, ...answered] = rig.discord.ledger.of('getChannel').map(({ status }) => status)
  expect(refused).toBe(429)
  expect(new Set(answered)).toEqual(new Set([200]))
}, 30_000)

test('a slow audit log of one server keeps no slash command of another waiting', async () => {
  const commands = [{ name: 'depth', help: { en: 'Depth', zh: '深度' } }]
  await using rig = await openDiscordRig(server, { commands })
  await rig.start()
  const ada = rig.discord.person('Ada')
  // The news of the server that it was in before is through then.
  ada.say(rig.guild.channel, 'hi')
  await rig.waitForEvents(`discord:${rig.guild.channel}`, 1)
  rig.discord.fault({ when: { route: 'getAuditLog' }, delayMs: 4500 })
  rig.discord.addGuild({ name: 'Other', channels: ['lobby'] })
  const begunAtMs = Date.now()
  ada.say(rig.guild.channel, 'hello')
  await rig.waitForEvents(`discord:${rig.guild.channel}`, 2)
  const id = ada.slash(rig.guild.channel, 'depth', { text: 'deep' })
  await rig.discord.until(() => (rig.discord.interaction(id).state === 'waiting' ? undefined : true))
  expect(rig.discord.interaction(id).state).toBe('answered')
  expect(Date.now() - begunAtMs).toBeLessThan(3000)
}, 30_000)

test('what is said in a server is behind the news that it let the bot in, however long that takes', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  rig.discord.fault({ when: { route: 'getAuditLog' }, delayMs: 4000 })
  const begunAtMs = Date.now()
  const { channel } = rig.discord.addGuild({ name: 'Other', channels: ['lobby'] })
  const ada = rig.discord.person('Ada')
  ada.say(rig.guild.channel, 'hello')
  ada.say(channel, 'hello')
  await rig.waitForEvents(`discord:${rig.guild.channel}`, 1)
  expect(await rig.events(`discord:${channel}`)).toEqual([])
  await rig.waitForEvents(`discord:${channel}`, 1)
  expect(Date.now() - begunAtMs).toBeGreaterThanOrEqual(4000)
})

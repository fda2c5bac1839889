// Facts about the connection: nothing is lost or stored twice when it breaks, moves to another process, or begins anew; one process holds
// a shard; trouble is said once and waited out.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BotError } from '#shared/errors.ts'
import type { CallUnit } from '#queues/units.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { until } from '#test/rig/channel-rig.ts'
import { openDiscordRig, type DiscordRig } from './discord-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const textsOf = async (rig: DiscordRig, count: number): Promise<string[]> => {
  const events = await rig.waitForEvents(`discord:${rig.guild.channel}`, count)
  return events.map((event) => (event.kind === 'message' ? event.text : event.kind))
}
const say = (rig: DiscordRig, text: string): string => rig.discord.person('Ada').say(rig.guild.channel, text)
const resumed = (rig: DiscordRig, count = 1): Promise<unknown> =>
  rig.discord.until(() => (rig.discord.ledger.resumes() >= count ? true : undefined))
/** Waits until the stored position has passed the newest event. */
const stored = (rig: DiscordRig): Promise<unknown> =>
  until(async () => {
    const seq = await server.admin.hget(`fl:{gateway-discord-${rig.discord.bot.id}-0}`, 'seq')
    return Number(seq) >= 3 ? true : undefined
  })

test('another process takes over by resuming: nothing is lost, and no session begun', async () => {
  await using rig = await openDiscordRig(server)
  const stop = await rig.start()
  say(rig, 'one')
  await textsOf(rig, 1)
  await stop()
  say(rig, 'two')
  say(rig, 'three')
  rig.run(rig.another())
  say(rig, 'four')
  expect(await textsOf(rig, 4)).toEqual(['one', 'two', 'three', 'four'])
  expect(rig.discord.ledger.identifies()).toBe(1)
  expect(rig.discord.ledger.resumes()).toBe(1)
  expect(rig.said).toEqual([])
})

test('after a takeover a thread that nobody wrote in before is still known as one', async () => {
  await using rig = await openDiscordRig(server)
  const { channel } = rig.guild
  const ada = rig.discord.person('Ada')
  const thread = ada.openThread(channel, 'Plans')
  const stop = await rig.start()
  say(rig, 'one')
  await textsOf(rig, 1)
  await stop()
  rig.run(rig.another())
  await resumed(rig)
  ada.say(thread, 'in here')
  ada.say(ada.dm, 'between us')
  expect(await rig.waitForEvents(`discord:${channel}:${thread}`, 1)).toMatchObject([{ text: 'in here' }])
  expect(await rig.waitForEvents(`discord:${ada.dm}`, 1)).toMatchObject([{ group: false }])
})

test('one process holds the shard while others stand by', async () => {
  await using rig = await openDiscordRig(server)
  const stop = await rig.start()
  rig.run(rig.another())
  say(rig, 'one')
  await textsOf(rig, 1)
  expect(rig.discord.connectedShards()).toEqual([0])
  await stop()
  await resumed(rig)
  say(rig, 'two')
  expect(await textsOf(rig, 2)).toEqual(['one', 'two'])
  expect(rig.discord.ledger.identifies()).toBe(1)
})

test.each([
  ['breaks', (rig: DiscordRig) => rig.discord.dropConnections()],
  ['is asked to move', (rig: DiscordRig) => rig.discord.requestReconnect()],
  ['is closed for an unknown error', (rig: DiscordRig) => rig.discord.closeConnections({ code: 4000 })],
])('a connection that %s resumes and gets what came meanwhile', async (_, act) => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  say(rig, 'one')
  await textsOf(rig, 1)
  act(rig)
  say(rig, 'two')
  await resumed(rig)
  say(rig, 'three')
  expect(await textsOf(rig, 3)).toEqual(['one', 'two', 'three'])
  expect(rig.discord.ledger.identifies()).toBe(1)
})

test('a connection that falls silent is given up, and the session resumed', async () => {
  await using rig = await openDiscordRig(server, { simulator: { heartbeatIntervalMs: 300 } })
  await rig.start()
  say(rig, 'one')
  await textsOf(rig, 1)
  rig.discord.silence()
  say(rig, 'two')
  await resumed(rig)
  expect(await textsOf(rig, 2)).toEqual(['one', 'two'])
})

test('a session that is gone begins anew, and what was missed is asked for', async () => {
  await using rig = await openDiscordRig(server)
  const stop = await rig.start()
  const { guild, discord } = rig
  const ada = discord.person('Ada')
  const thread = ada.openThread(guild.channel, 'Plans')
  say(rig, 'one')
  ada.say(thread, 'first')
  ada.say(ada.dm, 'private')
  await textsOf(rig, 1)
  await rig.waitForEvents(`discord:${guild.channel}:${thread}`, 1)
  await rig.waitForEvents(`discord:${ada.dm}`, 1)
  await stored(rig)
  discord.invalidate()
  await stop()
  for (let i = 0; i < 120; i++) say(rig, `missed ${i}`)
  ada.say(thread, 'second')
  ada.say(ada.dm, 'very private')
  rig.run(rig.another())
  await discord.until(() => (discord.ledger.identifies() === 2 ? true : undefined))
  say(rig, 'last')
  const texts = await textsOf(rig, 122)
  expect(texts).toEqual(['one', ...Array.from({ length: 120 }, (_, i) => `missed ${i}`), 'last'])
  expect(await rig.waitForEvents(`discord:${guild.channel}:${thread}`, 2)).toMatchObject([{}, { text: 'second' }])
  expect(await rig.waitForEvents(`discord:${ada.dm}`, 2)).toMatchObject([{}, { text: 'very private', group: false }])
})

test('what was edited while no session ran is known as edited, once', async () => {
  await using rig = await openDiscordRig(server)
  const stop = await rig.start()
  const { discord, guild } = rig
  const ada = discord.person('Ada')
  const kept = ada.say(guild.channel, 'one')
  const early = ada.say(guild.channel, 'two')
  ada.edit(guild.channel, kept, 'one, better')
  await textsOf(rig, 2)
  await rig.waitForEvents(`discord:${guild.channel}`, 3)
  await stored(rig)
  discord.invalidate()
  await stop()
  ada.edit(guild.channel, early, 'two, corrected')
  const late = ada.say(guild.channel, 'three')
  ada.edit(guild.channel, late, 'three at last')
  rig.run(rig.another())
  await discord.until(() => (discord.ledger.identifies() === 2 ? true : undefined))
  say(rig, 'four')
  const events = await rig.waitForEvents(`discord:${guild.channel}`, 6)
  expect(events.map((event) => ('text' in event ? `${event.kind} ${event.text}` : event.kind))).toEqual([
    'message one',
    'message two',
    'edit one, better',
    'edit two, corrected',
    'message three at last',
    'message four',
  ])
})

test('a message that comes again edited, because it was stored without a trace, is an edit', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const { discord, guild } = rig
  const ada = discord.person('Ada')
  const id = ada.say(guild.channel, 'one')
  await textsOf(rig, 1)
  const author = { id: ada.id, username: 'ada' }
  const place = { channel_id: guild.channel, guild_id: guild.id }
  const times = { timestamp: new Date().toISOString(), edited_timestamp: new Date().toISOString() }
  const d = { id, ...place, author, content: 'one, better', type: 0, mentions: [], attachments: [], ...times }
  discord.inject({ t: 'MESSAGE_CREATE', d, guild: guild.id })
  expect(await rig.waitForEvents(`discord:${guild.channel}`, 2)).toMatchObject([
    { kind: 'message', text: 'one' },
    { kind: 'edit', messageId: id, text: 'one, better' },
  ])
})

test('events wait in order while Redis is away, and none is lost', async () => {
  let isDown = false
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (isDown && name !== 'lease')
        throw new BotError('store-unavailable', 'Redis is away.', { retry: { afterMs: 1 } })
      return call(name, key, args)
    }
  await using rig = await openDiscordRig(server, { wrapUnits })
  await rig.start()
  say(rig, 'one')
  await textsOf(rig, 1)
  isDown = true
  say(rig, 'two')
  say(rig, 'three')
  await until(async () => (rig.said.length > 0 ? true : undefined))
  rig.discord.dropConnections()
  await resumed(rig)
  say(rig, 'four')
  isDown = false
  expect(await textsOf(rig, 4)).toEqual(['one', 'two', 'three', 'four'])
  expect(rig.said).toHaveLength(1)
  expect(rig.said[0]).toContain('cannot be stored')
})

test('what a process got but had not stored when it went is sent again to the next', async () => {
  let isDown = false
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (isDown && name === 'ingest')
        throw new BotError('store-unavailable', 'Redis is away.', { retry: { afterMs: 1 } })
      return call(name, key, args)
    }
  await using rig = await openDiscordRig(server, { wrapUnits })
  const stop = await rig.start()
  say(rig, 'one')
  await textsOf(rig, 1)
  isDown = true
  say(rig, 'two')
  await until(async () => (rig.said.length > 0 ? true : undefined))
  await stop()
  isDown = false
  rig.run(rig.another())
  expect(await textsOf(rig, 2)).toEqual(['one', 'two'])
  expect(rig.discord.ledger.identifies()).toBe(1)
})

test.each([
  ['a missing intent', { intents: [] as const }, 'Message Content intent'],
  ['a wrong token', {}, 'DISCORD_BOT_TOKEN'],
])('says once what %s needs, without hammering and without the token', async (what, simulator, wanted) => {
  const token = what === 'a wrong token' ? { token: 'MTEw.wrong-secret.x' } : {}
  await using rig = await openDiscordRig(server, { simulator, channel: { leastWaitMs: 400, ...token } })
  rig.run()
  await until(async () => (rig.said.length > 0 ? true : undefined))
  const before = rig.discord.ledger.gateway.length + rig.discord.ledger.entries.length
  await new Promise((resolve) => setTimeout(resolve, 250))
  expect(rig.discord.ledger.gateway.length + rig.discord.ledger.entries.length - before).toBeLessThanOrEqual(1)
  expect(rig.said).toHaveLength(1)
  expect(rig.said[0]).toContain(wanted)
  expect(rig.said.join()).not.toContain('wrong-secret')
})

test('begins no session when none is left today', async () => {
  await using rig = await openDiscordRig(server, { simulator: { identifyLimit: 0 } })
  rig.run()
  await until(async () => (rig.said.length > 0 ? true : undefined))
  expect(rig.said).toEqual(['Discord asks to slow down.'])
  expect(rig.discord.ledger.gateway).toEqual([])
})

test('a Redis that is frozen longer than the lease costs a reconnection and nothing else', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  say(rig, 'one')
  await textsOf(rig, 1)
  await stored(rig)
  server.freeze()
  say(rig, 'two')
  await rig.discord.ledger.waitForGateway(({ kind, detail }) => kind === 'close' && detail === 4900)
  say(rig, 'three')
  server.thaw()
  await resumed(rig)
  say(rig, 'four')
  expect(await textsOf(rig, 4)).toEqual(['one', 'two', 'three', 'four'])
  expect(rig.discord.ledger.identifies()).toBe(1)
})

test('goes on by itself once the intent is switched on', async () => {
  await using rig = await openDiscordRig(server, { simulator: { intents: [] } })
  rig.run()
  await until(async () => (rig.said.length > 0 ? true : undefined))
  rig.discord.grantIntents(['MessageContent'])
  await rig.discord.ledger.waitForGateway(({ kind }) => kind === 'identify')
  say(rig, 'one')
  expect(await textsOf(rig, 1)).toEqual(['one'])
})

test('says that Discord cannot be reached without naming the token', async () => {
  await using rig = await openDiscordRig(server, { channel: { apiRoot: 'http://127.0.0.1:1/api' } })
  rig.run()
  await until(async () => (rig.said.length > 0 ? true : undefined))
  expect(rig.said[0]).toContain('ECONNREFUSED')
})

test('two shards are two leases, each with its own guilds', async () => {
  await using rig = await openDiscordRig(server, { simulator: { shards: 2, maxConcurrency: 1 } })
  rig.run()
  await rig.discord.until(() => (rig.discord.ledger.identifies() === 2 ? true : undefined))
  const other = String(BigInt(rig.guild.id) + (1n << 22n))
  const made = rig.discord.addGuild({ name: 'Next', id: other })
  const ada = rig.discord.person('Ada')
  ada.say(made.channel, 'there')
  say(rig, 'here')
  expect(await textsOf(rig, 1)).toEqual(['here'])
  expect(await rig.waitForEvents(`discord:${made.channel}`, 1)).toMatchObject([{ text: 'there' }])
  expect(rig.discord.connectedShards().toSorted((a, b) => a - b)).toEqual([0, 1])
})

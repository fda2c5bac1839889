// Facts about the Discord simulator's gateway, seen through the real @discordjs/ws: login, intents, shards, resuming.
import { GatewayIntentBits } from 'discord-api-types/v10'
import { expect, test } from 'vitest'
import { shardOf } from '#test/simulators/discord/sessions.ts'
import type { DiscordSimulator } from '#test/simulators/discord/simulator.ts'
import { createSessionStore, startRig, usualIntents } from './discord-bot.ts'

/** All but the content of messages. */
const withoutContent: GatewayIntentBits = usualIntents & ~GatewayIntentBits.MessageContent

test('tells of guilds, messages, edits, deletions, threads and reactions', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect()
  const { channel } = rig.guild
  await bot.next('GUILD_CREATE', (d) => d['id'] === rig.guild.id)
  const ann = rig.discord.person('Ann')
  const id = ann.say(channel, 'hello')
  const created = await bot.next('MESSAGE_CREATE')
  expect(created.d).toMatchObject({ id, content: 'hello', guild_id: rig.guild.id, member: { roles: [] } })
  expect(created.d['member']).not.toHaveProperty('user')
  rig.discord.embedsArrive({ channel, message: id })
  expect((await bot.next('MESSAGE_UPDATE')).d).toMatchObject({ edited_timestamp: null, embeds: [{}] })
  ann.edit(channel, id, 'hello!')
  const edited = await bot.next('MESSAGE_UPDATE', (d) => d['edited_timestamp'] !== null)
  expect(edited.d).toMatchObject({ id, content: 'hello!' })
  ann.react(channel, id, '👍')
  expect((await bot.next('MESSAGE_REACTION_ADD')).d).toMatchObject({ message_id: id, emoji: { name: '👍' } })
  const thread = ann.openThread(channel, 'topic', id)
  expect((await bot.next('THREAD_CREATE')).d).toMatchObject({ id: thread, parent_id: channel })
  ann.delete(channel, id)
  expect((await bot.next('MESSAGE_DELETE')).d).toMatchObject({ id, channel_id: channel })
  rig.discord.removeBot(rig.guild.id)
  expect((await bot.next('GUILD_DELETE')).d).toEqual({ id: rig.guild.id })
})

test('hides content without the intent, but not of mentions, direct and own messages', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect({ intents: withoutContent })
  const ann = rig.discord.person('Ann')
  const own = await rig.send({ content: 'mine' })
  for (const text of ['secret', `<@${rig.discord.bot.id}> named`]) ann.say(rig.guild.channel, text)
  ann.reply(rig.guild.channel, own.id, 'replied')
  ann.say(ann.dm, 'direct')
  await bot.next('MESSAGE_CREATE', (d) => d['content'] === 'direct')
  const contents = bot.events.filter((one) => one.t === 'MESSAGE_CREATE').map((one) => one.d['content'])
  expect(contents).toEqual(['mine', '', `<@${rig.discord.bot.id}> named`, 'replied', 'direct'])
})

test('closes with 4014 for an intent that is off', async () => {
  await using rig = await startRig({ intents: [] })
  await expect(rig.connect()).rejects.toThrow('disallowed intents')
  await using bot = await rig.connect({ intents: withoutContent })
  await bot.next('READY')
  expect(rig.discord.ledger.gateway.filter((one) => one.kind === 'refused')).toMatchObject([{ detail: 4014 }])
  expect(rig.discord.ledger.identifies()).toBe(1)
})

test('resumes in another process after a crash and replays what was missed', async () => {
  await using rig = await startRig()
  const store = createSessionStore()
  const first = await rig.connect(store)
  const ann = rig.discord.person('Ann')
  ann.say(rig.guild.channel, 'before')
  await first.next('MESSAGE_CREATE')
  const kept = store.retrieveSessionInfo(0)
  rig.discord.silence()
  for (const text of ['missed 1', 'missed 2']) ann.say(rig.guild.channel, text)
  await using second = await rig.connect({
    retrieveSessionInfo: () => kept,
    updateSessionInfo: store.updateSessionInfo,
  })
  await second.next('RESUMED')
  expect(second.events.map((one) => one.d['content'] ?? one.t)).toEqual(['missed 1', 'missed 2', 'RESUMED'])
  expect(rig.discord.ledger.identifies()).toBe(1)
  expect(rig.discord.ledger.resumes()).toBe(1)
  await first.manager.destroy()
})

test('answers a resume of an ended session with op 9', async () => {
  await using rig = await startRig()
  const store = createSessionStore()
  const first = await rig.connect(store)
  const kept = store.retrieveSessionInfo(0)
  await first.manager.destroy()
  await rig.discord.ledger.waitForGateway((one) => one.kind === 'close')
  store.updateSessionInfo(0, kept)
  await using second = await rig.connect(store)
  await second.next('READY')
  expect(rig.discord.ledger.gateway.some((one) => one.detail === 'resume')).toBe(true)
  expect(rig.discord.ledger.identifies()).toBe(2)
})

test.each([
  ['a reconnect is asked for', (discord: DiscordSimulator) => discord.requestReconnect()],
  ['the connection drops', (discord: DiscordSimulator) => discord.dropConnections()],
  ['Discord closes with 4000', (discord: DiscordSimulator) => discord.closeConnections({ code: 4000 })],
  ['the session is invalid but resumable', (discord: DiscordSimulator) => discord.invalidate({ isResumable: true })],
])('keeps the session when %s', async (_what, act) => {
  await using rig = await startRig()
  await using bot = await rig.connect()
  act(rig.discord)
  await bot.next('RESUMED')
  rig.discord.person('Ann').say(rig.guild.channel, 'still here')
  await bot.next('MESSAGE_CREATE')
  expect(rig.discord.ledger.identifies()).toBe(1)
})

test('lets a client find a half-open connection by its missing acknowledgements', async () => {
  await using rig = await startRig({ heartbeatIntervalMs: 50 })
  await using bot = await rig.connect()
  rig.discord.withholdAcks(true)
  await rig.discord.ledger.waitForGateway((one) => one.kind === 'close')
  rig.discord.withholdAcks(false)
  await bot.next('RESUMED')
  expect(rig.discord.ledger.identifies()).toBe(1)
})

test('splits guilds among shards and gives direct messages to shard 0', async () => {
  await using rig = await startRig({ shards: 2 })
  const own = shardOf(rig.guild.id, 2)
  const other = rig.discord.addGuild({ id: String(BigInt(rig.guild.id) + (1n << 22n)) })
  expect(shardOf(other.id, 2)).toBe(1 - own)
  await using zero = await rig.connect({ shardCount: 2, shardIds: [0] })
  await using one = await rig.connect({ shardCount: 2, shardIds: [1] })
  const ann = rig.discord.person('Ann')
  const said = { own: ann.say(rig.guild.channel, 'a'), other: ann.say(other.channel, 'b'), dm: ann.say(ann.dm, 'c') }
  const [mine, others] = own === 0 ? [zero, one] : [one, zero]
  await mine.next('MESSAGE_CREATE', (d) => d['id'] === said.own)
  await others.next('MESSAGE_CREATE', (d) => d['id'] === said.other)
  await zero.next('MESSAGE_CREATE', (d) => d['id'] === said.dm)
  expect(others.events.some((event) => event.d['id'] === said.own)).toBe(false)
  expect(new Set(rig.discord.connectedShards())).toEqual(new Set([0, 1]))
})

test('gives two connections of the same shard every event, and repeats one on demand', async () => {
  await using rig = await startRig()
  await using left = await rig.connect()
  await using right = await rig.connect()
  const id = rig.discord.person('Ann').say(rig.guild.channel, 'both')
  const [first] = await Promise.all([left, right].map((bot) => bot.next('MESSAGE_CREATE', (d) => d['id'] === id)))
  rig.discord.repeat('MESSAGE_CREATE')
  await expect.poll(() => left.events.filter((one) => one.d['id'] === id)).toHaveLength(2)
  expect(left.events.at(-1)?.s).toBe((first?.s ?? 0) + 1)
})

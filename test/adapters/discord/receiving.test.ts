// Facts about what comes in: guild channels, threads, direct messages, mentions, replies, edits, deletions; each stored once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { until } from '#test/rig/channel-rig.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { openDiscordRig } from './discord-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

test('a message in a guild is stored with who wrote it, and not taken as meant for the bot', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const ada = rig.discord.person('Ada')
  const { channel } = rig.guild
  const id = ada.say(channel, 'hello all')
  expect(await rig.waitForEvents(`discord:${channel}`, 1)).toMatchObject([
    {
      id: `dc:${id}`,
      kind: 'message',
      principal: `discord:${ada.id}`,
      name: 'Ada',
      text: 'hello all',
      messageId: id,
      addressed: false,
      group: true,
    },
  ])
  expect(rig.hinted).toContain(`discord:${channel}`)
})

test('a mention of the bot is taken off and makes it addressed; others are named', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const { channel } = rig.guild
  const [ada, bo] = [rig.discord.person('Ada'), rig.discord.person('Bo')]
  bo.say(channel, 'hi')
  ada.say(channel, `<@${rig.discord.bot.id}> ask <@${bo.id}> please`)
  const events = await rig.waitForEvents(`discord:${channel}`, 2)
  expect(events[1]).toMatchObject({ text: 'ask @Bo please', addressed: true })
})

test('a direct message is always for the bot', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const ada = rig.discord.person('Ada')
  ada.say(ada.dm, 'psst')
  expect(await rig.waitForEvents(`discord:${ada.dm}`, 1)).toMatchObject([
    { text: 'psst', addressed: true, group: false },
  ])
})

test('a thread is a conversation of its own below its channel', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const { channel } = rig.guild
  const ada = rig.discord.person('Ada')
  const thread = ada.openThread(channel, 'Plans')
  ada.say(thread, 'in here')
  expect(await rig.waitForEvents(`discord:${channel}:${thread}`, 1)).toMatchObject([{ text: 'in here', group: true }])
})

test('a reply quotes what it replies to, and one to the bot is for the bot', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const { channel } = rig.guild
  const conversation = `discord:${channel}`
  const [ada, bo] = [rig.discord.person('Ada'), rig.discord.person('Bo')]
  const first = ada.say(channel, 'the sky is green')
  bo.reply(channel, first, 'no', { pingsAuthor: false })
  await rig.queue(conversation, [toBody('blue')])
  await rig.deliver(conversation)
  const own = rig.discord.visible(channel).at(-1)?.id ?? ''
  bo.reply(channel, own, 'thanks', { pingsAuthor: false })
  const events = await rig.waitForEvents(conversation, 3)
  expect(events[1]).toMatchObject({
    addressed: false,
    replyTo: { messageId: first, text: 'the sky is green', principal: `discord:${ada.id}`, fromBot: false },
  })
  expect(events[2]).toMatchObject({ addressed: true, replyTo: { messageId: own, text: 'blue', fromBot: true } })
})

test('a forwarded message is quoted and never a command', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const [ada, bo] = [rig.discord.person('Ada'), rig.discord.person('Bo')]
  const { channel } = rig.guild
  const message = bo.say(channel, '/allow here')
  ada.say(ada.dm, '', { forwardOf: { channel, message } })
  const [event] = await rig.waitForEvents(`discord:${ada.dm}`, 1)
  expect(event).toMatchObject({
    text: '',
    quoted: [{ how: 'forward', text: '/allow here' }],
    principal: `discord:${ada.id}`,
  })
  expect(event).not.toHaveProperty('command')
})

test('an edit is one; a preview that arrives later is none; a deletion is told', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const { channel } = rig.guild
  const ada = rig.discord.person('Ada')
  const message = ada.say(channel, 'see https://example.com')
  rig.discord.embedsArrive({ channel, message })
  ada.edit(channel, message, 'see below')
  rig.discord.embedsArrive({ channel, message })
  ada.delete(channel, message)
  const events = await rig.waitForEvents(`discord:${channel}`, 3)
  expect(events).toMatchObject([
    { kind: 'message' },
    { kind: 'edit', messageId: message, text: 'see below' },
    { kind: 'delete', messageId: message },
  ])
  expect(rig.ignored).toContain('no-edit')
})

test('commands typed as text, and files, arrive as what they are', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const ada = rig.discord.person('Ada')
  ada.say(ada.dm, '/depth deep')
  ada.say(ada.dm, 'look', { files: [{ name: 'a.png', content: '12345', type: 'image/png' }] })
  expect(await rig.waitForEvents(`discord:${ada.dm}`, 2)).toMatchObject([
    { command: { name: 'depth', args: 'deep' } },
    { text: 'look', media: [{ kind: 'image', name: 'a.png', bytes: 5 }] },
  ])
})

test('bots, webhooks and the bot itself are nobody', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const { channel } = rig.guild
  const conversation = `discord:${channel}`
  rig.discord.person('Robo', { isBot: true }).say(channel, `<@${rig.discord.bot.id}> hi`)
  rig.discord.sayAsWebhook({ channel, name: 'Hook', text: `<@${rig.discord.bot.id}> hi` })
  await rig.queue(conversation, [toBody('hm')])
  await rig.deliver(conversation)
  rig.discord.person('Ada').say(channel, 'real')
  expect(await rig.waitForEvents(conversation, 1)).toMatchObject([{ text: 'real' }])
  expect(rig.ignored.filter((reason) => reason === 'bot' || reason === 'webhook')).toHaveLength(3)
})

test('what comes twice is stored once, and what cannot be read is ignored', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const { channel } = rig.guild
  const ada = rig.discord.person('Ada')
  ada.say(channel, 'once')
  await rig.waitForEvents(`discord:${channel}`, 1)
  rig.discord.repeat('MESSAGE_CREATE')
  rig.discord.inject({ t: 'MESSAGE_CREATE', d: { id: 7 }, guild: rig.guild.id })
  rig.discord.inject({ t: 'MESSAGE_CREATE', d: 'nonsense', guild: rig.guild.id })
  rig.discord.inject({ t: 'SOMETHING_NEW', d: null, guild: rig.guild.id })
  ada.say(channel, 'last')
  expect(await rig.waitForEvents(`discord:${channel}`, 2)).toHaveLength(2)
  expect(rig.ignored.filter((reason) => reason === 'malformed')).toHaveLength(2)
})

test('a guild that the bot is newly in is told, its removal too', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const made = rig.discord.addGuild({ name: 'New room', hasBot: false })
  rig.discord.inviteBot(made.id)
  const [joined] = await until(async () => {
    const { events } = await rig.kernel.inbox(`discord:${made.channel}`, 10)
    return events.length > 0 ? events : undefined
  })
  expect(joined?.event).toMatchObject({ kind: 'join', title: 'New room', principal: 'discord:0' })
  rig.discord.removeBot(made.id)
  expect(await rig.waitForEvents(`discord:${made.id}`, 1)).toMatchObject([{ kind: 'leave' }])
})

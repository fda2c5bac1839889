// Facts about what is asked of Discord for a message: the one that its thread was opened from, once, and the names of roles.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openDiscordRig, type DiscordRig } from './discord-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const said = (rig: DiscordRig): string => `<@${rig.discord.bot.id}> what could this be?`
const asked = (rig: DiscordRig, route: string) => rig.discord.ledger.entries.filter((entry) => entry.route === route)
const error = (status: number, code: number) => ({ kind: 'error', status, code, message: 'x' }) as const

function openThread(rig: DiscordRig) {
  const { channel } = rig.guild
  const ann = rig.discord.person('Ann')
  const starter = rig.discord.person('Bob').say(channel, 'exit code 137', { more: { embeds: [{ title: 'Log' }] } })
  return { ann, starter, thread: ann.openThread(channel, 'deploy', starter), channel }
}

test('the starter of a thread comes with the first message there that is for the bot, and with none after it', async () => {
  await using rig = await openDiscordRig(server)
  const stop = await rig.start()
  const { ann, thread, channel } = openThread(rig)
  const conversation = `discord:${channel}:${thread}`
  ann.say(thread, 'among ourselves')
  ann.say(thread, said(rig))
  ann.say(thread, said(rig))
  const [plain, first, second] = await rig.waitForEvents(conversation, 3)
  expect(plain).not.toHaveProperty('quoted')
  expect(first).toMatchObject({ quoted: [{ how: 'reply', author: 'Bob', text: 'exit code 137\nLog' }] })
  expect(first).not.toHaveProperty('replyTo')
  expect(second).not.toHaveProperty('quoted')
  expect(asked(rig, 'getMessage')).toHaveLength(1)

  // Nor in another process.
  await stop()
  rig.run(rig.another())
  ann.say(thread, said(rig))
  const [, , , third] = await rig.waitForEvents(conversation, 4)
  expect(third).not.toHaveProperty('quoted')
  expect(asked(rig, 'getMessage')).toHaveLength(1)
})

test('a thread without a starter, or with one that was deleted, is looked at once', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const { channel } = rig.guild
  const ann = rig.discord.person('Ann')
  const bare = ann.openThread(channel, 'Plans')
  ann.say(bare, said(rig))
  ann.say(bare, said(rig))
  for (const event of await rig.waitForEvents(`discord:${channel}:${bare}`, 2))
    expect(event).not.toHaveProperty('quoted')
  const before = asked(rig, 'getMessage').length
  ann.say(bare, said(rig))
  await rig.waitForEvents(`discord:${channel}:${bare}`, 3)
  expect(asked(rig, 'getMessage')).toHaveLength(before)
})

test('a starter that Discord cannot tell now costs no message, and is asked for with the next one', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const { ann, thread, channel } = openThread(rig)
  rig.discord.fault({ when: { route: 'getMessage' }, times: 1, fault: error(500, 0) })
  ann.say(thread, said(rig))
  ann.say(thread, said(rig))
  const [first, second] = await rig.waitForEvents(`discord:${channel}:${thread}`, 2)
  expect(first).not.toHaveProperty('quoted')
  expect(second).toMatchObject({ quoted: [{ text: 'exit code 137\nLog' }] })
})

test('the bot’s own answer that a thread was opened from is quoted as its own', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const { channel } = rig.guild
  await rig.queue(`discord:${channel}`, [{ v: 1, kind: 'send', text: 'Tea or coffee.', answers: [], language: 'en' }])
  await rig.deliver(`discord:${channel}`)
  const own = rig.discord.visible(channel).at(-1)?.id
  const ann = rig.discord.person('Ann')
  const thread = ann.openThread(channel, 'tea', own)
  ann.say(thread, said(rig))
  expect(await rig.waitForEvents(`discord:${channel}:${thread}`, 1)).toMatchObject([
    { quoted: [{ how: 'reply', text: 'Tea or coffee.', fromBot: true }] },
  ])
})

test('a process that resumes another’s session asks for the roles that a message names', async () => {
  await using rig = await openDiscordRig(server)
  const stop = await rig.start()
  await stop()
  rig.run(rig.another())
  const { channel, roles } = rig.guild
  const ann = rig.discord.person('Ann')
  ann.say(channel, `<@&${roles.bot}> hi, <@&${roles.admin}> too`)
  ann.say(channel, `<@&${roles.bot}> again`)
  expect(await rig.waitForEvents(`discord:${channel}`, 2)).toMatchObject([
    { addressed: true, text: 'hi, @admin too' },
    { addressed: true, text: 'again' },
  ])
  expect(rig.discord.ledger.resumes()).toBe(1)
  expect(asked(rig, 'getGuildRoles')).toHaveLength(1)
})

// Facts about replies that have a file: one attachment however often it is tried, and the text where none may be attached.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { say } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openDiscordRig, type DiscordRig } from './discord-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const file = { name: 'notes.txt', caption: 'Here they are.', text: 'Erste Zeile, 第二行.\n' }
const here = (rig: DiscordRig): string => `discord:${rig.guild.channel}`

test('where the bot may attach nothing, the text is shown', async () => {
  await using rig = await openDiscordRig(server)
  rig.discord.deny({ channel: rig.guild.channel, permissions: ['AttachFiles'] })
  await rig.queue(here(rig), [say('They are these.', { file }), say('After it.')])
  await rig.deliver(here(rig))
  const shown = rig.discord.visible(rig.guild.channel)
  expect(shown.map(({ text, files }) => [text, files])).toEqual([
    ['They are these.', []],
    ['After it.', []],
  ])
})

test('a file is a reply as others are, pings nobody, and a refused token makes no text of it', async () => {
  await using rig = await openDiscordRig(server)
  const question = rig.discord.person('Ada').say(rig.guild.channel, '/export')
  const fault = { kind: 'error', status: 401, message: '401: Unauthorized' } as const
  rig.discord.fault({ when: { route: 'createMessage' }, times: 1, fault })
  await rig.queue(here(rig), [say('They are these.', { file, replyTo: question })])
  await rig.deliver(here(rig))
  expect(rig.discord.visible(rig.guild.channel)).toHaveLength(1)
  const [key = ''] = await server.admin.keys('fl:*:o:*')
  await server.admin.hset(key, 'nb', '0')
  await rig.deliver(here(rig))
  expect(rig.discord.visible(rig.guild.channel).at(-1)).toMatchObject({
    text: file.caption,
    files: [file.name],
    fileTexts: [file.text],
    replyTo: question,
    pings: { everyone: false, users: [], roles: [] },
  })
})

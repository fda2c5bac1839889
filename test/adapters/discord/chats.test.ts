// Facts about places that refuse the bot: named once, costing no further requests, and open again when somebody is heard there.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { say, until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { readStoredRows } from '#test/rig/stored-rows.ts'
import { openDiscordRig, type DiscordRig } from './discord-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const sends = (rig: DiscordRig): number => rig.discord.ledger.of('createMessage').length
const stateOf = async (row: string): Promise<readonly (string | null)[]> => {
  const fields = (await readStoredRows(server.admin)).find(({ id }) => id === row)?.fields
  return [fields?.['s'] ?? null, fields?.['why'] ?? null]
}
const texts = (rig: DiscordRig, channel: string): string[] =>
  rig.discord.visible(channel).flatMap(({ from, text }) => (from === 'bot' ? [text] : []))

type Case = {
  /** Where rows go: the conversation, and the channel that shows it. */
  readonly place: (rig: DiscordRig) => { readonly conversation: string; readonly channel: string }
  readonly close: (rig: DiscordRig, channel: string) => void
  readonly reopen: (rig: DiscordRig, channel: string) => void
  readonly reason: string
}

const inGuild: Case['place'] = ({ guild: { channel } }) => ({ conversation: `discord:${channel}`, channel })
const inThread: Case['place'] = ({ discord, guild }) => {
  const channel = discord.person('Ada').openThread(guild.channel, 'Plans')
  return { conversation: `discord:${guild.channel}:${channel}`, channel }
}
const inDirect: Case['place'] = ({ discord }) => {
  const channel = discord.person('Ada').dm
  return { conversation: `discord:${channel}`, channel }
}

const cases: readonly (readonly [string, Case])[] = [
  [
    'a server that removed the bot',
    {
      place: inGuild,
      close: (rig) => rig.discord.removeBot(rig.guild.id),
      reopen: (rig) => rig.discord.inviteBot(rig.guild.id),
      reason: 'View Channel',
    },
  ],
  [
    'a channel it may not write in',
    {
      place: inGuild,
      close: (rig, channel) => rig.discord.deny({ channel, permissions: ['SendMessages'] }),
      reopen: (rig, channel) => rig.discord.deny({ channel, permissions: [] }),
      reason: 'Send Messages',
    },
  ],
  [
    'a thread that is locked',
    {
      place: inThread,
      close: (rig, channel) => rig.discord.archiveThread(channel, true),
      // Somebody with Manage Threads writes in it: that opens it.
      reopen: () => {},
      reason: 'archived',
    },
  ],
  [
    'a person who takes no direct messages',
    {
      place: inDirect,
      close: (rig) => rig.discord.setDmsOpen('Ada', false),
      reopen: (rig) => rig.discord.setDmsOpen('Ada', true),
      reason: 'direct messages',
    },
  ],
]

test.each(cases)(
  '%s gets one request, and more once somebody is heard there',
  async (_, { place, close, reopen, reason }) => {
    await using rig = await openDiscordRig(server)
    await rig.start()
    const { conversation, channel } = place(rig)
    close(rig, channel)
    await rig.queue(conversation, [say('one'), say('two')])
    await rig.deliver(conversation)
    expect(await stateOf('row-1-1')).toEqual(['failed', expect.stringContaining(reason)])
    expect(sends(rig)).toBe(1)
    const before = rig.discord.ledger.entries.length
    await rig.kernel.saveDraft(conversation, { turn: 't', text: '' })
    await rig.deliver(conversation, AbortSignal.timeout(200))
    await server.admin.del(await server.admin.keys('*:draft:*'))
    expect(rig.discord.ledger.entries).toHaveLength(before)
    expect(rig.said.filter((text) => text.includes(reason))).toHaveLength(1)
    reopen(rig, channel)
    rig.discord.person('Ada').say(channel, `<@${rig.discord.bot.id}> still there?`)
    await rig.waitForEvents(conversation, 1)
    await until(async () => ((await rig.chats.find(conversation)).closed === undefined ? true : undefined))
    await rig.queue(conversation, [say('three')])
    await rig.deliver(conversation)
    expect(texts(rig, channel).at(-1)).toBe('three')
  },
)

test('a channel that is deleted gets one request, and its server’s other channels theirs', async () => {
  await using rig = await openDiscordRig(server)
  const { channel, channels } = rig.guild
  rig.discord.deleteChannel(channel)
  await rig.queue(`discord:${channel}`, [say('one'), say('two')])
  await rig.deliver(`discord:${channel}`)
  expect(await stateOf('row-1-1')).toEqual(['failed', 'The channel is gone.'])
  expect(sends(rig)).toBe(1)
  const random = channels['random'] ?? ''
  await rig.queue(`discord:${random}`, [say('here')])
  await rig.deliver(`discord:${random}`)
  expect(texts(rig, random)).toEqual(['here'])
})

test('a thread that is locked closes neither its channel nor other threads', async () => {
  await using rig = await openDiscordRig(server)
  const [locked, open] = [inThread(rig), inThread(rig)]
  rig.discord.archiveThread(locked.channel, true)
  await rig.queue(locked.conversation, [say('one')])
  await rig.deliver(locked.conversation)
  for (const { conversation, channel } of [open, inGuild(rig)]) {
    await rig.queue(conversation, [say('heard')])
    await rig.deliver(conversation)
    expect(texts(rig, channel)).toContain('heard')
  }
})

test('a refusal of one text closes nothing', async () => {
  await using rig = await openDiscordRig(server)
  const fault = { kind: 'error', status: 403, code: 20_009, message: 'Explicit content' } as const
  rig.discord.fault({ when: { route: 'createMessage' }, times: 1, fault })
  const { conversation, channel } = inGuild(rig)
  await rig.queue(conversation, [say('one'), say('two')])
  await rig.deliver(conversation)
  expect(texts(rig, channel)).toEqual(['two', 'A message of mine could not be sent.'])
})

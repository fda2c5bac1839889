// Facts about presses and commands in the Discord simulator: three seconds, one answer, fifteen minutes.
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { DiscordSimulatorOptions } from '#test/simulators/discord/simulator.ts'
import { refusalOf, row, startRig, type Rig } from './discord-bot.ts'

type Pressed = AsyncDisposable & {
  readonly rig: Rig
  readonly message: string
  readonly id: string
  answer(body: unknown): Promise<unknown>
  /** A webhook call with the interaction's token; `tail` follows it. */
  hook(method: 'get' | 'patch' | 'post' | 'delete', tail: string, body?: unknown): Promise<unknown>
}

/** Ann has pressed the button `go` of the bot's message. */
async function pressGo(options: DiscordSimulatorOptions = {}): Promise<Pressed> {
  const rig = await startRig(options)
  const { id: message } = await rig.send({ content: 'ask', components: [row('go', 'stop')] })
  const id = rig.discord.person('Ann').press(rig.guild.channel, message, 'go')
  const { token } = rig.discord.interaction(id)
  return {
    rig,
    message,
    id,
    answer: (body) => rig.rest.post(`/interactions/${id}/${token}/callback`, { body, auth: false }),
    hook: (method, tail, body) =>
      rig.rest[method](`/webhooks/${rig.discord.applicationId}/${token}${tail}`, { body, auth: false }),
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  }
}

test('updates the message by type 7, and refuses a second answer with 40060', async () => {
  await using pressed = await pressGo()
  await pressed.answer({ type: 7, data: { content: 'done', components: [] } })
  expect(pressed.rig.discord.visible(pressed.rig.guild.channel)).toMatchObject([{ text: 'done', buttons: [] }])
  expect(await refusalOf(pressed.answer({ type: 6 }))).toMatchObject({ status: 400, code: 40_060 })
  expect(pressed.rig.discord.interaction(pressed.id)).toMatchObject({ state: 'answered', type: 7 })
})

test('answers to the presser alone by an ephemeral type 4', async () => {
  await using pressed = await pressGo()
  await pressed.answer({ type: 4, data: { content: 'not yours', flags: 64 } })
  const { discord, guild } = pressed.rig
  expect(discord.visible(guild.channel)).toHaveLength(1)
  expect(discord.visible(guild.channel, 'Ann')).toMatchObject([{}, { text: 'not yours', isEphemeral: true }])
  expect(discord.visible(guild.channel, 'Bob')).toHaveLength(1)
  const hidden = discord.interaction(pressed.id).answers[0]?.id ?? ''
  expect(await refusalOf(pressed.rig.edit(hidden, { content: 'x' }))).toMatchObject({ code: 10_008 })
  await pressed.hook('patch', '/messages/@original', { content: 'changed' })
  expect(discord.interaction(pressed.id).answers).toMatchObject([{ text: 'changed' }])
})

test('edits after a deferred update, also with the path percent-encoded, and follows up', async () => {
  await using pressed = await pressGo()
  expect(await refusalOf(pressed.hook('post', '', { content: 'early' }))).toMatchObject({ code: 10_015 })
  await pressed.answer({ type: 6 })
  await pressed.hook('patch', '/messages/%40original', { content: 'later' })
  await pressed.hook('post', '', { content: 'for you', flags: 64 })
  const { discord, guild } = pressed.rig
  expect(discord.visible(guild.channel, 'Ann')).toMatchObject([
    { id: pressed.message, text: 'later' },
    { text: 'for you', isEphemeral: true },
  ])
  await pressed.hook('delete', '/messages/@original')
  expect(discord.visible(guild.channel)).toEqual([])
})

test('fills a deferred answer with its first follow-up', async () => {
  await using pressed = await pressGo()
  await pressed.answer({ type: 5 })
  expect(pressed.rig.discord.interaction(pressed.id).answers).toMatchObject([{ isLoading: true, text: '' }])
  await pressed.hook('post', '', { content: 'thought' })
  expect(pressed.rig.discord.interaction(pressed.id).answers).toMatchObject([
    { isLoading: false, text: 'thought', edits: 0 },
  ])
})

test('refuses a late answer with 10062 and shows the press as failed', async () => {
  await using pressed = await pressGo({ interactionTimeoutMs: 0 })
  await expect.poll(() => pressed.rig.discord.interaction(pressed.id).state).toBe('failed')
  expect(await refusalOf(pressed.answer({ type: 6 }))).toMatchObject({ status: 404, code: 10_062 })
})

test('closes the token after its time with 50027', async () => {
  await using pressed = await pressGo({ interactionTokenMs: 100, limits: 'off' })
  await pressed.answer({ type: 6 })
  await expect
    .poll(() => refusalOf(pressed.hook('patch', '/messages/@original', { content: 'x' })).catch(() => undefined))
    .toMatchObject({ status: 401, code: 50_027 })
  await pressed.rig.edit(pressed.message, { content: 'by the bot' })
})

test('tells a press with message, member and channel; a command with its options', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect()
  const { id } = await rig.send({ content: 'ask', components: [row('go')] })
  rig.discord.person('Adam').press(rig.guild.channel, id, 'go')
  const press = await bot.next('INTERACTION_CREATE')
  expect(press.d).toMatchObject({
    type: 3,
    data: { component_type: 2, custom_id: 'go' },
    message: { id },
    member: { permissions: expect.any(String), user: { global_name: 'Adam' } },
    channel: { id: rig.guild.channel },
    guild_id: rig.guild.id,
    entitlements: [],
  })
  const { permissions } = z.looseObject({ permissions: z.coerce.bigint() }).parse(press.d['member'])
  expect(permissions & 8n).toBe(8n)
  const options = [{ name: 'what', description: 'What', type: 3 }]
  const body = [{ name: 'ask', description: 'Asks', options }]
  await rig.rest.put(`/applications/${rig.discord.applicationId}/commands`, { body })
  const ann = rig.discord.person('Ann')
  const called = ann.slash(ann.dm, 'ask', { what: 'time' })
  const command = await bot.next('INTERACTION_CREATE', (d) => d['id'] === called)
  expect(command.d).toMatchObject({
    type: 2,
    user: { id: ann.id },
    data: { options: [{ name: 'what', value: 'time' }] },
  })
  expect(() => ann.slash(ann.dm, 'unknown')).toThrow('no command')
})

test('lets nobody press what is not there, unless forged', async () => {
  await using rig = await startRig()
  const { id } = await rig.send({ content: 'ask', components: [row('go')] })
  const ann = rig.discord.person('Ann')
  expect(() => ann.press(rig.guild.channel, id, 'other')).toThrow('shows no button')
  expect(ann.press(rig.guild.channel, id, 'other', { isForged: true })).toMatch(/^\d+$/)
})

test('shows no commands in a guild that was not asked for applications.commands', async () => {
  await using rig = await startRig()
  const { discord, rest } = rig
  const path = `/applications/${discord.applicationId}` as const
  await rest.put(`${path}/commands`, { body: [{ name: 'help', description: 'Help' }] })
  const guild = discord.addGuild({ hasCommandScope: false })
  expect(await refusalOf(rest.get(`${path}/guilds/${guild.id}/commands`))).toMatchObject({ status: 403, code: 50_001 })
  expect(() => discord.person('Ann').slash(guild.channel, 'help')).toThrow('no command /help')
  discord.inviteBot(guild.id)
  expect(await rest.get(`${path}/guilds/${guild.id}/commands`)).toEqual([])
  discord.person('Ann').slash(guild.channel, 'help')
})

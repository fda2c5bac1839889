// Whatever Discord's address answers, on whichever route: it is an error of that request, told or waited out, and never an exception.
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiscordDelivery } from '#adapters/discord/discord-delivery.ts'
import { createRestApi, isBeforeConnection } from '#adapters/discord/rest-api.ts'
import { nobody } from '#adapters/discord/ids.ts'
import { findAdder } from '#adapters/discord/who-added.ts'
import { loadSettings } from '#infra/config/settings.ts'
import { readDiscord } from '#infra/doctor/discord-facts.ts'
import type { BegunRow } from '#queues/kernel/kernel.ts'
import type { ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { ask, say, toAddress, until } from '#test/rig/channel-rig.ts'
import { oddAnswers, type OddAnswer } from '#test/rig/odd-answers.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { startDiscordSimulator, type DiscordSimulator } from '#test/simulators/discord/simulator.ts'
import { openRedisKernel } from '#test/rig/store.ts'
import { openDiscordRig } from './discord-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

type Odd = OddAnswer & { readonly status?: number }
const json = 'application/json'
const page = '<html><body>Not here</body></html>'
/** What a gateway between Discord and here answers with, and a list where none is asked for. */
const strange: readonly (readonly [string, Odd])[] = [
  ['an error without a code', { status: 400, type: json, body: '{"message":"upstream failed"}' }],
  ['an error whose code is a word', { status: 403, type: json, body: '{"code":"forbidden","message":"no"}' }],
  ['an error that is null', { status: 400, type: json, body: 'null' }],
  ['an error that is half a JSON', { status: 404, type: json, body: '{"message":"404: Not F' }],
  ['a page with 404', { status: 404, type: 'text/html', body: page }],
  ['a page with 403', { status: 403, type: 'text/html', body: page }],
  ['a page with 503', { status: 503, type: 'text/html', body: page }],
  ['a JSON with 502', { status: 502, type: json, body: '{"code":0,"message":"502: Bad Gateway"}' }],
]
const lists = new Set([
  'getCommands',
  'getOwnGuilds',
  'getGuildChannels',
  'listMessages',
  'getGuildCommands',
  'putCommands',
])
const answersTo = (route: string): readonly (readonly [string, Odd])[] => [
  ...oddAnswers.filter(([name]) => !lists.has(route) || name !== 'a list of null'),
  ...(lists.has(route) ? [] : ([['[]', { type: json, body: '[]' }]] as const)),
  ...strange,
]

/** The next answer on this route, as if the call had been carried out. */
function answerOnce(discord: DiscordSimulator, route: string, odd: Odd): void {
  discord.fault({ when: { route }, times: 1, fault: { kind: 'odd', accepted: true, ...odd } })
}

const signal = new AbortController().signal
let rows = 0
const row = (body: OutBody, replacesReceipt?: string): BegunRow => ({
  id: `row-${(rows += 1)}`,
  attempts: 1,
  cameAtMs: 0,
  body,
  ...(replacesReceipt === undefined ? {} : { replacesReceipt }),
})
type Case = {
  /** Calls the route about a message of the bot's in this conversation. */
  act(one: ChannelDelivery, conversation: ConversationId, message: string): Promise<unknown>
  readonly becomes: object
}
const grown = (receipt: string) => ({ turn: 't', text: 'more', message: { receipt, buttons: [] } })
const sends: readonly (readonly [route: string, what: string, Case])[] = [
  [
    'createMessage',
    'a message',
    { act: (one, at) => one.deliver(toAddress(at), row(say('hi')), signal), becomes: { kind: 'unknown' } },
  ],
  [
    'editMessage',
    'an edit',
    { act: (one, at, id) => one.deliver(toAddress(at), row(say('new'), id), signal), becomes: { kind: 'unknown' } },
  ],
  [
    'editMessage',
    'buttons',
    {
      act: (one, at, id) =>
        one.deliver(
          toAddress(at),
          row({ v: 1, language: 'en', answers: [], kind: 'unbutton', replaces: 'row-0' }, id),
          signal,
        ),
      becomes: { kind: 'unknown' },
    },
  ],
  [
    'addReaction',
    'a reaction',
    {
      act: (one, at, id) =>
        one.deliver(
          toAddress(at),
          row({ v: 1, language: 'en', answers: [], kind: 'react', messageId: id, emoji: '👍' }),
          signal,
        ),
      becomes: { kind: 'sent' },
    },
  ],
  [
    'editMessage',
    'a draft',
    { act: (one, at, id) => one.showDraft(toAddress(at), grown(id), signal), becomes: { kind: 'unclear' } },
  ],
  [
    'triggerTyping',
    'typing',
    { act: (one, at) => one.showDraft(toAddress(at), { turn: 't', text: '' }, signal), becomes: { kind: 'unclear' } },
  ],
]

test.each(sends)('%s for %s: nobody takes an odd answer for success', async (route, _, { act, becomes }) => {
  const discord = await startDiscordSimulator({ limits: 'off' })
  const { channel } = discord.addGuild({ name: 'Room', channels: ['general'] })
  const api = createRestApi({ token: discord.token, apiRoot: discord.apiRoot })
  const delivery = createDiscordDelivery({ api, say: () => {} }, 2000)
  const conversation = `discord:${channel}`
  const first = await delivery.deliver(toAddress(conversation), row(say('card')), signal)
  const message = first.kind === 'sent' ? first.receipt : ''
  for (const [name, odd] of answersTo(route)) {
    answerOnce(discord, route, odd)
    expect(await act(delivery, conversation, message), name).toMatchObject(becomes)
    expect(discord.ledger.of(route).at(-1)?.outcome, name).toBe('lost')
  }
  await discord.close()
})

test('a message that was answered with a page is sent again, and shown once', async () => {
  await using rig = await openDiscordRig(server)
  answerOnce(rig.discord, 'createMessage', { type: 'text/html', body: page })
  const conversation = `discord:${rig.guild.channel}`
  await rig.queue(conversation, [say('hi')])
  await until(async () => {
    await rig.deliver(conversation)
    return rig.discord.ledger.of('createMessage').length > 1 ? true : undefined
  })
  expect(rig.discord.visible(rig.guild.channel).filter(({ text }) => text === 'hi')).toHaveLength(1)
})

const commands = [{ name: 'help', help: { en: 'What I can do', zh: '我能做什么' } }]

test.each(['getSelf', 'getGatewayBot', 'getApplication', 'getCommands', 'putCommands'])(
  '%s: receiving waits out odd answers',
  async (route) => {
    await using rig = await openDiscordRig(server, { commands })
    const answers = answersTo(route)
    for (const [, odd] of answers) answerOnce(rig.discord, route, odd)
    await rig.start()
    rig.discord.person('Ada').say(rig.guild.channel, 'hello')
    expect(await rig.waitForEvents(`discord:${rig.guild.channel}`, 1)).toMatchObject([{ text: 'hello' }])
    const isInsisted = route === 'getSelf' || route === 'getGatewayBot'
    if (isInsisted) {
      expect(rig.discord.ledger.of(route).length).toBeGreaterThan(answers.length)
      expect(rig.said[0]).toContain('DISCORD_API_ROOT')
    } else expect(rig.said).toEqual([])
  },
)

test('getChannel: a thread is not taken for a channel by an odd answer', async () => {
  await using rig = await openDiscordRig(server)
  const stop = await rig.start()
  const ada = rig.discord.person('Ada')
  const thread = ada.openThread(rig.guild.channel, 'Plans')
  ada.say(rig.guild.channel, 'hello')
  await rig.waitForEvents(`discord:${rig.guild.channel}`, 1)
  await stop()
  for (const odd of [oddAnswers[0]?.[1], oddAnswers[5]?.[1]]) if (odd) answerOnce(rig.discord, 'getChannel', odd)
  rig.run(rig.another())
  ada.say(thread, 'in the thread')
  expect(await rig.waitForEvents(`discord:${rig.guild.channel}:${thread}`, 1)).toMatchObject([
    { text: 'in the thread' },
  ])
  expect(rig.discord.ledger.of('getChannel').filter(({ outcome }) => outcome === 'lost')).toHaveLength(2)
}, 20_000)

test('listMessages: what was missed is asked for until Discord says it', async () => {
  await using rig = await openDiscordRig(server)
  const stop = await rig.start()
  const ada = rig.discord.person('Ada')
  ada.say(rig.guild.channel, 'one')
  await rig.waitForEvents(`discord:${rig.guild.channel}`, 1)
  rig.discord.invalidate()
  await stop()
  ada.say(rig.guild.channel, 'missed')
  for (const odd of [oddAnswers[0]?.[1], oddAnswers[5]?.[1]]) if (odd) answerOnce(rig.discord, 'listMessages', odd)
  rig.run(rig.another())
  expect(await rig.waitForEvents(`discord:${rig.guild.channel}`, 2)).toMatchObject([
    { text: 'one' },
    { text: 'missed' },
  ])
})

test('getAuditLog: without an answer nobody has added the bot', async () => {
  const discord = await startDiscordSimulator({ limits: 'off' })
  const guild = discord.addGuild({ name: 'Room', channels: ['general'] })
  const api = createRestApi({ token: discord.token, apiRoot: discord.apiRoot })
  for (const [name, odd] of answersTo('getAuditLog')) {
    answerOnce(discord, 'getAuditLog', odd)
    const found = await findAdder(api, { guild: guild.id, bot: discord.bot.id, atMs: 0 })
    expect(found, name).toBe(nobody)
  }
  await discord.close()
})

test.each(['answerInteraction', 'createFollowUp', 'editMessage'])(
  '%s: a press counts whatever is answered',
  async (route) => {
    await using rig = await openDiscordRig(server, {
      simulator: { limits: 'off' },
      channel: { putOffMs: route === 'createFollowUp' ? 0 : 1500 },
    })
    await rig.start()
    const conversation = `discord:${rig.guild.channel}`
    const answers = answersTo(route)
    const questions = answers.map(() => ask(conversation))
    await rig.queue(conversation, [say('?')], questions)
    await rig.deliver(conversation)
    const message = rig.discord.visible(rig.guild.channel).at(-1)?.id ?? ''
    const ada = rig.discord.person('Ada')
    for (const [i, [, odd]] of answers.entries()) {
      answerOnce(rig.discord, route, odd)
      ada.press(rig.guild.channel, message, `${questions[i]?.id}.redo`, { isForged: true })
      await rig.waitForEvents(conversation, i + 1)
    }
    expect((await rig.events(conversation)).every(({ kind }) => kind === 'answer')).toBe(true)
    rig.discord.clearFaults()
    ada.say(rig.guild.channel, 'still there')
    await rig.waitForEvents(conversation, answers.length + 1)
  },
  20_000,
)

const looks = ['getSelf', 'getApplication', 'getOwnGuilds', 'getCommands', 'getMember', 'getGuildChannels'] as const
test.each([...looks, 'getGuildCommands'])('%s: doctor says what it could not see', async (route) => {
  const discord = await startDiscordSimulator({ limits: 'off' })
  discord.addGuild({ name: 'Room', channels: ['general'] })
  const { redis, close } = await openRedisKernel(server.url)
  const env = { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_ROOT: discord.apiRoot }
  for (const [name, odd] of answersTo(route)) {
    answerOnce(discord, route, odd)
    const { api } = await readDiscord(loadSettings(env, tmpdir()), { kind: 'open', redis })
    const reason = expect.stringContaining('Discord cannot be reached')
    const guilds = [{ kind: 'unseen', reason }]
    expect(api, name).toMatchObject(/Member|Guild(Ch|Co)/.test(route) ? { guilds } : { kind: 'away', reason })
  }
  close()
  await discord.close()
})

test.each(['/v10', '/v9', '/elsewhere'])(
  'an address with %s at its end is told, with what to correct',
  async (path) => {
    const discord = await startDiscordSimulator({ limits: 'off' })
    await using rig = await openDiscordRig(server, { channel: { apiRoot: `${discord.apiRoot}${path}` } })
    rig.run()
    await until(async () => (rig.said.length > 0 ? true : undefined))
    expect(rig.said[0]).toContain('set it to https://discord.com/api, without a version at its end')
    await discord.close()
  },
)

test.each(['EPROTO', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ECONNRESET', 'UND_ERR_SOCKET'])(
  'knows nothing after %s, which may come when the request has been read, unless it came while connecting',
  (code) => {
    expect(isBeforeConnection(code, 'write')).toBe(false)
    expect(isBeforeConnection(code, 'connect')).toBe(true)
  },
)

test('a wait that is no number is a short one', async () => {
  const discord = await startDiscordSimulator({ limits: 'off' })
  const { channel } = discord.addGuild({ name: 'Room', channels: ['general'] })
  const api = createRestApi({ token: discord.token, apiRoot: discord.apiRoot })
  const delivery = createDiscordDelivery({ api, say: () => {} }, 2000)
  answerOnce(discord, 'createMessage', { status: 429, type: 'text/html', body: 'error code: 1015' })
  const outcome = await delivery.deliver(toAddress(`discord:${channel}`), row(say('hi')), signal)
  expect(outcome).toMatchObject({ kind: 'retry', afterMs: expect.any(Number) })
  expect(outcome.kind === 'retry' && outcome.afterMs > 0).toBe(true)
  await discord.close()
})

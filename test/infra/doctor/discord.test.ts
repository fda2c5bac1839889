// A newcomer goes through infra/docs/discord.md against the simulator and leaves one step out: doctor names that step and no other.
import { expect, test } from 'vitest'
import { discordSteps, type DiscordStep } from '#infra/doctor/discord-steps.ts'
import { numberOf } from '#infra/doctor/steps.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { findFreePort } from '#test/rig/redis.ts'
import { startDiscordSimulator, type DiscordSimulator } from '#test/simulators/discord/simulator.ts'
import type { MadeGuild } from '#test/simulators/discord/places.ts'
import { askDoctor, listWrong, runDoctorProcess, type Env } from './connecting.ts'

const code = 'abcdefghjkmn'
const five = ['ViewChannel', 'SendMessages', 'SendMessagesInThreads', 'ReadMessageHistory', 'AddReactions'] as const

type Connected = AsyncDisposable & {
  readonly discord: DiscordSimulator
  readonly fleet: Fleet
  readonly guild: MadeGuild
  /** As the newcomer's terminal has it. */
  readonly env: Env
  stop(): Promise<void>
}

/** Does every step but one, and nothing that cannot be done without it. The channel is a private one. */
async function connect(without?: DiscordStep): Promise<Connected> {
  const did = (step: DiscordStep): boolean => step !== without
  const discord = await startDiscordSimulator({ intents: did('intent') ? ['MessageContent'] : [] })
  const guild = discord.addGuild({ name: 'Harbour', channels: ['quay'], hasBot: false })
  discord.deny({ guild: guild.id, permissions: did('rights') ? [] : five })
  discord.deny({ channel: guild.channel, permissions: did('channel') ? [] : ['ViewChannel'] })
  if (did('invite')) discord.inviteBot(guild.id, { hasCommandScope: did('scopes') })
  const secret: Record<string, string> = did('token') ? { DISCORD_BOT_TOKEN: discord.token } : {}
  const given = { DISCORD_API_ROOT: discord.apiRoot, ...secret }
  const fleet = await startFleet({ env: given, redis: { aof: true, maxmemory: '1gb' } })
  const { discord: settings } = fleet.runtime.settings
  const runs = settings && did('start')
  const stop = runs ? await startPlatform(fleet.runtime, 'discord') : async () => {}
  if (runs) await until(() => discord.commands().length > 0)
  if (runs && did('intent') && did('invite')) await liveThrough({ discord, fleet, guild }, did)
  const model = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: fleet.model.url, FLOTILLA_MODEL: 'sim-main' }
  return {
    discord,
    fleet,
    guild,
    env: { REDIS_URL: fleet.redis.url, ...model, ...given },
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await fleet[Symbol.asyncDispose]()
      await discord.close()
    },
  }
}

/** What the newcomer does in Discord once the fleet is connected. */
async function liveThrough(
  { discord, fleet, guild }: Pick<Connected, 'discord' | 'fleet' | 'guild'>,
  did: (step: DiscordStep) => boolean,
): Promise<void> {
  const ada = discord.person('Ada')
  await fleet.runtime.access.code(code)
  await discord.ledger.waitForGateway(({ kind }) => kind === 'identify')
  if (!did('owner')) return
  ada.say(ada.dm, `/start ${code}`)
  await discord.until(() => discord.visible(ada.dm).find(({ from, text }) => from === 'bot' && text.includes('owner')))
  if (!did('allow')) return
  // A command reaches a bot that does not see the channel; a mention reaches one whose commands are not shown.
  if (did('scopes')) ada.slash(guild.channel, 'allow', { text: 'here' })
  else ada.say(guild.channel, `<@${discord.bot.id}> /allow here`)
  await until(async () => (await fleet.redis.cli('HEXISTS', 'fl:{access}', `chat:discord:${guild.id}`)) === 1)
}

const toName = (step: DiscordStep): string => {
  const found = discordSteps.find(({ id }) => id === step)
  return `${numberOf(discordSteps, step)}, ${found?.title}`
}

test('with all steps done every step is ok', async () => {
  await using done = await connect()
  const findings = await askDoctor(done.env, 'discord')
  expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
  const checked = discordSteps.filter((step) => 'look' in step)
  expect(findings.filter(({ about }) => about.startsWith('Discord step'))).toHaveLength(checked.length)
})

for (const step of discordSteps) {
  const seen = 'seenThrough' in step ? step.seenThrough : step.id
  test(`without "${step.title}" it names exactly that${seen === step.id ? '' : ', through a later one'}`, async () => {
    await using almost = await connect(seen)
    const findings = await askDoctor(almost.env, 'discord')
    expect(listWrong(findings)).toEqual([toName(seen)])
    expect(findings.filter(({ level }) => level === 'warning')).toEqual([])
    expect(findings.find(({ level }) => level === 'error')?.fix).toMatch(/\w+/)
  })
}

test('as a process it prints the step with its fix, ends with 1, and shows no secret', async () => {
  await using almost = await connect('channel')
  const { out, code: exit } = await runDoctorProcess(almost.env)
  expect(out.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([
    `FAIL  Discord step ${toName('channel')}: in #quay the bot lacks View Channels`,
  ])
  expect(out).toContain(
    'off   Telegram: not connected: TELEGRAM_BOT_TOKEN is not set (step 4 of infra/docs/telegram.md)',
  )
  expect(exit).toBe(1)
  for (const secret of [almost.discord.token, 'sk-test', code]) expect(out).not.toContain(secret)
})

type Breach = readonly [
  what: string,
  DiscordStep,
  found: RegExp,
  act: (done: Connected) => Promise<Env | void> | Env | void,
]
const breaches: readonly Breach[] = [
  ['a fleet that stopped since', 'start', /without a discord process/, (done) => done.stop()],
  [
    'a token that was reset',
    'token',
    /refuses/,
    ({ env, discord }) => ({ ...env, DISCORD_BOT_TOKEN: `${discord.token}x` }),
  ],
  ['a bot that was thrown out', 'invite', /no server/, ({ discord, guild }) => discord.removeBot(guild.id)],
  [
    'one right taken in the whole server',
    'rights',
    /Send Messages in Threads in "Harbour"/,
    ({ discord, guild }) => discord.deny({ guild: guild.id, permissions: ['SendMessagesInThreads'] }),
  ],
  [
    'one right taken in the channel',
    'channel',
    /#quay the bot lacks Read Message History/,
    ({ discord, guild }) => discord.deny({ channel: guild.channel, permissions: ['ReadMessageHistory'] }),
  ],
  [
    'a code used elsewhere',
    'owner',
    /another channel/,
    async ({ fleet }) => {
      const fields = await fleet.redis.admin.hkeys('fl:{access}')
      await fleet.redis.admin.hdel('fl:{access}', ...fields.filter((field) => field.startsWith('owner:')))
    },
  ],
]

test.each(breaches)('names the step for %s', async (_what, step, found, act) => {
  await using done = await connect()
  const env = (await act(done)) ?? done.env
  const findings = await askDoctor(env, 'discord')
  expect(listWrong(findings)).toEqual([toName(step)])
  expect(findings.find(({ level }) => level === 'error')?.found).toMatch(found)
})

test('another server, and another channel of this one, may lack what they like', async () => {
  await using done = await connect()
  const { discord, guild } = done
  const other = discord.addGuild({ name: 'Elsewhere', hasCommandScope: false })
  discord.deny({ guild: other.id, permissions: five })
  discord.deny({ channel: discord.addChannel({ guild: guild.id, name: 'captains' }), permissions: five })
  expect(listWrong(await askDoctor(done.env, 'discord'))).toEqual([])
})

test('where it could not look it warns and says why, and calls nothing wrong', async () => {
  await using done = await connect()
  const apart = { ...done.env, DISCORD_API_ROOT: `http://127.0.0.1:${await findFreePort()}/api` }
  const findings = await askDoctor(apart, 'discord')
  expect(listWrong(findings)).toEqual([])
  expect(findings.filter(({ level }) => level === 'warning')).toMatchObject([
    { about: `Discord step ${toName('token')}`, found: expect.stringMatching(/could not look: .*ECONNREFUSED/) },
  ])
})

// A newcomer goes through infra/docs/telegram.md against the simulator and leaves one step out: doctor names that step and no other.
import { expect, test } from 'vitest'
import { telegramSteps, type TelegramStep } from '#infra/doctor/telegram-steps.ts'
import { numberOf } from '#infra/doctor/steps.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { findFreePort } from '#test/rig/redis.ts'
import { startTelegramSimulator, type TelegramSimulator } from '#test/simulators/telegram/simulator.ts'
import { askDoctor, listWrong, runDoctorProcess, type Env } from './connecting.ts'

const ada = 1
const group = -100
const code = 'abcdefghjkmn'
/** The pace of sending is a fact of other tests. */
const fast = '1000,1000,60000'

type Connected = AsyncDisposable & {
  readonly telegram: TelegramSimulator
  readonly fleet: Fleet
  /** As the newcomer's terminal has it. */
  readonly env: Env
  stop(): Promise<void>
}

/** Does every step but one, and nothing that cannot be done without it. */
async function connect(without?: TelegramStep, more: Env = {}): Promise<Connected> {
  const did = (step: TelegramStep): boolean => step !== without
  const telegram = await startTelegramSimulator({ canReadAllGroupMessages: false })
  const secret: Record<string, string> = did('token') ? { TELEGRAM_BOT_TOKEN: telegram.token } : {}
  const fleet = await startFleet({
    env: { TELEGRAM_API_ROOT: telegram.apiRoot, TELEGRAM_RATES: fast, ...secret, ...more },
    redis: { aof: true, maxmemory: '1gb' },
  })
  const env: Env = {
    REDIS_URL: fleet.redis.url,
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: fleet.model.url,
    FLOTILLA_MODEL: 'sim-main',
    TELEGRAM_API_ROOT: telegram.apiRoot,
    ...secret,
    ...more,
  }
  telegram.setJoinGroups(did('join'))
  telegram.setPrivacyMode(!did('read'))
  const { telegram: settings } = fleet.runtime.settings
  const runs = settings && did('start')
  const stop = runs ? await startPlatform(fleet.runtime, 'telegram') : async () => {}
  if (runs) await liveThrough(telegram, fleet, did)
  const connected: Connected = {
    telegram,
    fleet,
    env,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await fleet[Symbol.asyncDispose]()
      await telegram.close()
    },
  }
  return connected
}

/** What the newcomer does in Telegram once the fleet runs. */
async function liveThrough(
  telegram: TelegramSimulator,
  fleet: Fleet,
  did: (step: TelegramStep) => boolean,
): Promise<void> {
  const botSaid = (chat: number, part: string): Promise<unknown> =>
    telegram.until(() => telegram.visible(chat).find((one) => one.from === 'bot' && one.text.includes(part)))
  await fleet.runtime.access.code(code)
  if (did('owner')) {
    telegram.sendText({ from: ada, text: `/start ${code}` })
    await botSaid(ada, 'owner')
  }
  if (!did('add') || !did('join')) return
  // Nobody is let in by a member who is no owner.
  const by = did('allow') ? ada : 2
  telegram.addBotToGroup({ chat: group, by, title: 'Harbour' })
  const isLetIn = fleet.runtime.settings.allowEveryone || (did('allow') && did('owner'))
  await botSaid(group, isLetIn ? 'Hello everyone' : '/allow here')
  if (did('owner')) {
    telegram.sendText({ from: ada, chat: group, text: '/mode@flotilla_test_bot always' })
    await botSaid(group, 'always')
  }
  if (!did('write')) telegram.setMembersWrite(group, false)
}

const toName = (step: TelegramStep): string => {
  const found = telegramSteps.find(({ id }) => id === step)
  return `${numberOf(telegramSteps, step)}, ${found?.title}`
}

test('with all steps done every step is ok', async () => {
  await using done = await connect()
  const findings = await askDoctor(done.env, 'telegram')
  expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
  const checked = telegramSteps.filter((step) => 'look' in step)
  expect(findings.filter(({ about }) => about.startsWith('Telegram step'))).toHaveLength(checked.length)
})

for (const step of telegramSteps) {
  const seen = 'seenThrough' in step ? step.seenThrough : step.id
  test(`without "${step.title}" it names exactly that${seen === step.id ? '' : ', through a later one'}`, async () => {
    await using almost = await connect(seen)
    const findings = await askDoctor(almost.env, 'telegram')
    expect(listWrong(findings)).toEqual([toName(seen)])
    expect(findings.filter(({ level }) => level === 'warning')).toEqual([])
    expect(findings.find(({ level }) => level === 'error')?.fix).toMatch(/\w+/)
  })
}

test('as a process it prints the step with its fix, ends with 1, and shows no secret', async () => {
  await using almost = await connect('write')
  const { out, code: exit } = await runDoctorProcess(almost.env)
  expect(out.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([
    `FAIL  Telegram step ${toName('write')}: it may not write in "Harbour"`,
  ])
  expect(out).toContain('off   Discord: not connected: DISCORD_BOT_TOKEN is not set (step 3 of infra/docs/discord.md)')
  expect(exit).toBe(1)
  for (const secret of [almost.telegram.token, 'simulated-token', 'sk-test', code]) expect(out).not.toContain(secret)
})

test('without any fleet in the folder it names the start and nothing else', async () => {
  await using telegram = await openSimulator()
  const env = { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot, FLOTILLA_DATA: '/nonexistent' }
  const { out, code: exit } = await runDoctorProcess(env, 'telegram')
  expect(out.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([
    `FAIL  Telegram step ${toName('start')}: no fleet runs in this folder`,
  ])
  expect(exit).toBe(1)
})

test('refuses a word that it does not know instead of leaving it out', async () => {
  await expect(askDoctor({}, 'slack')).rejects.toThrow('doctor does not know "slack"')
})

async function openSimulator(): Promise<TelegramSimulator & AsyncDisposable> {
  const telegram = await startTelegramSimulator()
  return { ...telegram, [Symbol.asyncDispose]: telegram.close }
}

type Breach = readonly [
  what: string,
  TelegramStep,
  found: RegExp,
  act: (done: Connected) => Promise<Env | void> | Env | void,
]
const breaches: readonly Breach[] = [
  ['a fleet that stopped since', 'start', /without a telegram process/, (done) => done.stop()],
  ['a wrong token', 'token', /refuses/, ({ env }) => ({ ...env, TELEGRAM_BOT_TOKEN: '4200:another' })],
  ['the webhook of another program', 'start', /webhook at example\.org/, ({ telegram }) => setWebhook(telegram)],
  ['another program with the same token', 'start', /another program/, poll],
  [
    'a bot that was thrown out',
    'add',
    /no group/,
    ({ telegram }) => telegram.removeBotFromGroup({ chat: group, by: 2 }),
  ],
  ['a bot that was muted', 'write', /may not write/, ({ telegram }) => telegram.mute(group)],
  ['a group that is gone', 'add', /no group/, ({ telegram }) => telegram.deleteChat(group)],
  [
    'a code used elsewhere',
    'owner',
    /another channel/,
    ({ fleet }) => void fleet.redis.cli('HDEL', 'fl:{access}', 'owner:telegram:1'),
  ],
]

test.each(breaches)('names the step for %s', async (_what, step, found, act) => {
  await using done = await connect()
  const env = (await act(done)) ?? done.env
  const findings = await askDoctor(env, 'telegram')
  expect(listWrong(findings)).toEqual([toName(step)])
  expect(findings.find(({ level }) => level === 'error')?.found).toMatch(found)
})

async function setWebhook({ apiRoot, token }: TelegramSimulator): Promise<void> {
  await fetch(`${apiRoot}/bot${token}/setWebhook?url=https://example.org/secret-path`)
}

/** Fetches once, as another program would, and waits until the fleet has noticed. */
async function poll({ telegram, fleet }: Connected): Promise<void> {
  await telegram.ledger.waitFor(({ method, outcome }) => method === 'getUpdates' && outcome === 'open')
  await fetch(`${telegram.apiRoot}/bot${telegram.token}/getUpdates`)
  await until(async () => (await fleet.redis.cli('EXISTS', 'fl:{conflict-telegram-4200}')) === 1)
}

test('finds a group that moved where it is now, and one mode that privacy mode allows', async () => {
  await using done = await connect()
  done.telegram.upgradeGroup({ chat: group, to: -1_000_000_000_100, by: ada })
  done.telegram.sendText({ from: ada, chat: -1_000_000_000_100, text: '/mode@flotilla_test_bot mention' })
  await done.telegram.until(() =>
    done.telegram.visible(-1_000_000_000_100).find(({ from, text }) => from === 'bot' && text.includes('mention')),
  )
  done.telegram.setPrivacyMode(true)
  expect(listWrong(await askDoctor(done.env, 'telegram'))).toEqual([])
})

test('with a webhook it tells what Telegram says of it, until everything has arrived', async () => {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/telegram`
  const hook = { TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: 'right', FLOTILLA_PORT: String(port) }
  await using done = await connect(undefined, hook)
  expect(listWrong(await askDoctor(done.env, 'telegram'))).toEqual([])
  const { telegram } = done
  await fetch(`${telegram.apiRoot}/bot${telegram.token}/setWebhook?url=${url}&secret_token=wrong`)
  telegram.sendText({ from: ada, text: 'hello?' })
  await telegram.until(() => telegram.ledger.pushes.find(({ status }) => status === 401))
  const [secret] = (await askDoctor(done.env, 'telegram')).filter(({ level }) => level === 'error')
  expect(secret?.about).toBe(`Telegram step ${toName('start')}`)
  expect(secret?.fix).toContain('TELEGRAM_WEBHOOK_SECRET')
  await fetch(`${telegram.apiRoot}/bot${telegram.token}/setWebhook?url=${url}&secret_token=right`)
  await telegram.until(() => telegram.ledger.pushes.find(({ status }) => status === 200))
  expect(listWrong(await askDoctor(done.env, 'telegram'))).toEqual([])
  const elsewhere = { ...done.env, TELEGRAM_WEBHOOK_URL: 'https://elsewhere.example.org/telegram' }
  expect(listWrong(await askDoctor(elsewhere, 'telegram'))).toEqual([toName('start')])
})

test('where it could not look it warns and says why, and calls nothing wrong', async () => {
  await using done = await connect()
  const apart = { ...done.env, TELEGRAM_API_ROOT: `http://127.0.0.1:${await findFreePort()}` }
  const findings = await askDoctor(apart, 'telegram')
  expect(listWrong(findings)).toEqual([])
  expect(findings.filter(({ level }) => level === 'warning')).toMatchObject([
    { about: `Telegram step ${toName('token')}`, found: expect.stringMatching(/could not look: .*ECONNREFUSED/) },
  ])
  done.telegram.fault({ when: { method: 'getChat' }, fault: { kind: 'bad-gateway', accepted: false } })
  const [hidden] = (await askDoctor(done.env, 'telegram')).filter(({ level }) => level === 'warning')
  expect(hidden).toMatchObject({
    about: `Telegram step ${toName('add')}`,
    found: expect.stringContaining('could not look: Telegram cannot be reached'),
  })
})

test('while Redis is away only that is wrong', async () => {
  await using done = await connect()
  const apart = { ...done.env, REDIS_URL: `redis://127.0.0.1:${await findFreePort()}` }
  const findings = await askDoctor(apart, 'telegram')
  expect(listWrong(findings)).toEqual(['Redis'])
  expect(findings.filter(({ level }) => level === 'warning')).toMatchObject([
    { about: `Telegram step ${toName('start')}`, found: expect.stringContaining('could not look: ') },
  ])
})

test('with FLOTILLA_ALLOW=* nobody need own the bot or let a group in', async () => {
  await using open = await connect('owner', { FLOTILLA_ALLOW: '*' })
  expect(listWrong(await askDoctor(open.env, 'telegram'))).toEqual([])
})

test('in a terminal without the token it says that a process has it', async () => {
  await using done = await connect()
  const { TELEGRAM_BOT_TOKEN: _hidden, ...env } = done.env
  const [finding] = (await askDoctor(env)).filter(({ about }) => about === 'Telegram')
  expect(finding).toMatchObject({ level: 'warning', found: expect.stringContaining('a telegram process runs') })
})

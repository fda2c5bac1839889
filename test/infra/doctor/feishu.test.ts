// A newcomer leaves one thing out of infra/docs/feishu.md, a step, a permission or an event: doctor names it, and no other.
import { expect, test } from 'vitest'
import { feishuEvents, feishuRights, looking } from '#infra/doctor/feishu-needs.ts'
import { feishuSteps, type FeishuStep } from '#infra/doctor/feishu-steps.ts'
import type { Finding } from '#infra/checks/finding.ts'
import { toAccountName, toConnectedSign } from '#adapters/feishu/ids.ts'
import { toMonth } from '#queues/fleet/app-account.ts'
import { findFreePort } from '#test/rig/redis.ts'
import { askDoctor, listWrong, runDoctorProcess, type Env } from './connecting.ts'
import { code, connect, toName, type Connected } from './feishu-newcomer.ts'

const warnings = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ level }) => level === 'warning')
/** Every name of the table that a finding says. */
const namesIn = ({ found }: Pick<Finding, 'found'>): readonly string[] =>
  found.match(/\b(?:im|contact|cardkit|application|card)[.:][\w.:]+\w/g) ?? []

test('with all steps done every step is ok, with no permission but those of the document', async () => {
  await using done = await connect()
  const findings = await askDoctor(done.env, 'feishu')
  expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
  const checked = feishuSteps.filter((step) => 'look' in step)
  expect(findings.filter(({ about }) => about.startsWith('Feishu step'))).toHaveLength(checked.length)
})

for (const step of feishuSteps) {
  const seen = 'seenThrough' in step ? step.seenThrough : step.id
  test(`without "${step.title}" it names exactly that${seen === step.id ? '' : ', through a later one'}`, async () => {
    await using almost = await connect({ step: seen })
    const findings = await askDoctor(almost.env, 'feishu')
    expect(listWrong(findings)).toEqual([toName(seen)])
    expect(warnings(findings)).toEqual([])
    expect(findings.find(({ level }) => level === 'error')?.fix).toMatch(/\w+/)
  })
}

const isNeeded = ({ without }: { readonly without?: string }): boolean => without === undefined
const held = new Set(feishuRights.map(({ name }) => name))
/** No other permission of the list holds it. */
const standsAlone = ({ or = [] }: { readonly or?: readonly string[] }): boolean => !or.some((name) => held.has(name))
const needed = [
  ...feishuRights
    .filter((one) => isNeeded(one) && standsAlone(one))
    .map(({ name }) => ({ name, step: 'rights', left: { right: name } }) as const),
  ...feishuEvents.filter(isNeeded).map(({ name }) => ({ name, step: 'events', left: { event: name } }) as const),
]
test.each(needed)('without $name, which is needed, it names exactly that', async ({ name, step, left }) => {
  await using almost = await connect(left)
  const findings = await askDoctor(almost.env, 'feishu')
  expect(listWrong(findings)).toEqual([toName(step)])
  expect(warnings(findings)).toEqual([])
  expect(namesIn(findings.find(({ level }) => level === 'error') ?? { found: '' })).toEqual([name])
})

test('who hears all of a group hears mentions; without either it is deaf there, and both are named', async () => {
  await using almost = await connect({ right: 'im:message.group_at_msg:readonly' })
  expect((await askDoctor(almost.env, 'feishu')).filter(({ level }) => level !== 'ok')).toEqual([])
  almost.feishu.deny('im:message.group_msg')
  const findings = await askDoctor(almost.env, 'feishu')
  expect(listWrong(findings)).toEqual([toName('rights')])
  expect(namesIn(findings.find(({ level }) => level === 'error') ?? { found: '' })).toEqual([
    'im:message.group_at_msg:readonly',
    'im:message.group_msg',
  ])
})

test('without one that can be left out it warns, names exactly that, and says what is gone', async () => {
  await using done = await connect()
  const { feishu, env } = done
  for (const { name, without } of feishuRights) {
    if (without === undefined) continue
    feishu.deny(name)
    const findings = await askDoctor(env, 'feishu')
    expect(listWrong(findings), name).toEqual([])
    expect(warnings(findings), name).toMatchObject([{ about: `Feishu step ${toName('rights')}` }])
    expect(warnings(findings).flatMap(namesIn)).toEqual([name])
    expect(warnings(findings)[0]?.found).toContain(without)
    feishu.grant(name)
  }
  const all = [...feishuEvents.map(({ name }) => name), 'card.action.trigger']
  for (const { name, without } of feishuEvents) {
    if (without === undefined) continue
    feishu.subscribe(all.filter((one) => one !== name))
    const findings = await askDoctor(env, 'feishu')
    expect(listWrong(findings), name).toEqual([])
    expect(warnings(findings), name).toMatchObject([{ about: `Feishu step ${toName('events')}` }])
    expect(warnings(findings).flatMap(namesIn)).toEqual([name])
  }
})

test('a bot that was never told of its groups is let in by a word, and doctor misses that permission only', async () => {
  await using almost = await connect({ right: 'im:chat:readonly' })
  const findings = await askDoctor(almost.env, 'feishu')
  expect(listWrong(findings)).toEqual([])
  expect(warnings(findings).flatMap(namesIn)).toEqual(['im:chat:readonly'])
  expect(findings).toContainEqual(expect.objectContaining({ level: 'ok', about: `Feishu step ${toName('allow')}` }))
})

test('where it may not look at the subscriptions it says which permission lets it, and a later step is named', async () => {
  await using almost = await connect({ step: 'owner', right: looking[0] ?? '' })
  const findings = await askDoctor(almost.env, 'feishu')
  expect(listWrong(findings)).toEqual([toName('owner')])
  const [first, second, ...rest] = warnings(findings)
  expect([first?.about, second?.about]).toEqual(
    [toName('events'), toName('callback')].map((one) => `Feishu step ${one}`),
  )
  expect([first?.found, second?.found]).toEqual(Array(2).fill(`could not look: it lacks ${looking[0]}`))
  expect(rest).toEqual([])
})

test('permissions that hold more do as well', async () => {
  await using done = await connect()
  done.feishu.deny(...feishuRights.map(({ name }) => name))
  done.feishu.grant('im:message', 'im:chat', 'im:resource', 'im:message.group_msg', 'im:message.p2p_msg')
  done.feishu.grant('contact:contact:readonly_as_app', 'cardkit:card:write')
  expect((await askDoctor(done.env, 'feishu')).filter(({ level }) => level !== 'ok')).toEqual([])
})

test('as a process it prints the step with its fix, ends with 1, and shows no secret', async () => {
  await using almost = await connect({ step: 'write' })
  const { out, code: exit } = await runDoctorProcess(almost.env)
  expect(out.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([
    `FAIL  Feishu step ${toName('write')}: it may not write in "Harbour"`,
  ])
  expect(out).toContain('off   Discord: not connected: DISCORD_BOT_TOKEN is not set (step 3 of infra/docs/discord.md)')
  expect(exit).toBe(1)
  for (const secret of [almost.feishu.appSecret, 'sk-test', code]) expect(out).not.toContain(secret)
})

type Breach = readonly [
  what: string,
  FeishuStep,
  found: RegExp,
  act: (done: Connected) => Promise<Env | void> | Env | void,
]
const breaches: readonly Breach[] = [
  ['a fleet that stopped since', 'start', /without a feishu process/, (done) => done.stop()],
  [
    'a process that lost its connection',
    'start',
    /not connected/,
    async ({ fleet, feishu }) => {
      await fleet.redis.cli('DEL', `fl:{${toConnectedSign(feishu.appId)}}`)
    },
  ],
  ['a wrong secret', 'secret', /refuses/, ({ env }) => ({ ...env, FEISHU_APP_SECRET: 'another-secret-of-this-app' })],
  ['an app of the other cloud', 'secret', /refuses/, ({ env }) => ({ ...env, FEISHU_APP_ID: 'cli_0123456789abcdef' })],
  ['an app that was switched off', 'publish', /switched off/, ({ feishu }) => feishu.changeApp({ isEnabled: false })],
  ['a bot that was taken off', 'bot', /no bot/, ({ feishu }) => feishu.changeApp({ hasBotAbility: false })],
  ['a bot that was put out', 'add', /no group/, ({ feishu, group }) => feishu.removeBot(group, 'Ada')],
  ['a group that is no more', 'add', /no group/, ({ feishu, group }) => feishu.disband(group, 'Ada')],
  [
    'a mode that needs every message',
    'rights',
    /mode of "Harbour" is always, which needs im:message\.group_msg/,
    async ({ fleet, feishu, group }) => {
      feishu.deny('im:message.group_msg')
      await fleet.runtime.access.setMode(`feishu:${group}`, 'always')
    },
  ],
  [
    'a code used elsewhere',
    'owner',
    /another channel/,
    async ({ fleet, feishu }) => {
      await fleet.redis.cli('HDEL', 'fl:{access}', `owner:feishu:${feishu.person('Ada').openId}`)
    },
  ],
]

test.each(breaches)('names the step for %s', async (_what, step, found, act) => {
  await using done = await connect()
  const env = (await act(done)) ?? done.env
  const findings = await askDoctor(env, 'feishu')
  expect(listWrong(findings)).toEqual([toName(step)])
  expect(findings.find(({ level }) => level === 'error')?.found).toMatch(found)
})

test('with a webhook it compares where Feishu pushes to, and who chose what', async () => {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/feishu`
  const hook = {
    FEISHU_WEBHOOK_URL: url,
    FEISHU_ENCRYPT_KEY: 'a-key-of-the-page',
    FEISHU_VERIFICATION_TOKEN: 'simulated-verification-token',
    FLOTILLA_PORT: String(port),
  }
  await using done = await connect({}, hook)
  const ask = async (env: Env): Promise<unknown> =>
    (await askDoctor(env, 'feishu')).flatMap(({ level, about, found }) => (level === 'ok' ? [] : [[about, found]]))
  const both = (found: string) => [toName('events'), toName('callback')].map((name) => [`Feishu step ${name}`, found])
  expect(await ask(done.env)).toEqual([])
  const elsewhere = { ...done.env, FEISHU_WEBHOOK_URL: 'https://elsewhere.example.org/feishu' }
  expect(await ask(elsewhere)).toEqual(both('Feishu pushes to another address than FEISHU_WEBHOOK_URL'))
  const { FEISHU_WEBHOOK_URL: _, FEISHU_ENCRYPT_KEY: _key, FEISHU_VERIFICATION_TOKEN: _token, ...connection } = done.env
  await done.fleet.redis.cli('SET', `fl:{${toConnectedSign(done.feishu.appId)}}`, 'sign')
  expect(await ask(connection)).toEqual(both('Feishu pushes to an address, and none is set here'))
  done.feishu.useConnections()
  expect(await ask(done.env)).toEqual(both('Feishu pushes to no address'))
})

test('where it could not look it warns and says why, and calls nothing wrong', async () => {
  await using done = await connect()
  const apart = { ...done.env, FEISHU_DOMAIN: `http://127.0.0.1:${await findFreePort()}` }
  const findings = await askDoctor(apart, 'feishu')
  expect(listWrong(findings)).toEqual([])
  expect(warnings(findings)).toMatchObject([
    { about: `Feishu step ${toName('secret')}`, found: expect.stringMatching(/could not look: .*ECONNREFUSED/) },
  ])
  done.feishu.fault({ when: { route: 'getChat' }, fault: { kind: 'bad-gateway' } })
  expect(warnings(await askDoctor(done.env, 'feishu'))).toMatchObject([
    {
      about: `Feishu step ${toName('add')}`,
      found: expect.stringContaining('could not look: Feishu cannot be reached'),
    },
  ])
})

test('it warns from four fifths of the month’s calls on, and counts its own', async () => {
  await using done = await connect({}, { FEISHU_CALLS: '1000,6' })
  const { fleet, feishu, env } = done
  const account = `fl:{${toAccountName(feishu.appId)}}`
  const calls = async (env_: Env = env): Promise<Finding | undefined> =>
    (await askDoctor(env_, 'feishu')).find(({ about }) => about === 'Feishu calls')
  await fleet.redis.cli('HSET', account, 'month', toMonth(Date.now()), 'calls', '700')
  expect(await calls()).toMatchObject({ level: 'ok', found: expect.stringMatching(/^70\d of 1000 .*\(7[01] %\)/) })
  await fleet.redis.cli('HSET', account, 'calls', '800')
  expect(await calls()).toMatchObject({ level: 'warning', found: expect.stringMatching(/^80\d of 1000 .*\(8[01] %\)/) })
  expect(await calls({ ...env, FEISHU_CALLS: '0,6' })).toMatchObject({
    level: 'ok',
    found: expect.stringContaining('without a limit'),
  })
  feishu.changeApp({ quotaPerMonth: 0 })
  expect(await calls()).toMatchObject({ level: 'error', found: expect.stringContaining('used up its calls') })
})

// Secrets and people's words stay out of logs; secrets stay out of Redis and of what people and models read (threats T12).
import { expect, onTestFinished, test } from 'vitest'
import { startFleet } from '#test/rig/fleet.ts'
import { startSearchSimulator } from '#test/simulators/search/simulator.ts'

const canary = 'sk-canary-2f9d1c7ab34e'

const searchCanary = 'pw-canary-81c4'

test('the password of a search service is in nothing that is kept, logged, shown or asked', async () => {
  let logged = ''
  const search = await startSearchSimulator({ apiKey: 'none' })
  onTestFinished(() => search.close())
  const url = new URL(search.searxng)
  url.username = 'flotilla'
  url.password = searchCanary
  await using fleet = await startFleet({
    env: { FLOTILLA_SEARCH: `searxng=${url.href}`, FLOTILLA_LOG_LEVEL: 'trace' },
    onLog: (line) => (logged += line),
  })
  const calls = [{ name: 'search_web', arguments: '{"query":"rivers"}' }]
  fleet.model.script({ when: { text: 'search', last: 'user' }, answer: { kind: 'tools', calls } })
  for (const fault of [undefined, { kind: 'status', status: 500 }, { kind: 'page' }] as const) {
    // As often as a failed search is tried again.
    if (fault) search.fail(fault, 3)
    await fleet.ask('search the rivers')
  }
  expect(search.requests[0]?.headers.authorization).toContain('Basic')
  const kept = await Promise.all((await fleet.redis.admin.keys('*')).map((key) => fleet.redis.admin.dumpBuffer(key)))
  const asked = JSON.stringify(fleet.model.ledger.entries.map((entry) => entry.messages))
  const all = [logged, asked, JSON.stringify(await fleet.said()), ...kept.map((one) => one?.toString('latin1') ?? '')]
  expect(asked).toContain('500')
  expect(all.join('\n')).not.toContain(searchCanary)
})

test('no secret and no message text in any log, key, prompt or reply', async () => {
  let logged = ''
  await using fleet = await startFleet({
    env: { OPENAI_API_KEY: canary, FLOTILLA_LOG_LEVEL: 'trace' },
    onLog: (line) => (logged += line),
  })
  fleet.model.script({ when: { text: 'private words of mine?' }, times: 2, answer: { kind: 'error', status: 500 } })
  await fleet.ask('private words of mine?')
  fleet.model.script({ when: { text: 'more private words?' }, answer: { kind: 'error', status: 401 } })
  await fleet.ask('more private words?')
  expect(logged).toContain('did not answer')
  expect(logged).not.toContain(canary)
  expect(logged).not.toContain('private words')
  const everything: string[] = []
  for (const key of await fleet.redis.admin.keys('*')) {
    everything.push(key, (await fleet.redis.admin.dumpBuffer(key))?.toString('latin1') ?? '')
  }
  expect(everything.length).toBeGreaterThan(10)
  expect(everything.join('\n')).not.toContain(canary)
  expect(JSON.stringify(fleet.model.ledger.entries.map((entry) => entry.messages))).not.toContain(canary)
  expect(JSON.stringify(await fleet.said())).not.toContain(canary)
})

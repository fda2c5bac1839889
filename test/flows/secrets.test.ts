// Secrets and people's words stay out of logs; secrets stay out of Redis and of what people and models read (threats T12).
import { expect, test } from 'vitest'
import { startFleet } from '#test/rig/fleet.ts'

const canary = 'sk-canary-2f9d1c7ab34e'

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

// When the model fails: retry, wait as told, fall back, then one honest message. Never silence.
import { expect, test } from 'vitest'
import { startFleet } from '#test/rig/fleet.ts'

test.each(['end', 'mid-json', 'reset', 'malformed'] as const)(
  'tries again after a stream that ends by %s',
  async (kind) => {
    await using fleet = await startFleet()
    fleet.model.script({ when: { text: 'try me' }, times: 1, fault: { kind, afterChunks: 1 } })
    const reply = await fleet.ask('try me')
    expect(reply.text).toContain('echo: try me')
    expect(fleet.model.ledger.entries).toHaveLength(2)
  },
)

test('waits as long as a 429 says before it asks again, while others are answered', async () => {
  await using fleet = await startFleet()
  fleet.model.script({ when: { text: 'busy' }, times: 1, answer: { kind: 'error', status: 429, retryAfterS: 2 } })
  const askedAtMs = Date.now()
  const answered: string[] = []
  const busy = fleet.ask('busy', { conversation: 'web:x' }).then((reply) => answered.push(reply.text))
  await expect.poll(() => fleet.model.ledger.entries.length, { timeout: 10_000 }).toBe(1)
  await fleet.ask('what about me?', { conversation: 'web:y' }).then((reply) => answered.push(reply.text))
  await busy
  expect(Date.now() - askedAtMs).toBeGreaterThanOrEqual(2000)
  expect(answered).toEqual([expect.stringContaining('echo: what about me?'), expect.stringContaining('echo: busy')])
  expect(fleet.model.ledger.entries).toHaveLength(3)
})

test('answers by the fallback model when the main one is down', async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_FALLBACK_MODEL: 'sim-backup' } })
  fleet.model.script({ when: { model: 'sim-main' }, answer: { kind: 'error', status: 503 } })
  const reply = await fleet.ask('anyone?')
  expect(reply.text).toContain('echo: anyone?')
  expect(fleet.model.ledger.entries.map((entry) => entry.model)).toEqual([
    ...Array.from({ length: 4 }, () => 'sim-main'),
    'sim-backup',
  ])
})

test('says so once when every model is down, and /retry works later', async () => {
  await using fleet = await startFleet()
  fleet.model.script({ when: { model: 'sim-main' }, times: 4, answer: { kind: 'error', status: 500 } })
  const reply = await fleet.ask('which way is north?')
  expect(reply.text).toContain('/retry')
  expect(await fleet.said()).toHaveLength(1)
  expect((await fleet.ask('/retry', { slash: 'retry' })).text).toContain('echo: which way is north?')
})

test('a refused key is said in plain words, with one call', async () => {
  await using fleet = await startFleet()
  fleet.model.script({ when: { model: 'sim-main' }, answer: { kind: 'error', status: 401 } })
  const reply = await fleet.ask('hello, who won?')
  expect(reply.text).toContain('OPENAI_API_KEY')
  expect(fleet.model.ledger.entries).toHaveLength(1)
})

test('unknown tools and malformed arguments are told to the model, not run', async () => {
  await using fleet = await startFleet()
  fleet.model.script({
    when: { text: 'odd' },
    times: 1,
    answer: {
      kind: 'tools',
      calls: [
        { name: 'rm_rf', arguments: '{}' },
        { name: 'demo_wait', arguments: '{"seconds":' },
      ],
    },
  })
  fleet.model.script({ when: { model: 'sim-main' }, answer: { kind: 'text', text: 'done' } })
  // What no tool has done is not done.
  expect((await fleet.ask('odd')).text).toBe('(Not done: `rm_rf` failed, so please do not rely on it)\n\ndone')
  const results = fleet.model.ledger.entries[1]?.messages
    .filter((message) => message.role === 'tool')
    .map((message) => message.content)
  expect(results?.[0]).toContain('There is no tool')
  expect(results?.[1]).toContain('not one JSON object')
})

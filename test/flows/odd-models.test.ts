// Models that go wrong without failing: what they cost is bounded, people are told something, others are served meanwhile.
import process from 'node:process'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import { startFleet, type Fleet } from '#test/rig/fleet.ts'

const endless: Feature = {
  name: 'endless',
  tools: [
    {
      name: 'endless_read',
      description: 'Reads without end.',
      parameters: { type: 'object' },
      effect: 'read',
      onCrash: 'rerun',
      // A million tokens and more.
      run: async () => ({ text: 'row '.repeat(5_000_000), source: 'others' }),
    },
    {
      name: 'count',
      description: 'Counts.',
      parameters: { type: 'object', properties: { n: { type: 'number' } } },
      effect: 'read',
      onCrash: 'rerun',
      run: async () => ({ text: 'counted', source: 'own' }),
    },
  ],
}

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*', FLOTILLA_DAILY_TOKENS_PERSON: '30000' }, features: [endless] })
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
})
beforeEach(() => {
  fleet.model.clearScript()
  fleet.model.ledger.clear()
})
let rooms = 0
const room = (): { readonly conversation: string; readonly principal: string } => {
  const conversation = `web:odd-${++rooms}`
  return { conversation, principal: conversation }
}
const call = (name: string, given: unknown) => ({ name, arguments: JSON.stringify(given) })

/** The most that the heap and what lies beside it grew while it ran, in MB. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5)
  await work().finally(() => clearInterval(watch))
  return (most - before) / 1024 / 1024
}

test.each(['empty', 'whitespace', 'reasoning'] as const)(
  'an answer that is %s is asked for once more, and then told of once',
  async (kind) => {
    const where = room()
    fleet.model.script({ when: { text: 'say something?' }, answer: { kind } })
    const reply = await fleet.ask('say something?', where)
    expect(reply.text).toContain('without an answer')
    expect(fleet.model.ledger.entries).toHaveLength(2)
    expect(await fleet.said(where.conversation)).toHaveLength(1)
  },
)

test(
  '50 MB of an answer are cut while they stream, and others are answered meanwhile',
  { timeout: 60_000 },
  async () => {
    const where = room()
    fleet.model.script({ when: { text: 'huge?' }, answer: { kind: 'huge' } })
    const mb = await growth(async () => {
      const huge = fleet.ask('huge?', where)
      const askedAtMs = performance.now()
      await fleet.ask('what about me?', room())
      expect(performance.now() - askedAtMs).toBeLessThan(5000)
      const reply = await huge
      expect(reply.text.length).toBeLessThanOrEqual(300_000)
      expect(reply.text.isWellFormed()).toBe(true)
    })
    // With the simulator that makes them, which runs in this process too.
    expect(mb).toBeLessThan(64)
  },
)

test('20 MB of a result are cut before the model reads them', async () => {
  const where = room()
  const calls = [call('endless_read', {})]
  fleet.model.script({ when: { text: 'read', last: 'user' }, answer: { kind: 'tools', calls } })
  fleet.model.script({ when: { text: 'read', last: 'tool' }, answer: { kind: 'text', text: 'Rows.' } })
  expect((await fleet.ask('read the rows', where)).text).toContain('Rows.')
  const result = fleet.model.ledger.entries.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.content
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(20_100)
})

test.each<[what: string, limit: string, answer: (n: number) => unknown]>([
  ['the same call', 'repeating the same call', () => ({ n: 1 })],
  ['two calls that take turns', 'repeating the same call', (n) => ({ n: n % 2 })],
  ['always another call', 'steps', (n) => ({ n })],
])('a circle of %s ends by name within 25 steps', async (_, limit, given) => {
  let n = 0
  fleet.model.script({ answer: () => ({ kind: 'tools', calls: [call('count', given(n++))] }) })
  const reply = await fleet.ask('count for ever', room())
  expect(reply.text).toContain(limit)
  expect(fleet.model.ledger.entries.length).toBeLessThanOrEqual(25)
})

test('calls with one id, names that nobody has and keys of prototypes are told of, and the rest is run', async () => {
  const where = room()
  const calls = [
    { id: 'a', ...call('count', { n: 1 }) },
    { id: 'a', ...call('count', { n: 2 }) },
    { id: '__proto__', name: 'constructor', arguments: '{"__proto__":{"polluted":true}}' },
    { name: 'count', arguments: '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}' },
    { name: 'count', arguments: '{"n":' },
  ]
  fleet.model.script({ when: { text: 'odd', last: 'user' }, answer: { kind: 'tools', calls } })
  fleet.model.script({ when: { text: 'odd', last: 'tool' }, answer: { kind: 'text', text: 'Counted.' } })
  await fleet.ask('odd calls', where)
  const results = fleet.model.ledger.entries.at(-1)?.messages.filter(({ role }) => role === 'tool')
  expect(results?.map(({ content }) => content)).toEqual([
    'counted',
    'counted',
    'There is no tool "constructor".',
    'The arguments of "count" are not one JSON object. Send one.',
    'The arguments of "count" are not one JSON object. Send one.',
  ])
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(Object('')).not.toHaveProperty('polluted')
})

test(
  'who asks for ever spends what they may and no more, and is told so; others are served',
  { timeout: 60_000 },
  async () => {
    const eve = room()
    fleet.model.script({ when: (text) => text.includes('for ever'), answer: { kind: 'long', chunks: 300 } })
    let last = ''
    for (let i = 0; i < 60 && !last.includes('budget'); i++) last = (await fleet.ask(`go on for ever ${i}`, eve)).text
    expect(last).toContain('budget')
    const asked = fleet.model.ledger.entries.length
    await fleet.ask('and on for ever?', eve)
    expect(fleet.model.ledger.entries).toHaveLength(asked)
    expect((await fleet.ask('what about me?', room())).text).toContain('echo')
  },
)

// What people say of people and things is found by the fast model once their turns have ended, is told by memory_query, and goes with any of the messages
// that it came of: on the real processes.
import { expect, test } from 'vitest'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { findText } from '#test/rig/texts.ts'
import { startReflection } from '#test/rig/reflection.ts'

const scope = 'user:web:owner'
const conversation = 'web:home'

async function startProcesses(fleet: Fleet, processes: number): Promise<AsyncDisposable> {
  const parts = await Promise.all(Array.from({ length: processes }, () => startReflection(fleet)))
  return { [Symbol.asyncDispose]: async () => void (await Promise.all(parts.map((one) => one[Symbol.asyncDispose]()))) }
}

const found = JSON.stringify({
  entities: [
    { entity: 'SPEAKER', type: 'person', relations: [{ type: 'works at', to: 'Zebrafinch', confidence: 0.9 }] },
    { entity: 'Zebrafinch', type: 'project', facts: [{ key: 'city', value: 'Lyon', confidence: 0.9 }] },
    { entity: 'Umbrella', type: 'project', facts: [{ key: 'city', value: 'Lyon', confidence: 0.9 }] },
  ],
})

test(
  'found in three messages by one question, told by memory_query, gone with one message',
  { timeout: 90_000 },
  async () => {
    await using fleet = await startFleet({ env: { FLOTILLA_OWNERS: 'web:owner' } })
    await using _ = await startProcesses(fleet, 2)
    const { model, runtime, redis } = fleet
    const questions = (): number =>
      model.ledger.entries.filter(({ messages }) => JSON.stringify(messages.at(-1)).includes('Message 1 of SPEAKER'))
        .length
    model.script({ when: { text: 'of SPEAKER' }, answer: { kind: 'text', text: found } })
    model.script({
      when: { text: 'to do with Lyon' },
      times: 1,
      answer: {
        kind: 'tools',
        calls: [
          { name: 'memory_query', arguments: JSON.stringify({ query: 'what have I to do with Lyon', mode: 'graph' }) },
        ],
      },
    })
    model.script({ answer: { kind: 'text', text: 'I see.' } })
    const say = (text: string, messageId: string) => fleet.ask(text, { conversation, messageId })
    await say('I work at Zebrafinch now.', 'm1')
    await say('The Zebrafinch office is in Lyon.', 'm2')
    expect(questions()).toBe(0)
    await say('My desk is by the window.', 'm3')
    const walked = await until(async () => {
      const items = await runtime.graph.walk(scope, ['zebrafinch'])
      return items.length > 0 && items
    })
    expect(walked.map(({ item }) => [item.key, item.status, item.from])).toEqual(
      ['city', 'works at'].map((key) => [key, 'unconfirmed', [{ conversation, messages: ['m1', 'm2', 'm3'] }]]),
    )
    expect(await runtime.graph.walk(scope, ['umbrella'])).toEqual([])
    expect(Object.fromEntries(await runtime.graph.readCounts())).toMatchObject({ asked: 1, written: 2, invented: 1 })
    await say('What have I to do with Lyon?', 'm4')
    const told = JSON.stringify(model.ledger.entries.at(-1)?.messages)
    expect(told).toContain('the person you talk to: works at Zebrafinch (said by the person you talk to')
    expect(told).toContain('Zebrafinch: city Lyon')
    expect(questions()).toBe(1)
    for (const id of ['m2', 'm1']) {
      const replyTo = { messageId: id, fromBot: false, principal: 'web:owner' }
      await fleet.ask('/forget', { conversation, messageId: `f-${id}`, slash: 'forget', replyTo })
      await until(async () => (await runtime.graph.walk(scope, ['zebrafinch', '@web:owner'])).length === 0)
    }
    await until(async () => (await findText(redis.admin, 'Zebrafinch')).length === 0)
    expect(await redis.admin.keys('fl:{m*}:g[a-z]:*')).toEqual([])
  },
)

test('an answer that is none leaves nothing, and the reader goes on', { timeout: 90_000 }, async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_OWNERS: 'web:owner' } })
  await using _ = await startReflection(fleet)
  const { model, runtime } = fleet
  const many = Array.from({ length: 500 }, (__, n) => ({ entity: `E${n}`, type: 'concept' }))
  const bad = ['No idea.', JSON.stringify({ entities: many }), '{"entities":['.repeat(500)]
  for (const text of bad)
    model.script({ when: { text: 'Message 1 of SPEAKER' }, times: 1, answer: { kind: 'text', text } })
  model.script({ when: { text: 'of SPEAKER' }, answer: { kind: 'text', text: found } })
  model.script({ answer: { kind: 'text', text: 'I see.' } })
  const asked = async (): Promise<number> => (await runtime.graph.readCounts()).get('asked') ?? 0
  for (let round = 1; round <= 4; round += 1) {
    for (const n of [1, 2, 3])
      await fleet.ask('I work at Zebrafinch in Lyon.', { conversation, messageId: `r${round}-${n}` })
    await until(async () => (await asked()) === round)
  }
  await until(async () => (await runtime.graph.walk(scope, ['zebrafinch'])).length === 2)
  expect(Object.fromEntries(await runtime.graph.readCounts())).toMatchObject({ misshaped: 3, written: 2 })
})

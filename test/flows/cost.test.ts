// What answers cost, through a whole fleet: counted in tokens and money, told with what is left, and limited.
import { expect, test } from 'vitest'
import { startFleet, until } from '#test/rig/fleet.ts'

const status = { slash: 'status' } as const
const prices = { 'sim-main': { in: 1, out: 2 }, 'sim-other': { in: 1000, out: 2000 } }

test('money is counted at the price of the model that answered, told by /status, and limited for each day', async () => {
  await using fleet = await startFleet({
    env: {
      FLOTILLA_MODEL_PRICES: JSON.stringify(prices),
      FLOTILLA_FALLBACK_MODEL: 'sim-other',
      FLOTILLA_DAILY_USD: 'person=30',
      FLOTILLA_ALLOW: '*',
    },
  })
  await fleet.ask('What is one?')
  const payer = fleet.runtime.payer({ conversation: 'web:room', principal: 'web:owner' })
  const spent = await until(async () => {
    const { person } = await fleet.runtime.modelGate.spent(payer)
    // What was reserved is replaced.
    return person.micros < 3000 && person
  })
  expect(spent.micros).toBeGreaterThan(spent.tokens)
  expect(spent.micros).toBeLessThan(2 * spent.tokens)
  const told = (await fleet.ask('/status', status)).text
  const money = (spent.micros / 1_000_000).toString()
  // Owners have no budget of tokens of their own unless one is set; that of money is set here.
  expect(told).toContain(`- Today, you: ${spent.tokens} tokens; $${money} of $30.00`)
  expect(told).toContain(`- Today, everybody: ${spent.tokens} of 5000000 tokens`)
  expect(told).not.toContain('background')

  // The dearer one answers a thousand times as dear.
  fleet.model.script({ when: { text: 'two', model: 'sim-main' }, answer: { kind: 'error', status: 401 } })
  await fleet.ask('What is two?')
  const dear = await until(async () => {
    const { person } = await fleet.runtime.modelGate.spent(payer)
    return person.micros > 100_000 && person
  })
  expect(dear.micros).toBeGreaterThan(1000 * (dear.tokens - spent.tokens))

  await fleet.runtime.modelGate.reserve(payer, 'other', { tokens: 1, micros: 29_999_000 - dear.micros })
  const asked = fleet.model.ledger.entries.length
  expect((await fleet.ask('What is three?')).text).toContain('Send `/budget person $60` to raise it at once')
  expect(fleet.model.ledger.entries).toHaveLength(asked)

  // Who is no owner is told of themselves and of the chat alone.
  const bob = { conversation: 'web:bob', principal: 'web:bob' } as const
  const toBob = (await fleet.ask('/status', { ...status, ...bob })).text
  expect(toBob).toMatch(/Today, you: 0 of 200000 tokens, 200000 left; \$0\.00 of \$30\.00, \$30\.00 left/)
  expect(toBob).not.toContain('everybody')
})

test('one answer costs what it may at most, also by a model that has no price', async () => {
  await using fleet = await startFleet({
    env: {
      FLOTILLA_MODEL_PRICES: JSON.stringify({ 'sim-main': { in: 1000, out: 2000 } }),
      FLOTILLA_FALLBACK_MODEL: 'sim-free',
      FLOTILLA_TURN_USD: '0.01',
      FLOTILLA_ALLOW: '*',
    },
  })
  fleet.model.script({ when: { model: 'sim-main' }, answer: { kind: 'error', status: 401 } })
  const calls = [{ id: 'a', name: 'time_now', arguments: '{}' }]
  fleet.model.script({ when: { model: 'sim-free' }, answer: { kind: 'tools', text: 'I look.', calls } })
  expect((await fleet.ask('What time is it?')).text).toContain('This answer has cost as much as one may')
  expect(fleet.model.ledger.entries.map((entry) => entry.model)).toEqual(['sim-main', 'sim-free'])
})

test('an owner chooses the model of a chat, and others may not', async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_FAST_MODEL: 'sim-fast', FLOTILLA_ALLOW: '*' } })
  const ann = { conversation: 'web:room', principal: 'web:ann' } as const
  expect((await fleet.ask('/model', { slash: 'model', ...ann })).text).toContain('main `sim-main`, fast `sim-fast`')
  expect((await fleet.ask('/model fast', { slash: 'model', ...ann })).text).toBe('Only the bot’s owners choose this.')
  await fleet.ask('/model sim-fast', { slash: 'model' })
  await fleet.ask('What is one?', ann)
  await fleet.ask('What is two?', { conversation: 'web:elsewhere', principal: 'web:ann' })
  expect(fleet.model.ledger.entries.map((entry) => entry.model)).toEqual(['sim-fast', 'sim-main'])
  expect((await fleet.ask('/status', status)).text).toContain('Model: sim-fast')
})

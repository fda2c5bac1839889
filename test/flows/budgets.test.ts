// Budgets as people meet them: an owner has none of their own, sets those of others in the chat, and others hear in time.
import { expect, test } from 'vitest'
import { startFleet, type Fleet } from '#test/rig/fleet.ts'

const ann = { principal: 'web:ann', conversation: 'web:ann' }
const env = { FLOTILLA_OWNERS: 'web:owner', FLOTILLA_ALLOW: '*' }

const isTold = async (fleet: Fleet): Promise<number> =>
  (await fleet.said('web:ann')).filter(({ text }) => text.includes('of your budget for today')).length

/** As if so much had been used. */
async function use(fleet: Fleet, untilTokens: number): Promise<void> {
  const payer = fleet.runtime.payer({ principal: 'web:ann', conversation: 'web:elsewhere' })
  const { person } = await fleet.runtime.modelGate.spent(payer)
  await fleet.runtime.modelGate.reserve(payer, `used-${untilTokens}`, {
    tokens: untilTokens - person.tokens,
    micros: 0,
  })
}

test('somebody is told once that four fifths are used, stopped at the end, and goes on when an owner raises it', async () => {
  await using fleet = await startFleet({ env: { ...env, FLOTILLA_DAILY_TOKENS_PERSON: '' } })
  await fleet.ask('first question, why?', ann)
  expect(await isTold(fleet)).toBe(0)
  await use(fleet, 160_000)
  await fleet.ask('second question, why?', ann)
  await expect.poll(() => isTold(fleet)).toBe(1)
  await fleet.ask('third question, why?', ann)
  await use(fleet, 199_990)
  expect((await fleet.ask('fourth question, why?', ann)).text).toContain('budget')
  expect(await isTold(fleet)).toBe(1)
  const refused = await fleet.ask('/budget person 400000', { ...ann, slash: 'budget' })
  expect(refused.text).toBe('Only an owner can change that.')
  const set = await fleet.ask('/budget person 400k', { slash: 'budget' })
  expect(set.text).toContain('Each person: 400000 tokens (set by an owner with /budget)')
  expect((await fleet.ask('fifth question, why?', ann)).text).not.toContain('budget')
  expect((await fleet.ask('/status', { ...ann, slash: 'status' })).text).toMatch(/Today, you: \d+ of 400000 tokens/)
  const reset = await fleet.ask('/budget reset', { slash: 'budget' })
  expect(reset.text).toContain('Each person: 200000 tokens\n')
})

test('an owner has no budget of their own, and is told how to raise that of a chat', async () => {
  await using fleet = await startFleet({ env: { ...env, FLOTILLA_DAILY_TOKENS_CHAT: '20000' } })
  expect((await fleet.ask('/status', { slash: 'status' })).text).toMatch(/Today, you: \d+ tokens\n/)
  const payer = fleet.runtime.payer({ principal: 'web:owner', conversation: 'web:room', isOwner: true })
  await fleet.runtime.modelGate.reserve(payer, 'used', { tokens: 20_000, micros: 0 })
  expect((await fleet.ask('a question, why?')).text).toContain('Send `/budget chat 40000` to raise it at once')
  await fleet.ask('/budget chat 40000', { slash: 'budget' })
  expect((await fleet.ask('a question, why?')).text).not.toContain('budget')
})

test('where the budget is of money, four fifths of the money are told', async () => {
  const prices = JSON.stringify({ 'sim-main': { in: 1, out: 1 } })
  const money = { FLOTILLA_MODEL_PRICES: prices, FLOTILLA_DAILY_USD: 'person=10', FLOTILLA_DAILY_TOKENS_PERSON: '' }
  await using fleet = await startFleet({ env: { ...env, ...money } })
  await fleet.ask('first question, why?', ann)
  expect(await isTold(fleet)).toBe(0)
  const payer = fleet.runtime.payer({ principal: 'web:ann', conversation: 'web:elsewhere' })
  await fleet.runtime.modelGate.reserve(payer, 'used', { tokens: 0, micros: 8_500_000 })
  await fleet.ask('second question, why?', ann)
  await expect.poll(() => isTold(fleet)).toBe(1)
  expect((await fleet.said('web:ann')).map(({ text }) => text).join()).toMatch(/\(\$8\.5\d of \$10\.00\)/)
})

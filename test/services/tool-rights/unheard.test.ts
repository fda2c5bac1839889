// An owner was asked in private, and no word of theirs can come: who asked is told all the same, once.
import { expect, test } from 'vitest'
import { ann, toCommand } from '#test/rig/events.ts'
import { bob, eve, openShop, pay, textsOf, type Shop } from './approval-stage.ts'

const dayMs = 86_400_000
const asked = 'I have asked one in private'
const silent = 'The owner did not answer in time, so I did not do it.'
const noOwner = 'no owner can be asked now, so I did not do it.'

async function ask(shop: Shop, who: string, input: object): Promise<string> {
  shop.group.answers({ toolCalls: [pay('a', input)] })
  const said = await shop.group.ask('Buy it', { principal: who, group: true, name: who })
  await shop.settle()
  return said
}
const told = async ({ group }: Shop, part: string): Promise<number> =>
  (await textsOf(group)).filter((text) => text.includes(part)).length

test('for whom there is no room among the questions to an owner is told at once', async () => {
  const shop = openShop()
  const people = Array.from({ length: 10 }, (_, n) => `web:p${n}`)
  for (const who of people) expect(await ask(shop, who, { to: who, text: '"x" '.repeat(450) })).toContain(asked)
  const refused = await told(shop, noOwner)
  expect(refused).toBeGreaterThan(0)
  expect(shop.troubles).toHaveLength(refused)
  expect((await textsOf(shop.direct)).filter((text) => !text.includes('May I do this?'))).toEqual([])
  for (let passed = 0; passed < 20; passed++) {
    await shop.group.wait(dayMs)
    await shop.settle()
  }
  expect((await told(shop, silent)) + (await told(shop, noOwner))).toBe(people.length)
  expect(shop.made).toEqual([])
})

test('what waited in the chat of an owner who began a new session there ends after its time', async () => {
  const shop = openShop()
  for (const who of [bob, eve]) await ask(shop, who, { to: who })
  await shop.direct.ask('/new', { principal: ann, as: toCommand('new') })
  await shop.settle()
  expect(await told(shop, silent)).toBe(1)
  await shop.group.wait(4 * dayMs)
  expect(await told(shop, silent)).toBe(2)
  await shop.group.wait(30 * dayMs)
  expect(await told(shop, silent)).toBe(2)
})

test('what was decided is not said to have met with silence', async () => {
  const shop = openShop()
  await ask(shop, bob, { to: 'shop' })
  await shop.direct.press('Approve once')
  await shop.settle()
  expect(shop.made).toHaveLength(1)
  await shop.group.wait(30 * dayMs)
  expect(await told(shop, silent)).toBe(0)
  expect(shop.group.steps.flatMap(({ disarms = [] }) => disarms)).toEqual([expect.stringContaining('unheard')])
})

// How often an owner is asked: by one person in all their chats, and by all people together.
import { expect, test } from 'vitest'
import type { Stage } from '#test/services/executor/stage.ts'
import { bob, eve, openShop, pay, textsOf, type Shop } from './approval-stage.ts'

const asked = 'I have asked one in private'
const noOwner = 'no owner can be asked now, so I did not do it.'

/** Asks for a call, which the owner denies at once; whether the owner was asked. */
async function ask(shop: Shop, group: Stage, who: string, n: number): Promise<boolean> {
  const as = { principal: who, group: true, name: who }
  const countTold = async () => (await textsOf(group)).filter((text) => text.includes(noOwner)).length
  const before = await countTold()
  group.answers({ toolCalls: [pay('a', { n })] }, 'Then not.')
  if (!(await group.ask('Buy it', as)).includes(asked)) return false
  await shop.settle()
  if ((await countTold()) === before) {
    await shop.direct.press('Deny')
    await shop.settle()
    return true
  }
  // The model's other answer is still to come.
  await group.ask('Well?', as)
  return false
}

test('one person asks an owner ten times an hour from all chats together, and others beside them', async () => {
  const shop = openShop()
  const groups = [shop.group, shop.openGroup(), shop.openGroup()]
  let times = 0
  for (let n = 0; n < 18; n++)
    for (const group of groups.slice(n % 3, (n % 3) + 1)) times += Number(await ask(shop, group, bob, n))
  expect(times).toBe(10)
  for (const group of groups) expect(await ask(shop, group, eve, 100)).toBe(true)
  for (const stage of [...groups, shop.direct]) await stage.wait(3_600_001)
  for (const group of groups) expect(await ask(shop, group, bob, 200)).toBe(true)
})

test('an owner is asked twenty times an hour by all people together, and who comes then is told', async () => {
  const shop = openShop()
  let times = 0
  for (let n = 0; n < 24; n++) times += Number(await ask(shop, shop.group, `web:p${n}`, n))
  expect(times).toBe(20)
  expect((await textsOf(shop.group)).filter((text) => text.includes(noOwner))).toHaveLength(4)
  expect(shop.made).toEqual([])
})

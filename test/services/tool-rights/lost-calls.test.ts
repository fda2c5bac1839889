// A worker is lost during a call that must not be repeated: it is not, and a person says what is to become of it. They look, and press.
import { expect, test } from 'vitest'
import { ann } from '#test/rig/events.ts'
import { bob, buttonsOf, openShop, pay, textsOf, type Shop } from './approval-stage.ts'

const own = { principal: ann, group: true, name: 'Ann' } as const
const dayMs = 86_400_000
/** Of a turn: its start, the answer, the announcement of the call, its result. One that begins with an approved call needs no answer. */
const resultStep = 4
const approvedResultStep = 3

/** Says it, and loses the worker once the call took effect and before that is stored; another one goes on. */
async function lose(shop: Shop, by: { principal: string } = own): Promise<void> {
  shop.group.answers({ toolCalls: [pay('a')] })
  shop.group.loseAt(resultStep, 'before')
  await shop.group.say('Pay the shop', { group: true, name: 'Ann', ...by })
  await shop.group.work()
  expect(shop.made).toHaveLength(1)
  await shop.group.work()
  await shop.settle()
}
const open = () => openShop({ onCrash: 'ask' })
const lastSaid = (shop: Shop): string =>
  shop.group.requests
    .at(-1)
    ?.messages.map(({ content }) => content)
    .join('\n') ?? ''

test('it is not repeated, and a card says what is not known and shows the call', async () => {
  const shop = open()
  await lose(shop)
  const card = (await textsOf(shop.group)).at(-1) ?? ''
  for (const part of [
    '**I was interrupted while doing this**',
    '`pay` · changes things outside · cut short, perhaps it took effect',
    '"to": "shop"',
    'nobody knows whether it took effect',
  ])
    expect(card).toContain(part)
  expect(await buttonsOf(shop.group)).toEqual(['It is done', 'Leave it', 'Do it again'])
  expect(shop.made).toHaveLength(1)
  expect(shop.group.requests).toHaveLength(1)
})

test('one who has seen that it is done says so, and the turn goes on without it', async () => {
  const shop = open()
  await lose(shop)
  shop.group.answers('Bought.')
  expect(await shop.group.press('It is done')).toContain('Bought.')
  expect(lastSaid(shop)).toContain('is done all the same, not to be made again: 1 pay')
  expect((await textsOf(shop.group)).join()).toContain(
    'while doing this**\n\n`pay` · changes things outside · done already',
  )
  expect(shop.made).toHaveLength(1)
})

test('it is made again after two presses, as it was, under the key that it had', async () => {
  const shop = open()
  await lose(shop)
  expect(await shop.group.press('Do it again')).toContain(
    'the second and last time that I ask. “Yes, do it” does it again at once, and it may take effect twice.',
  )
  expect(shop.made).toHaveLength(1)
  expect(await buttonsOf(shop.group)).toEqual(['Leave it', 'Yes, do it'])
  shop.group.answers('Bought.')
  expect(await shop.group.press('Yes, do it')).toContain('Bought.')
  const [first, second] = shop.made
  expect(shop.made).toHaveLength(2)
  expect(second).toEqual(first)
})

test('of two that are alike the one that was cut short is made again under its own key', async () => {
  const shop = open()
  shop.group.answers({ toolCalls: [pay('a'), pay('b')] })
  await shop.group.ask('Pay twice', { principal: bob, group: true, name: 'Bob' })
  await shop.settle()
  // The second one's result: after the first one's, and its own announcement.
  shop.group.loseAt(approvedResultStep + 2, 'before')
  await shop.direct.press('Approve all once')
  await shop.settle()
  await shop.settle()
  await shop.direct.press('Do it again')
  await shop.direct.press('Yes, do it')
  await shop.settle()
  expect(shop.made.map(({ key }) => key.slice(-2))).toEqual(['/a', '/b', '/b'])
})

test('it may be left as it is, and the model is told', async () => {
  const shop = open()
  await lose(shop)
  shop.group.answers('Left.')
  expect(await shop.group.press('Leave it')).toContain('Left.')
  expect(lastSaid(shop)).toContain('Denied, not to be made: 1 pay')
  expect(shop.made).toHaveLength(1)
})

test('when nobody answers it is not made again, and the card says what is still not known', async () => {
  const shop = open()
  await lose(shop)
  expect(await shop.group.wait(dayMs + 1000)).toContain(
    'so I did nothing. Whether what was cut short took effect is still unknown.',
  )
  expect(shop.made).toHaveLength(1)
})

test('a worker that is lost once more during it has people asked once more, under the same key', async () => {
  const shop = open()
  await lose(shop)
  await shop.group.press('Do it again')
  shop.group.loseAt(approvedResultStep, 'before')
  await shop.group.press('Yes, do it')
  expect(shop.made).toHaveLength(2)
  await shop.group.work()
  expect(await buttonsOf(shop.group)).toEqual(['It is done', 'Leave it', 'Do it again'])
  await shop.group.press('Do it again')
  shop.group.answers('Bought.')
  expect(await shop.group.press('Yes, do it')).toContain('Bought.')
  expect(new Set(shop.made.map(({ key }) => key)).size).toBe(1)
})

test('of a member’s call, which an owner approved, the owner is asked', async () => {
  const shop = open()
  shop.group.answers({ toolCalls: [pay('a')] })
  await shop.group.say('Pay the shop', { principal: bob, group: true, name: 'Bob' })
  await shop.group.work()
  await shop.settle()
  await shop.direct.press('Approve once')
  shop.group.loseAt(approvedResultStep, 'before')
  await shop.settle()
  expect(shop.made).toHaveLength(1)
  await shop.settle()
  expect(await buttonsOf(shop.direct)).toEqual(['It is done', 'Leave it', 'Do it again'])
  await shop.direct.press('It is done')
  shop.group.answers('Bought.')
  await shop.settle()
  expect((await textsOf(shop.group)).join()).toContain('Bought.')
  expect(shop.made).toHaveLength(1)
})

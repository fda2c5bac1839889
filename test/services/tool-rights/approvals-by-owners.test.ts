// What its person has no right to is asked of an owner in their direct chat, by letter: once, for good, denied, in silence; and what others try with it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deletion, toApply, toCommand, ann } from '#test/rig/events.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { bob, buttonsOf, eve, openShop, pay, read, textsOf, type Shop } from './approval-stage.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())

const member = { principal: bob, group: true, name: 'Bob' } as const
const dayMs = 86_400_000
const url = 'https://api.example/v1/notes'

async function ask(shop: Shop, ...calls: readonly ReturnType<typeof pay>[]): Promise<string> {
  shop.group.answers({ toolCalls: calls })
  const said = await shop.group.ask('Buy it', member)
  await shop.settle()
  return said
}

test.each(['memory', 'redis'] as const)('an owner approves in private, for a member, once (%s)', async (kind) => {
  const shop = openShop(kind === 'redis' ? { kernel: store.kernel } : {})
  expect(await ask(shop, pay('a'))).toContain('`pay` needs an owner’s approval: I have asked one in private.')
  expect(await buttonsOf(shop.group)).toEqual([])
  const card = (await textsOf(shop.direct)).at(-1) ?? ''
  expect(card).toContain(`Asked by \`Bob\` (\`web:bob\`), for: \`Buy it\`\nIn the group \`${shop.home}\``)
  expect(card).toContain('`Bob` may not use this tool, so you decide.')
  expect(await buttonsOf(shop.direct)).toEqual(['Approve once', 'Deny', 'For 30 days'])
  expect(await shop.direct.press('Approve once', bob)).toBe('FORBIDDEN')
  shop.group.answers('Bought.')
  expect(card).toContain('"For 30 days" approves, in the chat of this request, calls with')
  const ended = await shop.direct.press('Approve once')
  expect(ended).toContain('I pass it on.')
  // It is not what was pressed.
  expect(ended).not.toContain('For 30 days')
  await shop.settle()
  await shop.settle()
  expect(shop.made).toEqual([{ key: expect.stringContaining('/tool/0/a'), input: { to: 'shop' }, by: bob }])
  expect((await textsOf(shop.group)).at(-1)).toBe('Bought.')
  expect(await shop.direct.press('Approve once')).toContain('ALREADY')
})

test('what is approved when its tool is gone is not made, and both sides hear of it', async () => {
  let isOpen = true
  const shop = openShop({ isOpen: () => isOpen })
  expect(await ask(shop, pay('a'))).toContain('`pay` needs an owner’s approval: I have asked one in private.')
  isOpen = false
  shop.group.answers('It is not there any more.')
  expect(await shop.direct.press('Approve once')).toContain('I pass it on.')
  await shop.settle()
  await shop.settle()
  expect(shop.made).toEqual([])
  expect(shop.troubles).toEqual([])
  const told = shop.group.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.content
  expect(told).toContain('"pay" is not there any more.')
  expect((await textsOf(shop.group)).at(-1)).toContain('It is not there any more.')
})

test('for good it covers what is alike, is listed, and taken back', async () => {
  const shop = openShop()
  await ask(shop, pay('a', { url }))
  shop.group.answers('Bought.')
  await shop.direct.press('For 30 days')
  await shop.settle()
  expect(shop.made).toHaveLength(1)
  shop.group.answers({ toolCalls: [pay('b', { url: `${url}/7` })] }, 'Again.')
  expect(await shop.group.ask('Buy it', member)).toBe('Again.')
  expect(shop.made).toHaveLength(2)
  for (const who of [
    { principal: bob, group: true, name: 'Bob' },
    { principal: ann, group: true, name: 'Ann' },
  ]) {
    const seen = await shop.group.ask('/tools', { ...who, as: toCommand('tools') })
    expect(seen).toContain('all calls to `https://api.example/…` and what is below it')
    expect(seen).not.toContain('api.example/v1')
  }
  const list = await shop.group.ask('/tools', { principal: ann, as: toCommand('tools') })
  expect(list).toContain(`1 · \`pay\` · all calls to \`${url}\` and what is below it · by \`web:ann\``)
  const revoke = { as: toCommand('tools', 'revoke 1') }
  expect(await shop.group.ask('/tools revoke 1', { ...revoke, principal: bob })).toContain('Only an owner')
  expect(await shop.group.ask('/tools revoke 1', { ...revoke, principal: ann })).toContain('Taken back')
  expect(await ask(shop, pay('c', { url: `${url}/7` }))).toContain('I have asked one')
})

test.each([
  ['another path', { url: 'https://api.example/v1/notes2' }],
  ['a path that climbs', { url: `${url}/../admin` }],
  ['what cannot be taken back', { url: `${url}/wipe` }],
])('for good it does not cover %s', async (_, input) => {
  const shop = openShop()
  await ask(shop, pay('a', { url }))
  shop.group.answers('Bought.')
  await shop.direct.press('For 30 days')
  await shop.settle()
  expect(await ask(shop, pay('b', input))).toContain('I have asked one')
  expect(shop.made).toHaveLength(1)
})

test('for good it covers no turn that has read what others wrote, ends after thirty days, and with its owner', async () => {
  const shop = openShop()
  await ask(shop, pay('a', { url }))
  shop.group.answers('Bought.')
  await shop.direct.press('For 30 days')
  await shop.settle()
  shop.group.answers({ toolCalls: [read] }, { toolCalls: [pay('b', { url })] })
  expect(await shop.group.ask('Read it', member)).toContain('I have asked one')
  await shop.settle()
  expect(await buttonsOf(shop.direct)).toEqual(['Approve once', 'Deny'])
  await shop.direct.press('Deny')
  await shop.settle()
  await shop.group.ask('/new', { ...member, principal: ann, as: toCommand('new') })
  shop.owners.delete(ann)
  shop.owners.add(eve)
  shop.group.answers({ toolCalls: [pay('c', { url, n: 2 })] })
  expect(await shop.group.ask('Buy it', member)).not.toContain('Bought')
  shop.owners.add(ann)
  await shop.group.wait(31 * dayMs)
  shop.group.answers({ toolCalls: [pay('d', { url, n: 3 })] })
  await shop.group.ask('Buy it', member)
  expect(shop.made).toHaveLength(1)
})

test('where an owner keeps silent nothing is made, and who asked is told once', async () => {
  const shop = openShop()
  await ask(shop, pay('a'))
  await shop.group.wait(2 * dayMs)
  await shop.settle()
  await shop.settle()
  expect((await textsOf(shop.direct)).at(-1)).toContain('Nobody answered in time, so I did nothing.')
  expect((await textsOf(shop.group)).filter((text) => text.includes('The owner did not answer'))).toHaveLength(1)
  expect(shop.made).toEqual([])
})

test('where no owner can be reached the model is told at once', async () => {
  const shop = openShop()
  shop.reached.clear()
  shop.group.answers({ toolCalls: [pay('a')] }, 'I cannot.')
  expect(await shop.group.ask('Buy it', member)).toBe('I cannot.')
  expect(JSON.stringify(shop.group.requests.at(-1)?.messages)).toContain('no owner who may approve it can be reached')
})

test('who lost the right before the call is made approves nothing', async () => {
  const shop = openShop()
  await ask(shop, pay('a'))
  await shop.direct.press('Approve once')
  shop.owners.delete(ann)
  shop.group.answers('I could not.')
  await shop.settle()
  expect(shop.made).toEqual([])
})

test('what is over where it was asked is not made: by /new, or since the message is forgotten', async () => {
  for (const end of ['new', 'forget'] as const) {
    const shop = openShop()
    await ask(shop, pay('a'))
    await shop.direct.press('Approve once')
    if (end === 'new') await shop.group.ask('/new', { ...member, principal: ann, as: toCommand('new') })
    else {
      const { home: conversation, firstMessage: messageId } = shop
      await shop.group.put(deletion(messageId, { conversation }), toApply('delete'))
      await shop.group.work()
    }
    await shop.settle()
    expect(shop.made).toEqual([])
  }
})

test('forgotten in the group, the request leaves the owner’s chat: its card, its question and its row', async () => {
  const shop = openShop()
  await ask(shop, pay('a', { url: `${url}/canary` }))
  expect(JSON.stringify(await textsOf(shop.direct))).toContain('canary')
  const { home: conversation, firstMessage: messageId } = shop
  await shop.group.put(deletion(messageId, { conversation }), toApply('delete'))
  await shop.group.work()
  await shop.settle()
  expect(JSON.stringify(await textsOf(shop.direct))).not.toContain('canary')
  expect(await buttonsOf(shop.direct)).toEqual([])
  expect(await shop.direct.press('Approve once').catch(() => 'no card')).not.toContain('I pass it on')
  await shop.settle()
  expect(shop.made).toEqual([])
})

test('an approval that is altered on its way is refused, and the operator is told', async () => {
  const shop = openShop()
  await ask(shop, pay('a'))
  await shop.direct.press('Approve once')
  const sent = shop.direct.steps.flatMap(({ letters = [] }) => letters).at(-1)
  if (!sent) throw new Error('Nothing was sent.')
  const event = { ...sent.event, id: 'forged', at: 0, payload: sent.event.payload.replace('shop', 'evil') }
  await shop.group.put(event, toApply('letter'))
  await shop.group.work()
  expect(shop.made).toEqual([])
  expect(shop.troubles.join()).toContain('not what was asked')
})

test('what is too long for a letter is refused in words that the model reads', async () => {
  const shop = openShop()
  shop.group.answers({ toolCalls: [pay('a', { text: 'x'.repeat(7000) })] }, 'Too long.')
  expect(await shop.group.ask('Buy it', member)).toBe('Too long.')
  expect(JSON.stringify(shop.group.requests.at(-1)?.messages)).toContain('too long to be shown for approval')
})

test('the longest that fits arrives, also of signs that JSON writes long', async () => {
  const shop = openShop()
  expect(await ask(shop, pay('a', { text: '"'.repeat(1400) }))).toContain('I have asked one')
  expect(await buttonsOf(shop.direct)).toEqual(['Show all', 'Deny'])
  expect(shop.troubles).toEqual([])
})

test('the very same call is not asked for again right after it was denied, and no more than ten times an hour of an owner', async () => {
  const shop = openShop()
  await ask(shop, pay('a'))
  shop.group.answers({ toolCalls: [pay('b')] }, 'Then not.')
  await shop.direct.press('Deny')
  await shop.settle()
  expect((await textsOf(shop.group)).at(-1)).toBe('Then not.')
  expect(JSON.stringify(shop.group.requests.at(-1)?.messages)).toContain('has just denied exactly this call')
  let asked = 1
  for (let n = 0; n < 25; n++) {
    shop.group.answers({ toolCalls: [pay('a', { n })] }, 'Then not.')
    if (!(await shop.group.ask('Buy it', member)).includes('I have asked one')) continue
    asked++
    await shop.settle()
    await shop.direct.press('Deny')
    await shop.settle()
  }
  expect(asked).toBe(10)
})

test('no more than four cards of one person wait for an owner, and those of others beside them', async () => {
  const shop = openShop()
  const said: boolean[] = []
  for (let n = 0; n < 6; n++) said.push((await ask(shop, pay('a', { n }))).includes('I have asked one'))
  expect(said).toEqual([true, true, true, true, false, false])
  shop.group.answers({ toolCalls: [pay('b')] })
  expect(await shop.group.ask('Buy it', { ...member, principal: eve, name: 'Eve' })).toContain('I have asked one')
})

test('a stop of its requester ends what waits for an owner, and that of nobody else', async () => {
  const shop = openShop()
  await ask(shop, pay('a'))
  await shop.group.ask('/stop', { ...member, principal: eve, name: 'Eve', as: toCommand('stop') })
  await shop.group.ask('/stop', { ...member, as: toCommand('stop') })
  await shop.direct.press('Approve once')
  await shop.settle()
  expect(shop.made).toEqual([])
  expect((await textsOf(shop.group)).at(-1)).toContain('answered too late')
})

test('a worker lost at any step, there or here, makes the call under one key, and answers once', async () => {
  for (const place of ['group', 'direct'] as const)
    for (const side of ['before', 'after'] as const)
      for (let n = 1; n <= 6; n++) {
        const shop = openShop()
        await ask(shop, pay('a'))
        shop.group.answers(...Array.from({ length: 4 }, () => 'Bought.'))
        shop[place].loseAt(n, side)
        await shop.direct.press('Approve once')
        for (let pass = 0; pass < 3; pass++) {
          await shop.group.wait(21_000)
          await shop.direct.work()
          await shop.settle()
        }
        expect(new Set(shop.made.map(({ key }) => key)).size).toBe(1)
        expect((await textsOf(shop.group)).filter((text) => text === 'Bought.')).toHaveLength(1)
      }
})

test.each([
  [{ ...member, title: 'The shop *team*' }, 'In the group `The shop *team*` (`'],
  [{ principal: bob }, 'In their direct chat with me'],
] as const)('the owner reads in which chat it was asked: %o', async (who, place) => {
  const shop = openShop()
  shop.group.answers({ toolCalls: [pay('a')] })
  await shop.group.ask('Buy it', who)
  await shop.settle()
  expect((await textsOf(shop.direct)).at(-1)).toContain(place)
})

test('in Chinese too', async () => {
  const shop = openShop()
  await shop.direct.ask('你好')
  shop.group.answers({ toolCalls: [pay('a')] })
  await shop.group.ask('买一个', { ...member, title: '小店' })
  await shop.settle()
  expect((await textsOf(shop.direct)).at(-1)).toContain(`来自群：\`小店\`（\`${shop.home}\`）`)
})

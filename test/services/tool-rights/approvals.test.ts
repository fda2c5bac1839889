// The requester approves their own calls: once, denied with a reason, several on one card, what cannot be taken back, silence; and a worker is lost.
import { expect, test } from 'vitest'
import { ann, message, toAck, toApply, toCommand, wonPress } from '#test/rig/events.ts'
import { bob, buttonsOf, cardOf, eve, openShop, pay, read, textsOf, type Shop } from './approval-stage.ts'

const own = { principal: ann, group: true, name: 'Ann' } as const
const dayMs = 86_400_000

/** Ann's model has read a page, and wants these made. */
async function ask(shop: Shop, ...calls: readonly ReturnType<typeof pay>[]): Promise<string> {
  shop.group.answers({ toolCalls: [read] }, { toolCalls: calls })
  return await shop.group.ask('Read it and pay', own)
}
/** A reply to the card. */
async function reply(shop: Shop, words: string, more = {}): Promise<void> {
  const { id: question = '', payload = '', kind: about = '', card } = cardOf(shop.group) ?? {}
  const { conversation } =
    shop.group.steps.length > 0 ? { conversation: String(JSON.parse(payload).home) } : { conversation: '' }
  const event = { conversation, principal: ann, name: 'Ann', question, payload, choice: '', words, said: true } as const
  await shop.group.put(wonPress({ ...event, id: `r-${words}`, about, card, ...more }), toApply('answer'))
  await shop.group.work()
}

test('the card shows the call, who asked, why it is needed, and what silence means; the press makes it once', async () => {
  const shop = openShop({ zone: 'Europe/Berlin' })
  const card = await ask(shop, pay('a'))
  expect(card).not.toContain('I need an approval before I go on.')
  for (const part of [
    '**May I do this?**',
    '`pay` · changes things outside',
    '"to": "shop"',
    'Asked by `Ann` (`web:ann`), for: `Read it and pay`',
    'text by others (`page`)',
    '(Europe/Berlin), I do not do it. To deny it and say why, reply to this message.',
  ])
    expect(card).toContain(part)
  expect(await buttonsOf(shop.group)).toEqual(['Approve once', 'Deny'])
  expect((await shop.group.sent()).find(({ asks }) => asks)).toMatchObject({ asks: { denies: true } })
  expect((await shop.group.sent()).find(({ asks }) => asks)?.asks).not.toHaveProperty('dated')
  expect(shop.made).toEqual([])
  shop.group.answers('Bought.')
  expect(await shop.group.press('Approve once')).toContain('Bought.')
  expect(shop.made).toEqual([{ key: expect.stringContaining('/tool/1/a'), input: { to: 'shop' }, by: ann }])
  const ended = (await shop.group.sent()).find(({ text }) => text.includes('✓ Approved by `web:ann`.'))
  expect(ended).toMatchObject({ replaces: expect.anything(), text: expect.stringContaining('approved once') })
  expect(ended?.buttons).toBeUndefined()
  expect(await shop.group.press('Approve once')).toContain('ALREADY')
  expect(shop.made).toHaveLength(1)
})

test('a call that is short, and longer as people are shown it than a card can show, is asked of nobody', async () => {
  const shop = openShop()
  await ask(shop, pay('a', { to: '\u00a0'.repeat(25_000) }))
  expect((await shop.group.sent()).filter(({ asks }) => asks)).toEqual([])
  expect(JSON.stringify(shop.group.requests.at(-1)?.messages)).toContain('too long to be shown for approval')
  expect(shop.made).toEqual([])
})

test('it stands beside a question, and a second one says that it comes later', async () => {
  const shop = openShop()
  const texts = async (): Promise<string> => (await textsOf(shop.group)).join('\n')
  const choice = { kind: 'choice', question: 'Which?', options: [{ label: 'Tea' }, { label: 'Milk' }] }
  const asked = { ...choice, why: 'It matters.', otherwise: 'Tea.' }
  shop.group.answers({ toolCalls: [{ id: 'h', name: 'human_ask', arguments: JSON.stringify(asked) }] })
  await shop.group.ask('Make a drink', own)
  expect(await buttonsOf(shop.group)).toEqual(['Tea', 'Milk'])
  await ask(shop, pay('a'))
  expect(await buttonsOf(shop.group)).toEqual(['Approve once', 'Deny'])
  expect(await texts()).not.toMatch(/I need an approval|I go on when/)
  const later = await ask(shop, pay('b', { to: 'other' }))
  expect(later).toContain('I need an approval before I go on. Mine comes once the one above is answered')
  shop.group.answers('Bought.')
  await shop.group.press('Deny')
  expect(await texts()).toContain('"to": "other"')
})

test('who is alone with the bot is "you"', async () => {
  const shop = openShop()
  shop.group.answers({ toolCalls: [read] }, { toolCalls: [pay('a')] })
  expect(await shop.group.ask('Read it and pay')).toContain('Asked by you, for: `Read it and pay`')
  shop.group.answers('Bought.')
  await shop.group.press('Approve once')
  expect((await textsOf(shop.group)).join()).toContain('✓ Approved by you.')
})

test('in Chinese', async () => {
  const shop = openShop()
  shop.group.answers({ toolCalls: [read] }, { toolCalls: [pay('a')] })
  const card = await shop.group.ask('读一下再付款', own)
  expect(card).toContain('可以这样做吗？')
  expect(card).toContain('24 小时内没有回答，我就不做。')
  shop.group.answers('好了。')
  await shop.group.press('批准一次')
  expect(shop.made).toHaveLength(1)
})

test('nobody but who was asked presses, and neither does who presses from elsewhere', async () => {
  const shop = openShop()
  await ask(shop, pay('a'))
  expect(await shop.group.press('Approve once', bob)).toBe('FORBIDDEN')
  expect(await shop.group.press('Approve once', eve)).toBe('FORBIDDEN')
  expect(await shop.direct.press('Approve once')).not.toContain('Bought')
  expect(shop.made).toEqual([])
})

test('a reply denies, and the model reads why; a plain yes approves nothing and is told to press', async () => {
  const shop = openShop()
  await ask(shop, pay('a'))
  await reply(shop, 'ok')
  expect((await textsOf(shop.group)).at(-1)).toContain('To approve, press a button.')
  expect(shop.made).toEqual([])
  shop.group.answers('I leave it.')
  await reply(shop, 'Wrong shop')
  expect((await textsOf(shop.group)).at(-1)).toBe('I leave it.')
  expect(shop.made).toEqual([])
  const { messages = [] } = shop.group.requests.at(-1) ?? {}
  expect(JSON.stringify(messages)).toContain('Denied, not to be made: 1 pay (Ann says: Wrong shop)')
})

test.each(['ok', 'Yes, go ahead', 'sure, thank you!', '好的，做吧', '好的，特别感谢', '好的谢谢'])(
  '"%s" in reply denies nothing',
  async (words) => {
    const shop = openShop()
    await ask(shop, pay('a'))
    await reply(shop, words)
    expect((await textsOf(shop.group)).at(-1)).toMatch(/To approve, press a button\.|要批准，请点按钮。/)
    expect(shop.made).toEqual([])
  },
)

test.each(['yes, but only half of it', 'ok, do not do it', '好的，不过别买了', '好贵'])(
  '"%s" in reply denies',
  async (words) => {
    const shop = openShop()
    await ask(shop, pay('a'))
    shop.group.answers('I leave it.')
    await reply(shop, words)
    expect((await textsOf(shop.group)).at(-1)).toBe('I leave it.')
    expect(shop.made).toEqual([])
  },
)

test('a plain yes beside an open card is told that it is open', async () => {
  const shop = openShop()
  await ask(shop, pay('a'))
  for (const [principal, says] of [
    [ann, 'My question is still open'],
    [bob, 'Got it.'],
  ] as const) {
    const said = message({ id: `yes ${principal}`, text: 'yes', principal, conversation: shop.home })
    await shop.group.put(said, toAck())
    await shop.group.work()
    expect((await textsOf(shop.group)).at(-1)).toContain(says)
  }
  expect(shop.made).toEqual([])
})

test('several calls are decided one by one on one card, and one turn goes on with what was approved', async () => {
  const shop = openShop()
  const calls = ['a', 'b', 'c'].map((id) => pay(id, { to: id }))
  expect(await ask(shop, ...calls)).toContain('**May I do these 3?**')
  expect(await buttonsOf(shop.group)).toEqual([
    '1. Approve once',
    '1. Deny',
    '2. Approve once',
    '2. Deny',
    '3. Approve once',
    '3. Deny',
    'Approve all once',
    'Deny all',
  ])
  expect(await shop.group.press('2. Deny')).toContain('2. `pay` · changes things outside · denied')
  expect(await buttonsOf(shop.group)).toEqual([
    '1. Approve once',
    '1. Deny',
    '3. Approve once',
    '3. Deny',
    'Approve all once',
    'Deny all',
  ])
  expect(shop.made).toEqual([])
  shop.group.answers('Done.')
  await shop.group.press('Approve all once')
  expect(shop.made.map(({ input }) => input)).toEqual([{ to: 'a' }, { to: 'c' }])
  expect(new Set(shop.made.map(({ key }) => key)).size).toBe(2)
  expect(JSON.stringify(shop.group.requests.at(-1)?.messages)).toContain('Denied, not to be made: 2 pay')
})

test('what cannot be taken back is asked twice, and the second yes stands where the no was', async () => {
  const shop = openShop()
  shop.group.answers({ toolCalls: [pay('a', { what: 'wipe' })] })
  expect(await shop.group.ask('Wipe it', own)).toContain('cannot be taken back')
  const first = await buttonsOf(shop.group)
  expect(await shop.group.press('Approve once')).toContain('waits for your second yes')
  expect(shop.made).toEqual([])
  expect(first).toEqual(['Approve once', 'Deny'])
  expect(await buttonsOf(shop.group)).toEqual(['Deny', 'Yes, do it'])
  expect(await shop.group.press('Yes, do it', bob)).toBe('FORBIDDEN')
  shop.group.answers('Wiped.')
  await shop.group.press('Yes, do it')
  expect(shop.made).toHaveLength(1)
})

test('"all once" does not skip the second question', async () => {
  const shop = openShop()
  shop.group.answers({ toolCalls: [pay('a', { what: 'wipe' }), pay('b', { what: 'wipe too' })] })
  await shop.group.ask('Wipe it', own)
  await shop.group.press('Approve all once')
  expect(shop.made).toEqual([])
  expect(await buttonsOf(shop.group)).toEqual(['1. Deny', '1. Yes, do it', '2. Deny', '2. Yes, do it', 'Deny all'])
})

test('what is shown in part is approved by nobody before the whole was shown', async () => {
  const shop = openShop()
  const card = await ask(shop, pay('a', { text: `${'x'.repeat(3000)}HIDDEN${'y'.repeat(3000)}` }))
  expect(card).not.toContain('HIDDEN')
  expect(await buttonsOf(shop.group)).toEqual(['Show all', 'Deny'])
  const shown = await shop.group.press('Show all')
  expect(shown).toContain('HIDDEN')
  expect((await shop.group.sent()).some(({ file }) => file?.text.includes('HIDDEN'))).toBe(true)
  expect(await buttonsOf(shop.group)).toEqual(['Approve once', 'Deny'])
  shop.group.answers('Done.')
  await shop.group.press('Approve once')
  expect(shop.made).toHaveLength(1)
})

test('silence makes nothing and begins nothing: the card says so once', async () => {
  const shop = openShop()
  await ask(shop, pay('a'))
  const asked = shop.group.requests.length
  await shop.group.wait(2 * dayMs)
  expect((await textsOf(shop.group)).filter((text) => text.includes('Nobody answered'))).toHaveLength(1)
  expect(shop.group.requests).toHaveLength(asked)
  expect(await shop.group.press('Approve once')).not.toContain('Bought')
  expect(shop.made).toEqual([])
})

test('a press after words that the bot had not read approves nothing: the card comes again with these words', async () => {
  const shop = openShop()
  await ask(shop, pay('a'))
  await shop.group.say('No, wait!', own)
  expect(await shop.group.press('Approve once')).toBe('STALE')
  expect(shop.made).toEqual([])
  await shop.group.ask('Hello?', own)
  const again = (await textsOf(shop.group)).find((text) => text.includes('You have said since'))
  expect(again).toContain('`No, wait!`')
  expect(shop.made).toEqual([])
  shop.group.answers('Bought.')
  await shop.group.press('Approve once')
  expect(shop.made).toHaveLength(1)
})

test('a new session calls it off', async () => {
  const shop = openShop()
  await ask(shop, pay('a'))
  await shop.group.ask('/new', { ...own, as: toCommand('new') })
  expect(await shop.group.press('Approve once')).not.toBe('')
  expect(shop.made).toEqual([])
})

test('where nobody could be asked the person is told so, and nothing waits', async () => {
  const shop = openShop({ failing: true })
  const said = await ask(shop, pay('a'))
  expect(said).toContain('I could not ask anybody')
  expect(said).not.toContain('I go on')
  expect(shop.troubles).not.toEqual([])
  expect(await buttonsOf(shop.group)).toEqual([])
})

test('a worker lost at any step of asking or of what follows makes the call under one key, and answers once', async () => {
  for (const side of ['before', 'after'] as const)
    for (let n = 1; n <= 8; n++) {
      const shop = openShop()
      shop.group.answers({ toolCalls: [read] }, { toolCalls: [pay('a')] })
      await shop.group.ask('Read it and pay', own)
      expect(await buttonsOf(shop.group)).toEqual(['Approve once', 'Deny'])
      shop.group.answers(...Array.from({ length: 4 }, () => 'Bought.'))
      shop.group.loseAt(n, side)
      await shop.group.press('Approve once')
      await shop.group.work()
      expect(new Set(shop.made.map(({ key }) => key)).size).toBe(1)
      expect((await textsOf(shop.group)).filter((text) => text === 'Bought.')).toHaveLength(1)
    }
})

// The card of /memory: listed by pages, opened, edited, pinned, allowed in groups, confirmed and forgotten by buttons; on the real processes.
import { expect, test } from 'vitest'
import { ofChat, ofPerson } from '#shared/memory/record.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { labels, type SimulatedChat } from '#test/rig/chats/chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { until } from '#test/rig/fleet.ts'
import { hasReadAll, startReflection } from '#test/rig/reflection.ts'
import { remembered } from '#test/rig/remembered.ts'
import { textPlaces, untilArrived, type TextPlace } from './text-places.ts'

const places = ['Telegram, by /forget', 'Discord, by /forget', 'the web, by the page’s button'] as const

async function readTexts({ fleet }: TextPlace, principal: string): Promise<readonly string[]> {
  const read = await fleet.runtime.memory.read(ofPerson(principal))
  return read === 'same' ? [] : read.records.map(({ text }) => text)
}

/** Whom the place belongs to. */
async function findOwner({ fleet }: TextPlace): Promise<string> {
  const names = await until(async () => {
    const keys = await fleet.redis.admin.keys('*mr:user:*')
    return keys.length > 0 ? keys : undefined
  })
  return names[0]?.split('mr:user:')[1] ?? ''
}

test.concurrent.each(places)(
  'listed, opened, edited, pinned and forgotten by buttons: %s',
  { timeout: 60_000 },
  async (name) => {
    await using place = await textPlaces[name]({})
    await place.say('remember that my boat is called Zebrafinch')
    await place.hear('Kept as number 1')
    const owner = await findOwner(place)
    await place.say('/memory')
    await place.hear('I keep 1 thing.')
    await place.press('1')
    await place.hear('confirmed by you')
    await place.press('Pin')
    await place.hear('pinned')
    await place.press('Edit')
    await place.hear('Write the new words for number 1')
    await untilArrived(place)
    await place.say('my boat is called Kingfisher')
    await place.hear('Changed. It is number 2 now')
    expect(await readTexts(place, owner)).toEqual(['my boat is called Kingfisher'])
    const [kept] = await place.fleet.runtime.memory.find(ofPerson(owner), [2])
    expect(kept).toMatchObject({ pinned: true, rewrites: 1, status: 'confirmed', speaker: owner })
    // Pressed before the card has changed, a button belongs to the question of before.
    const press = async (label: string, next: string): Promise<void> => {
      await place.press(label)
      await until(() => place.shows(next))
    }
    await press('Unpin', 'Pin')
    await press('Forget', 'Yes, forget it')
    await press('Back', 'Pin')
    await press('Forget', 'Yes, forget it')
    await place.press('Yes, forget it')
    await place.hear('Number 2 is forgotten.')
    await place.hear('I keep nothing yet.')
    expect(await readTexts(place, owner)).toEqual([])
    expect(place.fleet.model.ledger.entries).toEqual([])
  },
)

test('page by page, by words, the newest, what is to be done and what waits', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['the web, by the page’s button']({})
  const { memory } = place.fleet.runtime
  const scope = ofPerson('web:owner')
  const said = { conversation: place.conversation, message: 'x' }
  const told = { speaker: 'web:owner', confirmedBy: 'web:owner' } as const
  for (let nth = 1; nth <= 8; nth += 1)
    await memory.write(scope, remembered(`Shelf ${'abcdefgh'[nth - 1]} holds ${nth} jars`, said, told))
  await memory.write(scope, remembered('Call the plumber', said, { ...told, kind: 'todo', saidAt: 1_800_000_000_000 }))
  await memory.write(
    scope,
    remembered('I sail on Sundays', said, { ...told, status: 'unconfirmed', origin: 'inferred' }),
  )
  await place.say('/memory')
  await place.hear('I keep 10 things, page 1 of 2.')
  await place.press('▶')
  await place.hear('I keep 10 things, page 2 of 2.')
  await place.hear('Shelf a holds 1 jars')
  await place.press('1')
  await place.hear('fact · you')
  await place.press('Back')
  await place.hear('page 2 of 2.', 2)
  await place.press('◀')
  await place.hear('page 1 of 2.', 2)
  await memory.change(scope, 2, (before) => ({ ...before, pinned: true }))
  await place.say('/memory')
  await until(async () => (await place.fleet.said(place.conversation)).at(-1)?.text.includes('\n- **2** Shelf b'))
  await place.say('/memory find plumber')
  await place.hear('1 thing found for “plumber”')
  await place.say('/memory 查 plumber')
  await place.hear('与“plumber”有关的 1 条')
  await place.say('/memory recent')
  await place.hear('I keep 10 things, the newest first, page 1 of 2')
  await place.say('/memory todos')
  await place.hear('1 thing to do.')
  await place.say('/memory waiting')
  await place.hear('1 thing is not confirmed.')
  await place.press('10')
  await place.press('Confirm')
  await until(async () => (await memory.find(scope, [10]))[0]?.status === 'confirmed')
  await place.say('/memory 待确认')
  await place.hear('没有等你确认的。')
  await place.say('/memory find giraffes')
  await place.hear('I keep nothing that has to do with “giraffes”.')
  await place.say('/memory whatever')
  await place.hear('You can write: `/memory`')
  expect(place.fleet.model.ledger.entries).toEqual([])
})

test('what somebody else changed meanwhile is shown instead', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['the web, by the page’s button']({})
  const { memory } = place.fleet.runtime
  const scope = ofPerson('web:owner')
  await place.say('remember that I live in Lyon')
  await place.hear('Kept as number 1')
  await place.say('/memory')
  await place.press('1')
  await place.hear('confirmed by you')
  const anew = remembered('I live in Lille', { conversation: place.conversation, message: 'y' }, { rewrites: 1 })
  await memory.write(scope, { ...anew, speaker: 'web:owner' })
  await memory.drop(scope, [1])
  await place.press('Pin')
  await place.hear('Number 1 was worded anew meanwhile. It is number 2 now:')
  await place.press('Edit')
  await place.hear('Write the new words for number 2')
  await untilArrived(place)
  await memory.drop(scope, [2])
  await place.say('I live in Nice')
  await place.hear('Number 2 is not kept any more.')
  expect(await readTexts(place, 'web:owner')).toEqual([])
  await place.say('remember that I like tea')
  await place.hear('Kept as number 3')
  await place.say('/memory')
  await place.press('3')
  await place.hear('**3** I like tea', 2)
  await place.press('Edit')
  await place.hear('Write the new words for number 3')
  await untilArrived(place)
  await place.say('my password is hunter22pass!X')
  await place.hear('That looks like a password')
  expect(await readTexts(place, 'web:owner')).toEqual(['I like tea'])
})

const lastCard = async (chat: SimulatedChat, part: string): Promise<string> => (await chat.hear(part)).id

test('in a group only who said it, and who may change the chat, edits and forgets', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ patienceMs: 30_000 })
  await using fleet = await startChatFleet([platform], { owner: 'Olga' })
  const chat = platform.group({ by: 'Olga', admins: ['Ann'] })
  await chat.until(() => chat.said()[0])
  const scope = ofChat(chat.conversation)
  const { memory } = fleet.runtime
  await chat.replyTo(chat.say('Bob', `/remember@flotilla_test_bot we meet on Mondays`))

  // Cem may read it, and no more.
  chat.say('Cem', '/memory@flotilla_test_bot')
  const ofCem = await lastCard(chat, 'I keep 1 thing.')
  expect(await chat.press('Bob', ofCem, '1').notice()).not.toBe('✓')
  await chat.press('Cem', ofCem, '1').notice()
  const opened = await chat.when(ofCem, ({ text }) => text.includes('Only who said it'))
  expect(labels(opened)).toEqual(['Back'])

  // Two who may, each with a card of their own.
  chat.say('Bob', '/memory@flotilla_test_bot')
  const ofBob = await chat.until(() => chat.said().findLast((one) => labels(one).includes('1') && one.id !== ofCem))
  await chat.press('Bob', ofBob.id, '1').notice()
  await chat.when(ofBob.id, (one) => labels(one).includes('Edit'))
  chat.say('Ann', '/memory@flotilla_test_bot')
  const ofAnn = await chat.until(() => chat.said().findLast((one) => labels(one).includes('1') && one.id !== ofBob.id))
  await chat.press('Ann', ofAnn.id, '1').notice()
  await chat.when(ofAnn.id, (one) => labels(one).includes('Edit'))
  await chat.press('Bob', ofBob.id, 'Edit').notice()
  await chat.when(ofBob.id, ({ text }) => text.includes('Reply to this with the new words for number 1'))
  await chat.press('Ann', ofAnn.id, 'Edit').notice()
  await chat.when(ofAnn.id, ({ text }) => text.includes('Reply to this with the new words for number 1'))
  await until(async () => {
    const keys = await fleet.redis.admin.keys('*:q:p*')
    const states = await Promise.all(keys.map(async (key) => await fleet.redis.admin.hmget(key, 's', 'receipt')))
    return states.filter(([state]) => state === 'asked').every(([, receipt]) => receipt !== null)
  })
  chat.say('Bob', 'we meet on Tuesdays', { replyTo: ofBob.id })
  await chat.hear('Changed. It is number 2 now')
  chat.say('Ann', 'we meet on Fridays', { replyTo: ofAnn.id })
  await chat.hear('Number 1 was worded anew meanwhile. It is number 2 now:')
  const read = await memory.read(scope)
  expect(read === 'same' ? [] : read.records).toMatchObject([
    { text: 'we meet on Tuesdays', speaker: platform.principal('Bob') },
  ])
})

test('a record of a person is told in a group once they allow it, and no other one', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ patienceMs: 30_000 })
  await using fleet = await startChatFleet([platform], { owner: 'Olga' })
  const direct = platform.direct('Olga')
  const chat = platform.group({ by: 'Olga' })
  await chat.until(() => chat.said()[0])
  fleet.model.script({ answer: { kind: 'text', text: 'I will see.' } })
  const toPrompt = (): string => JSON.stringify(fleet.model.ledger.entries.at(-1)?.messages)
  /** A prompt goes without memory where that takes too long, as on a busy machine. */
  const ask = async (isRight: (prompt: string) => boolean): Promise<string> => {
    for (let times = 1; ; times += 1) {
      await chat.answerTo('Olga', 'Where do I live, and what is the name of my dog?')
      const prompt = toPrompt()
      if (isRight(prompt) || times === 5) return prompt
    }
  }
  await direct.answerTo('Olga', 'remember that I live in Zebraville')
  await direct.answerTo('Olga', 'remember that my dog is called Heron')
  const unasked = await ask(() => true)
  expect(unasked).not.toMatch(/Zebraville|Heron/)
  const listed = await direct.answerTo('Olga', '/memory')
  await direct.press('Olga', listed.id, '1').notice()
  await direct.when(listed.id, (one) => labels(one).includes('Allow in groups'))
  await direct.press('Olga', listed.id, 'Allow in groups').notice()
  await direct.when(listed.id, ({ text }) => text.includes('may be told in groups'))
  const allowed = await ask((prompt) => prompt.includes('Zebraville'))
  expect(allowed).toContain('#p1 fact')
  expect(allowed).toContain('Zebraville')
  expect(allowed).not.toContain('Heron')
  // Nobody else’s turn there has it, and the group’s own list has none of it.
  await chat.answerTo('Olga', '/memory')
  await chat.answerTo('Olga', '/why')
  expect(
    chat
      .said()
      .map(({ text }) => text)
      .join('\n'),
  ).not.toMatch(/Zebraville|Heron/)
  await chat.answerTo('Bob', 'Where does Olga live?')
  expect(toPrompt()).not.toMatch(/I live in Zebraville/)

  // New words keep the allowance, what contradicts it has none.
  await direct.answerTo('Olga', '/memory why 1')
  const open = await direct.until(() => direct.said().findLast((one) => labels(one).includes('Not in groups')))
  await direct.press('Olga', open.id, 'Edit').notice()
  await direct.when(open.id, ({ text }) => text.includes('Write the new words'))
  await direct.answerTo('Olga', 'I live in Kingston')
  const scope = ofPerson(platform.principal('Olga'))
  await until(async () => (await fleet.runtime.memory.find(scope, [3]))[0]?.groups === true)
  await direct.answerTo('Olga', 'remember that I live in Corville')
  await until(async () => (await fleet.runtime.memory.find(scope, [4])).length === 1)
  expect((await fleet.runtime.memory.find(scope, [4]))[0]).not.toHaveProperty('groups')
  expect(await ask(() => true)).not.toMatch(/I live in|Heron/)
})

test('while it is paused nothing is noticed or logged, and orders are kept', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['the web, by the page’s button']({})
  await using _ = await startReflection(place.fleet)
  place.fleet.model.script({ answer: { kind: 'text', text: 'I see.' } })
  const untilRead = async (): Promise<true> => await until(async () => await hasReadAll(place.fleet))
  await place.say('/memory pause')
  await place.hear('Paused: in all chats I notice nothing')
  await place.say('My name is Ada and I live in Lyon.')
  await place.hear('I see.')
  await untilRead()
  await place.say('remember that I like sailing boats')
  await place.hear('Memory is paused: I keep what you order alone.')
  await place.say('/memory')
  await place.hear('Memory is paused')
  await place.say('/log')
  await place.hear('Nothing is on record here')
  expect(await readTexts(place, 'web:owner')).toEqual(['I like sailing boats'])
  await place.say('/memory resume')
  await place.hear('I notice again what you say.')
  await place.say('I moved to Lille.')
  await place.hear('I see.', 2)
  await untilRead()
  const texts = (await readTexts(place, 'web:owner')).join()
  expect(texts).toContain('Lille')
  expect(texts).not.toContain('Lyon')
  await place.say('/log')
  await place.hear('I moved to Lille')
})

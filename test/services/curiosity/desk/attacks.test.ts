// What somebody, or a slow or dead worker, could do to the cards of a desk: on a book in a real Redis.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDesks } from '#queues/fleet/desks.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { comparing } from '#services/memory/comparing.ts'
import { bring, end, findBook, toHash } from '#services/curiosity/desk/book.ts'
import { toForeign } from '#services/executor/state/told.ts'
import { toMeaning } from '#services/curiosity/gaps/meaning.ts'
import { ofChat, ofPerson } from '#shared/memory/record.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'
import { ann, base, toApply, wonPress } from '#test/rig/events.ts'
import { remembered } from '#test/rig/remembered.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { createDeskStage, group, hourMs } from './desk-stage.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())
beforeEach(async () => void (await store.server.admin.flushall()))

const three = ['What colour has the door?', 'How many chairs are there?', 'Where does the bus stop?'] as const

test('two cards that are brought at once: one comes', async () => {
  const memory = createMemoryStore()
  const one = createDeskStage(store, { memory })
  const other = createDeskStage(store, { memory, place: 'web:other' })
  for (const text of three) await one.waits(text)
  const said = await Promise.all([one.bring('a'), other.bring('b')])
  expect(said.filter((text) => text !== '')).toHaveLength(1)
  expect((await findBook(one.desks, ann)).cards).toHaveLength(1)
})

test('a worker that dies between the answer and its step: the receipt tells of it, and takes it back', async () => {
  const stage = createDeskStage(store)
  await stage.waits(three[0], { of: { kind: 'yes-no' } })
  await stage.waits(three[1], { of: { kind: 'yes-no' } })
  await stage.bring('a')
  stage.loseAt(1, 'before')
  await stage.press('Yes')
  await stage.work()
  expect((await stage.sent()).at(-1)?.text).toContain('2 / 2')
  const receipt = await stage.press('Skip')
  expect(receipt).toContain(`${three[0]} — Yes`)
  await stage.press('Undo')
  expect(await stage.memory.read(ofPerson(ann))).toMatchObject({ count: 0 })
})

test('/questions now twenty times loses no question', async () => {
  const stage = createDeskStage(store)
  const more = ['Who holds the key?', 'Which side is the entrance on?', 'When does the market end?']
  for (const text of [...three, ...more]) await stage.waits(text)
  expect(await stage.now()).toContain('1 / 3')
  for (let n = 0; n < 20; n++)
    expect(await stage.now()).toBe('A card is open already. Answer on it, or press “Not now” there.')
  expect((await findBook(stage.desks, ann)).asked).toHaveLength(3)
  await stage.press('Not now')
  expect(await stage.now()).toContain('1 / 3')
  expect(await stage.waiting()).toEqual([...three, ...more])
})

test('nobody who may not talk to the bot any more is asked', async () => {
  const stage = createDeskStage(store, { access: { mayTalk: async () => false } })
  await stage.waits(three[0])
  expect(await stage.bring('a')).toBe('')
})

test('what is answered for a group is not kept where the bot was put out of it', async () => {
  const stage = createDeskStage(store, { access: { isClosed: async (where) => where === group } })
  await stage.waits(three[0], { of: { kind: 'yes-no' } })
  await stage.bring('a')
  await stage.press('Also for that group')
  expect(await stage.press('Yes')).not.toContain('known in that group')
  expect(await stage.memory.read(ofChat(group))).toMatchObject({ count: 0 })
  expect(await stage.memory.read(ofPerson(ann))).toMatchObject({ count: 1 })
})

test('a card of an exchange that is long over does not come late', async () => {
  const stage = createDeskStage(store)
  await stage.waits(three[0])
  await stage.ask('hello', { messageId: 'm1' })
  expect(await stage.bring('a', { messages: ['m1'], endedAt: Date.now() - 3 * hourMs })).toBe('')
  expect(await stage.bring('b', { messages: ['m1'], endedAt: Date.now() - 120_000 })).toContain(three[0])
})

test('a book that cannot be read stops nothing of others, and asks nobody', async () => {
  const stage = createDeskStage(store, { findDirect: async (one) => (one === ann ? undefined : 'web:bobs') })
  const desks = createDesks(store.redis, store.call)
  await stage.waits(three[0])
  await desks.write(ann, '', '{"v":1,"asked":"?"}')
  expect(await stage.bring('a')).toBe('')
  expect(await stage.now('')).not.toContain('could not')
  await desks.wait(ann, 1)
  await desks.wait('web:bob', 2)
  const tick = stage.moment.tick?.run(Date.now(), AbortSignal.timeout(5000))
  expect((await tick)?.map(({ conversation }) => conversation)).toEqual(['web:bobs'])
  expect(await desks.findWaiting(Date.now(), 9)).toEqual(['web:bob'])
})

test('a card that is taken off since its words are forgotten keeps no place for ever', async () => {
  const stage = createDeskStage(store)
  for (const text of three) await stage.waits(text)
  await stage.bring('a')
  const book = await findBook(stage.desks, ann)
  expect(book.asked.every(({ how }) => how === 'open')).toBe(true)
  const old = { ...book, asked: book.asked.map((one) => ({ ...one, at: one.at - 30 * 24 * hourMs })) }
  const { version } = await stage.desks.find(ann)
  await stage.desks.write(ann, version, JSON.stringify(old))
  await stage.now('')
  expect(await stage.waiting()).toEqual([])
})

test('a worker that dies between the claim and the card: one card comes all the same, with the same questions', async () => {
  const stage = createDeskStage(store)
  for (const text of three) await stage.waits(text)
  stage.loseAt(1, 'before')
  await stage.bring('a')
  await stage.work()
  expect(await stage.bring('b')).toBe('')
  const sent = (await stage.sent()).map(({ text }) => text).join()
  expect(sent).toContain('1 / 3')
  expect(sent.match(/1 \/ 3/g)).toHaveLength(1)
  expect(sent).toContain(three[0])
})

test('a worker that dies between the claim and the card of /questions now: the same questions come, and no others', async () => {
  const stage = createDeskStage(store)
  const more = ['Who holds the key?', 'Which side is the entrance on?', 'When does the market end?']
  for (const text of [...three, ...more]) await stage.waits(text)
  stage.loseAt(1, 'before')
  await stage.now()
  await stage.work()
  const sent = (await stage.sent()).map(({ text }) => text).join()
  expect(sent.match(/1 \/ 3/g)).toHaveLength(1)
  expect(sent).toContain(three[0])
  await stage.press('Skip')
  expect((await stage.sent()).at(-1)?.text).toContain(three[1])
  expect((await findBook(stage.desks, ann)).asked).toHaveLength(3)
})

test('a card that was claimed and may not be shown any more gives its questions back', async () => {
  let isQuiet = false
  const stage = createDeskStage(store, { isQuiet: async () => isQuiet })
  for (const text of three) await stage.waits(text)
  stage.loseAt(1, 'before')
  await stage.bring('a')
  isQuiet = true
  await stage.work()
  expect(await stage.sent()).toEqual([])
  expect((await findBook(stage.desks, ann)).asked).toEqual([])
  isQuiet = false
  expect(await stage.now()).toContain('1 / 3')
})

test('a question whose message is forgotten is not shown, not answered, and not on the receipt', async () => {
  const stage = createDeskStage(store)
  await stage.waits(three[0], { of: { kind: 'yes-no' } })
  await stage.waits(three[1], { of: { kind: 'yes-no' }, from: [{ conversation: group, messages: ['g2'] }] })
  await stage.bring('a')
  await stage.memory.forget(group, ['g1'])
  expect(await stage.press('Yes')).toContain(three[1])
  await stage.memory.forget(group, ['g2'])
  const receipt = await stage.press('Yes')
  expect(receipt).toContain('nothing is kept')
  expect(await stage.memory.read(ofPerson(ann))).toMatchObject({ count: 0 })
  expect(await stage.now('')).not.toContain(three[0])
})

test('an answer goes with the message that it was written in, and with those that its question came of', async () => {
  const stage = createDeskStage(store)
  const kept = async (): Promise<unknown> => await stage.memory.read(ofPerson(ann))
  for (const [place, message] of [
    [base.conversation, 'm9'],
    [group, 'g1'],
  ] as const) {
    await stage.waits(
      `${three[0]} ${message}`,
      message === 'g1' ? {} : { from: [{ conversation: group, messages: ['g7'] }] },
    )
    await stage.now()
    await stage.answer('blue', place === group ? 'm10' : 'm9')
    expect(await kept()).toMatchObject({ count: 1 })
    await stage.memory.forget(place, [message])
    expect(await kept()).toMatchObject({ count: 0 })
  }
})

test('"Not now" on a question that was just forgotten puts the rest off', async () => {
  const stage = createDeskStage(store)
  await stage.waits(three[0])
  await stage.waits(three[1], { from: [{ conversation: group, messages: ['g2'] }] })
  await stage.bring('a')
  await stage.memory.forget(group, ['g1'])
  expect(await stage.press('Not now')).not.toContain(three[1])
  expect(await stage.waiting()).toEqual([three[1]])
})

test('"Never about this" closes what waits and what the card still has of that topic', async () => {
  const stage = createDeskStage(store)
  const topic = ['long retro slot', 'retro slot', 'colour door'] as const
  for (const [at, key] of topic.entries()) await stage.waits(three[at] ?? '', { of: { key } })
  await stage.waits('Is the retro long?', { of: { key: 'long retro', worth: 0.1 } })
  await stage.bring('a')
  expect(await stage.press('Never about this')).toContain(three[2])
  await stage.now('')
  expect(await stage.waiting()).toEqual([three[2]])
})

test('/questions now says so where an owner or its person has it off, and asks nothing', async () => {
  let isQuiet = true
  const choices = new Map<string, string>()
  const stage = createDeskStage(store, {
    isQuiet: async () => isQuiet,
    findChoice: async (_, setting) => choices.get(setting),
  })
  await stage.waits(three[0])
  expect(await stage.now()).toBe(
    'An owner has stopped my questions for everybody. Lift that by `/curiosity start all` first.',
  )
  isQuiet = false
  choices.set('curiosity', 'off')
  expect(await stage.now()).toBe('You have me ask you nothing. Lift that by `/curiosity on` first.')
  choices.set('curiosity', 'on')
  expect(await stage.now()).toContain(three[0])
})

test('what is kept of a step that shows the next question goes with the messages of that one, too', async () => {
  const stage = createDeskStage(store)
  await stage.waits(three[0], { of: { kind: 'yes-no' } })
  await stage.waits(three[1], { from: [{ conversation: group, messages: ['g2'] }] })
  await stage.bring('a')
  await stage.press('Yes')
  const works = stage.steps.flatMap(({ records = [] }) => records).filter(({ kind }) => kind === 'work')
  const showing = works.filter((one) => one.kind === 'work' && one.record.answer.includes(three[1]))
  expect(showing).toMatchObject([{ about: expect.arrayContaining([toForeign(group, 'g1'), toForeign(group, 'g2')]) }])
})

test('a secret that is typed is kept nowhere, and the question stays open', async () => {
  const stage = createDeskStage(store)
  await stage.waits(three[0])
  await stage.bring('a')
  expect(await stage.answer('my password is hunter2secret!', 'm9')).toContain(three[0])
  expect(await stage.memory.read(ofPerson(ann))).toMatchObject({ count: 0 })
  expect(await stage.waiting()).toEqual([three[0]])
})

test('a deadline that passes while half of the card is answered: what was answered stays and is told, the rest is dropped', async () => {
  const stage = createDeskStage(store)
  for (const text of three) await stage.waits(text, { of: { kind: 'yes-no' } })
  await stage.bring('a')
  await stage.press('Yes')
  expect(await stage.wait(4 * 24 * hourMs)).toContain(`${three[0]} — Yes`)
  expect(await stage.waiting()).toEqual([])
  expect(await stage.memory.read(ofPerson(ann))).toMatchObject({ count: 1 })
  expect((await findBook(stage.desks, ann)).ignored).toBe(0)
})

test('what waits to be asked goes with its conversation, and is in no list, change or scope that an index reads', async () => {
  const memory = createRedisMemory(store.redis, store.call, comparing)
  const stage = createDeskStage(store, { memory })
  for (const text of three) await stage.waits(text)
  expect(await stage.waiting()).toHaveLength(3)
  const keys = await store.server.admin.keys('fl:{m*}*')
  expect(keys.filter((key) => /:(?:changed|scopes)$/.test(key))).toEqual([])
  expect(await memory.read(ofPerson(ann))).toMatchObject({ count: 0 })
  await memory.forget(group, 'all')
  expect(await stage.waiting()).toEqual([])
})

test('a press that comes twice, or on a card that has gone on, saves once', async () => {
  const stage = createDeskStage(store)
  for (const text of three) await stage.waits(text, { of: { kind: 'yes-no' } })
  await stage.bring('a')
  const [first] = (await stage.kernel.findCards(base.conversation, [])).cards
  await stage.press('Yes')
  const question = first?.question.id ?? ''
  for (const choice of ['yes', 'no', 'later']) {
    const event = wonPress({ id: `again-${choice}`, question, choice })
    const actor = { actor: ann, chat: base.conversation, asAdmin: false } as const
    expect((await stage.kernel.resolve({ ...actor, question, choice, event })).kind).not.toBe('WON')
  }
  expect(await stage.memory.read(ofPerson(ann))).toMatchObject({ count: 1 })
  expect(await stage.waiting()).toHaveLength(2)
})

test('a card that could not be sent: its questions stay, and cards come less often', async () => {
  const stage = createDeskStage(store)
  for (const text of three) await stage.waits(text)
  await stage.bring('a')
  const asked = stage.steps.flatMap(({ questions = [] }) => questions).at(-1)
  const { id: question = '', payload = '' } = asked ?? {}
  const event = {
    ...base,
    id: 'unsent',
    kind: 'expired',
    why: 'unsent',
    question,
    payload,
    about: 'curiosity.card',
  } as const
  await stage.put(event, toApply('expired'))
  await stage.work()
  expect(await stage.waiting()).toHaveLength(3)
  expect(await findBook(stage.desks, ann)).toMatchObject({ ignored: 1, asked: [] })
})

test('a person who is asked no more leaves the list of those who wait', async () => {
  const stage = createDeskStage(store)
  await stage.desks.wait(ann, 1)
  const [job] = (await stage.moment.tick?.run(Date.now(), AbortSignal.timeout(5000))) ?? []
  const name = `${job?.name ?? ''}@1`
  expect(await stage.moment.work?.({ conversation: base.conversation, name }, AbortSignal.timeout(5000))).toEqual([])
  expect(await stage.desks.findWaiting(Date.now() + 1000 * hourMs, 9)).toEqual([])
})

test('Undo leaves what was known before the card', async () => {
  const stage = createDeskStage(store)
  await stage.waits(three[0], { of: { kind: 'yes-no' } })
  const known = { kind: 'fact', speaker: ann, status: 'confirmed', origin: 'said', saidAt: 1 } as const
  const text = `${three[0]} — Yes`
  await stage.memory.write(ofPerson(ann), { ...known, id: 'said:before', text, from: [] })
  await stage.bring('a')
  expect(await stage.press('Yes')).toContain(text)
  await stage.press('Undo')
  expect(await stage.memory.read(ofPerson(ann))).toMatchObject({ count: 1 })
})

test('a person of many questions has a book that does not grow', async () => {
  const stage = createDeskStage(store)
  let book = await findBook(stage.desks, ann)
  for (let n = 0; n < 2000; n++) {
    book = bring(
      book,
      { id: `card-${n}`.padEnd(120, 'x'), at: n, cold: true, keys: [toHash(`a${n}`), toHash(`b${n}`)], in: ann },
      ['words', 'words'],
    )
    book = end(book, toHash(`a${n}`), 'never')
  }
  expect(JSON.stringify(book).length).toBeLessThan(64_000)
})

test('one card has what memory noticed beside questions, and the worthiest first', async () => {
  const stage = createDeskStage(store)
  await stage.waits(three[0], { of: { worth: 0.2 } })
  const noticed = remembered(
    'I like cedar',
    { conversation: base.conversation, message: 'm1' },
    { status: 'unconfirmed' },
  )
  await stage.memory.write(ofPerson(ann), { ...noticed, speaker: ann })
  // One that was just noticed brings no card by itself, and goes along on one that comes.
  expect(await stage.bring('a')).toContain(`1 / 2`)
  expect((await stage.sent()).at(-1)?.text).toContain('I like cedar')
  await stage.press('Save')
  expect((await stage.sent()).at(-1)?.text).toContain(three[0])
  expect(await stage.press('Skip')).toContain('Kept:\n- I like cedar')
  await stage.press('Undo')
  expect(await stage.memory.read(ofPerson(ann))).toMatchObject({ count: 0 })
  expect((await findBook(stage.desks, ann)).asked).toMatchObject([
    { kind: 'keep', how: 'undone' },
    { kind: 'words', how: 'later' },
  ])
})

test('what was just noticed waits for more of it', async () => {
  const stage = createDeskStage(store)
  const said = { speaker: ann, status: 'unconfirmed', saidAt: Date.now() } as const
  const at = { conversation: base.conversation, message: 'm1' }
  await stage.memory.write(ofPerson(ann), remembered('I like cedar', at, said))
  expect(await stage.bring('a', { messages: [] })).toBe('')
  expect(await stage.now()).toContain('I like cedar')
})

test('what a question asks about is not asked again as something to keep', async () => {
  const stage = createDeskStage(store)
  const said = { speaker: ann, status: 'unconfirmed', saidAt: Date.now() - 30 * hourMs } as const
  const at = { conversation: base.conversation, message: 'm1' }
  await stage.memory.write(ofPerson(ann), remembered('Ann likes short hikes under 8 km', at, said))
  await stage.memory.write(ofPerson(ann), remembered('Ann plays the cello', { ...at, message: 'm2' }, said))
  const ask = 'Do you still like short hikes under 8 km?'
  await stage.waits(ask, { of: { kind: 'yes-no', key: toMeaning(ask, ['Ann']) } })
  expect(await stage.now()).toContain('1 / 2')
  expect((await stage.sent()).at(-1)?.text).toContain(ask)
  await stage.press('Yes')
  expect((await stage.sent()).at(-1)?.text).toContain('cello')
  await stage.press('Save')
  expect(await stage.now()).toBe('There is nothing that I want to ask you now.')
})

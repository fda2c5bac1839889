// What a person puts off, closes and takes back at their desk, and what they are told of it: on a book in a real Redis.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countWaiting } from '#services/curiosity/desk/bell.ts'
import { changeBook, end, findBook, toHash } from '#services/curiosity/desk/book.ts'
import { createDeskSettings } from '#services/curiosity/desk/settings.ts'
import { createQuestions } from '#services/curiosity/questions/source.ts'
import { ofAsked, ofPerson } from '#shared/memory/record.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'
import { ann, toCommand } from '#test/rig/events.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { asks as asksPeople } from '#test/services/questions/question-stage.ts'
import { createDeskStage, group, type DeskStage } from './desk-stage.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())
beforeEach(async () => void (await store.server.admin.flushall()))

const three = ['What colour has the door?', 'How many chairs are there?', 'Where does the bus stop?'] as const
const yesNo = { of: { kind: 'yes-no' } } as const

const topics = (stage: DeskStage, args = 'topics', more: { readonly group?: true } = {}): Promise<string> =>
  stage.ask(`/curiosity ${args}`, { as: toCommand('curiosity', args), ...more })
const buttons = async (stage: DeskStage): Promise<readonly string[]> =>
  ((await stage.sent()).at(-1)?.buttons ?? []).flat().map(({ label }) => label)

test('the button for an answer in words goes once it was pressed, and the card says what to do', async () => {
  const stage = createDeskStage(store)
  await stage.waits(three[0], yesNo)
  await stage.bring('a')
  expect(await buttons(stage)).toContain('Type an answer')
  expect(await stage.press('Type an answer')).toContain('Write your answer in your next message')
  expect(await buttons(stage)).toEqual(['Yes', 'No', 'Skip', 'Not now', 'Never about this', 'Also for that group'])
  await stage.press('Also for that group')
  expect(await buttons(stage)).not.toContain('Type an answer')
})

test('“Not now” says that it asks another day, and how many after answers', async () => {
  const stage = createDeskStage(store)
  for (const text of three) await stage.waits(text, yesNo)
  await stage.bring('a')
  expect(await stage.press('Not now')).toBe('All right, I ask another day.')
  await stage.now()
  await stage.press('Yes')
  const receipt = await stage.press('Not now')
  expect(receipt).toContain(`Kept:\n- ${three[0]} — Yes`)
  expect(receipt).toContain('For another day: 2.')
  await stage.now()
  await stage.press('Skip')
  expect(await stage.press('Not now')).toBe('All right, nothing is kept.\n\nSkipped: 1.\n\nFor another day: 1.')
})

test('what was answered in words stands in the place of the question, and nothing in it is markup', async () => {
  const stage = createDeskStage(store)
  await stage.waits(three[0])
  await stage.waits(three[1], { of: { kind: 'choice', options: ['three', 'four'] } })
  await stage.bring('a')
  expect(await stage.answer(`**blue** @all ${'and so on '.repeat(30)}`, 'm9')).toMatch(
    /You answered: “\\\*\\\*blue\\\*\\\* @\u2060all and so on [^”]{60,110}…”/u,
  )
  expect((await stage.sent()).filter(({ text }) => text.includes('You answered.'))).toEqual([])
})

test('“Undo” takes back all of its card: the answer, what was skipped, and what was never to be asked again', async () => {
  const stage = createDeskStage(store)
  for (const text of three) await stage.waits(text, yesNo)
  await stage.bring('a')
  await stage.press('Yes')
  await stage.press('Never about this')
  await stage.press('Skip')
  expect(await stage.press('Undo')).toBe(
    'Undone: nothing of this card is kept. What you skipped, or never wanted to be asked about, I may ask again.',
  )
  expect(await stage.memory.read(ofPerson(ann))).toMatchObject({ count: 0 })
  expect(await topics(stage)).toBe('There is nothing that I am never to ask you about.')
  // What was never to be asked waits as before.
  expect(await stage.waiting()).toEqual([three[1]])
  expect(await stage.now()).toContain(three[1])
  const book = await findBook(stage.desks, ann)
  expect(book.never).toEqual([])
  expect(book.asked.map(({ how }) => how)).toEqual(['undone', 'later', 'open'])
})

test('a card on which nothing but “Never about this” was pressed can be undone', async () => {
  const stage = createDeskStage(store)
  await stage.waits(three[0])
  await stage.bring('a')
  expect(await stage.press('Never about this')).toContain('Never again: 1.')
  expect(await stage.press('Undo')).toContain('may ask again')
  expect(await stage.waiting()).toEqual([three[0]])
})

test('what is never to be asked is listed, and each of it is lifted by a button or its number', async () => {
  const stage = createDeskStage(store)
  for (const text of three) await stage.waits(text)
  await stage.bring('a')
  for (const _ of three) await stage.press('Never about this')
  expect(await stage.waiting()).toEqual([])
  expect(await topics(stage)).toBe(
    `What I never ask you about:\n\n1. ${three[2]}\n2. ${three[1]}\n3. ${three[0]}\n\nTo lift one, press its button, or say \`/curiosity topics 2 allow\`.`,
  )
  expect(await buttons(stage)).toEqual(['Allow 1', 'Allow 2', 'Allow 3'])
  expect(await stage.press('Allow 3')).toBe(`I may ask you about that again.\n- ${three[0]}`)
  expect(await topics(stage, '话题 1 恢复')).toBe(`这个话题以后又可以问你了。\n- ${three[2]}`)
  expect(await topics(stage, 'topics 2 allow')).toBe('There is no such number. `/curiosity topics` lists them.')
  expect(await topics(stage)).toContain(`1. ${three[1]}`)
  expect(await stage.waiting()).toEqual([three[0], three[2]])
  expect(await stage.now()).toContain('1 / 2')
})

test('a topic is lifted with all that closes it', async () => {
  const stage = createDeskStage(store)
  for (const [at, key] of ['long retro slot', 'retro slot'].entries())
    await stage.waits(three[at] ?? '', { of: { key } })
  await stage.bring('a')
  await stage.press('Never about this')
  const lifted = await topics(stage, 'topics 1 allow')
  expect(lifted).toContain(three[0])
  expect(lifted).toContain(three[1])
  expect(await topics(stage)).toBe('There is nothing that I am never to ask you about.')
})

test('its words go with the messages that it came of, and it stays closed until it is lifted; in a group nothing is listed', async () => {
  const stage = createDeskStage(store)
  await stage.waits(three[0])
  await stage.bring('a')
  await stage.press('Never about this')
  await stage.memory.forget(group, ['g1'])
  expect(await topics(stage)).toContain('1. (the words of the question are forgotten)')
  expect(await topics(stage, 'topics', { group: true })).toBe('That is shown in the direct chat with me alone.')
  expect(await topics(stage, 'topics 1 allow', { group: true })).toBe('That is shown in the direct chat with me alone.')
  expect((await findBook(stage.desks, ann)).never).toHaveLength(1)
  expect(await topics(stage, 'topics 1 allow')).toBe('I may ask you about that again.')
  expect((await findBook(stage.desks, ann)).never).toEqual([])
})

test('of those that are never to be asked the newest twenty are listed, and no more have words', async () => {
  const stage = createDeskStage(store)
  const colours = Array.from({ length: 25 }, (_, at) => `What is number ${at}?`)
  const source = createQuestions({ ...stage, refuse: () => undefined, isClosed: async () => false })
  for (const text of colours) {
    await stage.waits(text)
    const [one] = await source.find(ann, Date.now())
    if (!one) throw new Error('Nothing waits.')
    await changeBook(stage.desks, ann, (book) => end(book, toHash(one.key), 'never'))
    await source.close(ann, [one.ref], 'never')
  }
  const told = await topics(stage)
  expect(told).toContain('1. What is number 24?')
  expect(told).toContain('20. What is number 5?')
  expect(told).not.toContain('21.')
  expect(await stage.memory.read(ofAsked(ann))).toMatchObject({ count: 20 })
  expect((await findBook(stage.desks, ann)).never).toHaveLength(25)
})

test('/questions now says at once that another question is first, and again while the card waits', async () => {
  const stage = createDeskStage(store)
  for (const text of three) await stage.waits(text)
  stage.answers(asksPeople({ question: 'What is the *budget*?' }))
  await stage.ask('Plan it')
  const queued = String.raw`I ask as soon as “What is the \*budget\*?” is answered.`
  expect(await stage.now()).toBe(queued)
  expect(await stage.now()).toBe(queued)
  expect((await findBook(stage.desks, ann)).cards).toHaveLength(1)
})

test('/questions now says where the card is open, and the bell offers none beside it', async () => {
  const memory = createMemoryStore()
  const one = createDeskStage(store, { memory, place: 'web:one' })
  const other = createDeskStage(store, { memory, place: 'web:other' })
  const chat = createDeskStage(store, { memory, place: 'telegram:9' })
  const people = { findChoice: async () => undefined, setChoice: async () => {} }
  const sources = [createQuestions({ ...one, refuse: () => undefined, isClosed: async () => false })]
  const settings = createDeskSettings(people)
  const bell = async () =>
    (await countWaiting({ sources, desks: one.desks, now: Date.now, settings, isQuiet: async () => false }, ann)).count
  for (const text of three) await one.waits(text)
  expect(await bell()).toBe(3)
  expect(await one.now()).toContain('1 / 3')
  expect(await bell()).toBe(0)
  // Each conversation counts its events.
  for (const there of [other, chat]) await there.ask('hello')
  const open = `A card is open in another conversation of ours: “${three[0]}”.`
  expect(await other.now()).toBe(`${open} The bell leads there.`)
  await chat.now()
  // Only the page's conversations have a stream to read.
  expect(JSON.stringify(chat.steps.at(-1))).toContain(`${open} Answer it there.`)
  await one.waits('Who holds the *key*?')
  expect(await bell()).toBe(0)
  expect(await other.now()).toContain('Who holds')
  await other.press('Skip')
  await one.press('Not now')
  expect(await bell()).toBe(3)
})

// What an answer on a card of a desk becomes: on a book in a real Redis.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findTaste } from '#services/curiosity/questions/taste.ts'
import { isForNoGroup, tellsNothing } from '#services/curiosity/questions/read-answer.ts'
import { findBook } from '#services/curiosity/desk/book.ts'
import { mostRecordChars, ofChat, ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { ann, base } from '#test/rig/events.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'
import { createDeskStage, group, hourMs, type DeskStage } from '#test/services/curiosity/desk/desk-stage.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())
beforeEach(async () => void (await store.server.admin.flushall()))

const door = 'What colour has the door?'

async function readAll({ memory }: DeskStage, scope: string): Promise<readonly MemoryRecord[]> {
  const read = await memory.read(scope)
  return read === 'same' ? [] : read.records
}
const kept = (stage: DeskStage): Promise<readonly MemoryRecord[]> => readAll(stage, ofPerson(ann))

test('it is a record with the question, who answered, when it was asked and answered, and of which messages it came', async () => {
  const stage = createDeskStage(store)
  await stage.waits(door)
  await stage.bring('a')
  const cameAt = (await findBook(stage.desks, ann)).asked[0]?.at
  await stage.answer('blue', 'm9')
  const [record] = await kept(stage)
  expect(record).toMatchObject({
    text: `${door} — blue`,
    kind: 'fact',
    speaker: ann,
    status: 'confirmed',
    answers: { kind: 'words', question: door, askedAt: cameAt, in: base.conversation },
    from: [
      { conversation: group, messages: ['g1'] },
      { conversation: base.conversation, messages: expect.arrayContaining(['m9']) },
    ],
  })
  expect(record?.answers?.taste).toBeUndefined()
})

test('a choice that shows a taste is a preference, with the matter that it is a taste in', async () => {
  const stage = createDeskStage(store)
  const of = { kind: 'choice', options: ['the lively one', 'the sober one'] } as const
  await stage.waits('Which one should I use for the invitation?', { of })
  await stage.bring('a')
  await stage.press('the lively one')
  expect(await kept(stage)).toMatchObject([{ kind: 'preference', answers: { taste: 'tone' } }])
})

test.each([
  ['Is the summary too long, or does it feel right?', 'judgement', [], 'fit'],
  ['Should the report be short and formal?', 'yes-no', [], 'tone'],
  ['Do you want a detailed answer?', 'yes-no', [], 'length'],
  ['Shall I give it', 'choice', ['as a table', 'as prose'], 'form'],
  ['Which colour do you want for the logo?', 'choice', ['red', 'blue'], 'look'],
  ['Would you rather have the lever machine or the capsule machine?', 'choice', ['lever', 'capsule'], 'fit'],
  ['自我介绍要活泼的一版还是稳重的一版？', 'choice', ['活泼', '稳重'], 'tone'],
  ['要详细的还是简短的？', 'choice', ['详细', '简短'], 'length'],
  ['用列表还是写成段落？', 'choice', ['列表', '段落'], 'form'],
  ['这个配色行吗？', 'judgement', [], 'look'],
  ['三道讨论题的难度适合你们班吗？', 'judgement', [], 'fit'],
  // Facts.
  ['Is the retro online?', 'yes-no', [], undefined],
  ['Are the notes read by developers or by customers?', 'choice', ['developers', 'customers'], undefined],
  ['How long is the slot for the retro?', 'words', [], undefined],
  ['What colour has the door?', 'words', [], undefined],
  ['Could you take a photo of the logo?', 'action', [], undefined],
  ['办公室能插电加热饭盒吗？', 'yes-no', [], undefined],
  ['暑假下午的运动要游泳还是跳绳？', 'choice', ['游泳', '跳绳'], undefined],
] as const)('%s (%s) is a matter of %s: %s', (question, kind, options, taste) => {
  expect(findTaste(question, { kind, options })).toBe(taste)
})

test.each([
  'I don’t know',
  "i don't know yet",
  'no idea',
  'idk',
  '???',
  '😀',
  '…',
  'sdfghjkl',
  'aaaaaaa',
  'whatever',
  '不知道',
  '不清楚。',
  '随便',
  '没想好',
  '哈哈哈',
  'asdf',
])('“%s” tells nothing: it is not kept, and not asked again', async (words) => {
  expect(tellsNothing(words)).toBe(true)
  const stage = createDeskStage(store)
  await stage.waits(door)
  await stage.bring('a')
  expect(await stage.answer(words, 'm9')).toContain('Not kept: 1.')
  expect(await kept(stage)).toEqual([])
  expect(await stage.waiting()).toEqual([])
})

test.each([
  'no',
  'yes',
  'none',
  'nothing',
  '7',
  'Bo',
  'rhythm',
  'HTTPS',
  'blue',
  '蓝',
  'I know it: blue',
  '不知道的人是小李',
  'test',
  'ask Bob',
])('“%s” is an answer', (words) => {
  expect(tellsNothing(words)).toBe(false)
})

test('an essay is not kept, its writer is told why, and a short answer to the same card is', async () => {
  const stage = createDeskStage(store)
  await stage.waits(door)
  await stage.bring('a')
  const said = await stage.answer('It was blue once. '.repeat(mostRecordChars / 10), 'm9')
  expect(said).toContain('too long to keep')
  expect(said).toContain(door)
  expect(await kept(stage)).toEqual([])
  await stage.answer('blue', 'm10')
  expect(await kept(stage)).toMatchObject([{ text: `${door} — blue` }])
})

const personal = [
  '+49 170 1234567',
  '0170/1234567',
  'call me at (030) 901820-15',
  '13800138000',
  'DE89 3704 0044 0532 0130 00',
  'GB82WEST12345698765432',
  'ann@example.org',
  'k7Xp2mQz9aLt',
  '9f86d081884c7d65',
] as const

test.each(personal)(
  'for a group %s is not kept, and its person is told how it is kept for them alone',
  async (words) => {
    expect(isForNoGroup(words)).toBe(true)
    const stage = createDeskStage(store)
    await stage.waits(door)
    await stage.bring('a')
    await stage.press('Also for that group')
    expect(await stage.answer(words, 'm9')).toMatch(
      /I keep no such thing for a group|personal|not keep|never keep|bank|money/,
    )
    expect(await kept(stage)).toEqual([])
    expect(await readAll(stage, ofChat(group))).toEqual([])
    await stage.press('✓ Also for that group')
    await stage.answer(words, 'm10')
    expect(await kept(stage)).toHaveLength(1)
    expect(await readAll(stage, ofChat(group))).toEqual([])
  },
)

test.each([
  'blue',
  '40 minutes',
  '2026-12-01',
  '1.5.2026',
  '8:00-10:00',
  '1500000',
  '2019 - 2024',
  'room B12',
  'version 2.14.3',
  '9 bottles, 12 glasses',
  '三楼 302',
  'counter-intuitively',
  'https://example.org/a1b2c3d4',
])('“%s” may be told to a group', (words) => {
  expect(isForNoGroup(words)).toBe(false)
})

test('a value behind a question that names a secret is no answer either', async () => {
  const stage = createDeskStage(store)
  await stage.waits('What is the door code?')
  await stage.bring('a')
  await stage.answer('4821', 'm9')
  expect(await kept(stage)).toEqual([])
})

test('a card number is kept for nobody', async () => {
  const stage = createDeskStage(store)
  await stage.waits(door)
  await stage.bring('a')
  await stage.answer('4111 1111 1111 1111', 'm9')
  expect(await kept(stage)).toEqual([])
})

test('where the bot was put out of the group its person is told that it is kept for them alone', async () => {
  const stage = createDeskStage(store, { access: { isClosed: async (where) => where === group } })
  await stage.waits(door, { of: { kind: 'yes-no' } })
  await stage.bring('a')
  await stage.press('Also for that group')
  expect(await stage.press('Yes')).toContain('One was not kept for that group')
  expect(await kept(stage)).toHaveLength(1)
})

test('where the group has no room it is kept for its person, once', async () => {
  const memory = createMemoryStore()
  const full = {
    ...memory,
    write: async (...[scope, made]: Parameters<typeof memory.write>) =>
      scope === ofChat(group) ? ({ kind: 'full' } as const) : await memory.write(scope, made),
  }
  const stage = createDeskStage(store, { memory: full })
  await stage.waits(door, { of: { kind: 'yes-no' } })
  await stage.bring('a')
  await stage.press('Also for that group')
  expect(await stage.press('Yes')).toContain('One was not kept for that group')
  expect(await kept(stage)).toHaveLength(1)
  expect(await stage.waiting()).toEqual([])
})

test('a card that ends half answered tells what was kept, with Undo', async () => {
  const stage = createDeskStage(store)
  for (const text of [door, 'How many chairs are there?']) await stage.waits(text, { of: { kind: 'yes-no' } })
  await stage.bring('a')
  await stage.press('Yes')
  expect(await stage.wait(4 * 24 * hourMs)).toContain(`Thank you. Kept:\n- ${door} — Yes`)
  await stage.press('Undo')
  expect(await kept(stage)).toEqual([])
})

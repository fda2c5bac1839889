// Chats that are bound to one project read what is kept for each of them; parted ones have each what was said there.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLinkedGraph } from '#queues/memory/linked-graph.ts'
import { createProjects } from '#queues/memory/projects.ts'
import { createRedisGraph } from '#queues/memory/redis-graph.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { comparing } from '#services/memory/comparing.ts'
import { mostChats, type BoundChat, type Projects } from '#shared/memory/projects.ts'
import { ofChat, ofPerson, type MemoryRecord, type NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { factOf, foundIn } from '#test/rig/found-in.ts'
import { remembered } from '#test/rig/remembered.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const toBound = (chat: string, project = 'Apollo'): BoundChat => ({ chat, title: `Chat ${chat}`, project })
const [one, other, third] = [toBound('telegram:-1'), toBound('discord:2'), toBound('feishu:3')]
const [atOne, atOther, atThird] = [one, other, third].map(({ chat }) => ofChat(chat))

let redis: Store
let memory: MemoryStore
let projects: Projects
beforeAll(async () => void (redis = await openStore()))
beforeEach(async () => {
  await redis.redis.flushall()
  memory = createRedisMemory(redis.redis, redis.call, comparing)
  projects = createProjects({ redis: redis.redis, call: redis.call, comparing })
})
afterAll(() => redis.stop())

let counted = 0
const said = (text: string, { chat }: BoundChat, more: Partial<NewRecord> = {}): NewRecord =>
  remembered(
    text,
    { conversation: chat, message: `m${(counted += 1)}` },
    { speaker: 'telegram:ann', confirmedBy: 'telegram:ann', saidAt: 1000 * counted, ...more },
  )
async function all(scope = ''): Promise<readonly MemoryRecord[]> {
  const read = await memory.read(scope)
  return read === 'same' ? [] : read.records.toReversed()
}
const texts = async (scope = ''): Promise<readonly string[]> =>
  (await all(scope)).filter((record) => record.supersededBy === undefined).map(({ text }) => text)
const write = async (text: string, by: BoundChat, more?: Partial<NewRecord>) =>
  await memory.write(ofChat(by.chat), said(text, by, more))
let presses = 0
const bind = async (...chats: readonly BoundChat[]) => {
  for (const chat of chats) expect(await projects.bind(chat, `p${(presses += 1)}`)).toBe('bound')
}
const [bob, inferred] = [
  { speaker: 'discord:bob', confirmedBy: 'discord:bob' },
  { status: 'unconfirmed', origin: 'inferred' },
] as const

test('each reads what is kept for all, under its own name, and who said it stays so', async () => {
  await write('We use Postgres', one)
  await write('The demo is on Friday', other, bob)
  await memory.write(ofPerson('telegram:ann'), said('I like tea', one))
  await bind(one, other)
  for (const scope of [atOne, atOther])
    expect(await all(scope)).toMatchObject([
      { number: 1, text: 'We use Postgres', scope, speaker: 'telegram:ann' },
      { number: 2, text: 'The demo is on Friday', scope, speaker: 'discord:bob', confirmedBy: 'discord:bob' },
    ])
  expect(await write('The venue is booked', one)).toMatchObject({ kind: 'new', record: { scope: atOne } })
  expect(await texts(atOther)).toContain('The venue is booked')
  expect(await memory.change(atOther ?? '', 3, (record) => ({ ...record, pinned: true }))).toMatchObject({
    scope: atOther,
    speaker: 'telegram:ann',
  })
  expect([await texts(atThird), await texts(ofPerson('telegram:ann'))]).toEqual([[], ['I like tea']])
  expect(await projects.find(one.chat)).toEqual({ name: 'Apollo', chats: [other, one], count: 3 })
  expect(await projects.find(third.chat)).toBeUndefined()
})

test('a name is the same in capitals and with more blanks, and in any script', async () => {
  await bind(toBound(one.chat, 'Moon landing'), toBound(other.chat, ' moon  LANDING'), toBound(third.chat, '登月'))
  expect((await projects.findNamed('Moon Landing'))?.chats).toHaveLength(2)
  expect(await projects.findNamed('登月')).toMatchObject({ name: '登月', chats: [{ chat: third.chat }] })
  expect(await projects.findNamed('moonlanding')).toBeUndefined()
})

test('people are told apart as in any chat, and what is settled is so for all', async () => {
  await write('I live in Lyon', one)
  await write('I live in Nice', other, bob)
  const anchor: Partial<NewRecord> = { kind: 'decision', anchor: { topic: 'database', tags: [] } }
  await write('database: we use Postgres', one, anchor)
  await bind(one, other)
  await write('database: we use SQLite', other, { ...anchor, ...bob })
  expect(await texts(atOne)).toEqual(['I live in Lyon', 'I live in Nice', 'database: we use SQLite'])
  await projects.unbind(other.chat)
  expect(await texts(atOne)).toEqual(['I live in Lyon', 'database: we use Postgres'])
  expect(new Set(await texts(atOther))).toEqual(new Set(['I live in Nice', 'database: we use SQLite']))
})

test('parted, each chat has what was said there, and of what was said in several a copy', async () => {
  await bind(one, other, third)
  await write('We use Postgres', one)
  await write('The demo is on Friday', other)
  await write('Tea is at four', one)
  await write('Tea is at four', other)
  await write('Tea is at four', third)
  await projects.unbind(one.chat)
  expect(await texts(atOne)).toEqual(['We use Postgres', 'Tea is at four'])
  for (const scope of [atOther, atThird])
    expect(await texts(scope)).toEqual(['The demo is on Friday', 'Tea is at four'])
  expect((await all(atOne))[1]?.from.map(({ conversation }) => conversation)).toEqual([one.chat])
  expect((await projects.find(other.chat))?.chats).toEqual([other, third])
  await projects.unbind(third.chat)
  expect(await texts(atThird)).toEqual(['Tea is at four'])
  // Each goes with its own messages alone, and one chat alone is a project, too.
  await memory.forget(one.chat, 'all')
  expect([await texts(atOne), await texts(atThird)]).toEqual([[], ['Tea is at four']])
  expect(await texts(atOther)).toEqual(['The demo is on Friday', 'Tea is at four'])
  await projects.unbind(other.chat)
  expect(await texts(atOther)).toEqual(['The demo is on Friday', 'Tea is at four'])
  expect(await projects.findNamed('apollo')).toBeUndefined()
  for (const key of await redis.redis.keys('*mc:chat:project:*')) expect(await redis.redis.pttl(key)).toBeGreaterThan(0)
})

test('what a person answered elsewhere for a chat parts with that chat', async () => {
  await bind(one, other)
  const answered = said('Which floor? — The third', one, {
    answers: { kind: 'words', question: 'Which floor?', askedAt: 1, in: 'telegram:ann' },
  })
  const direct = { conversation: 'telegram:ann', messages: ['d1'] }
  await memory.write(atOne ?? '', { ...answered, from: [...answered.from, direct] })
  await projects.unbind(other.chat)
  expect(await texts(atOther)).toEqual([])
  await projects.unbind(one.chat)
  expect(await all(atOne)).toMatchObject([{ from: [...answered.from, direct] }])
  expect(await memory.forget('telegram:ann', ['d1'])).toBe(1)
})

test('a chat that is bound to another project leaves the first one', async () => {
  await write('We use Postgres', one)
  await write('The demo is on Friday', other)
  await bind(one, other, toBound(other.chat, 'Gemini'))
  expect([await texts(atOne), await texts(atOther)]).toEqual([['We use Postgres'], ['The demo is on Friday']])
  expect((await projects.find(other.chat))?.name).toBe('Gemini')
  expect((await projects.find(one.chat))?.chats).toEqual([one])
})

test('what was said in both comes together again, with the messages of both', async () => {
  await bind(one, other)
  await write('Tea is at four', one)
  await write('Tea is at four', other)
  await projects.unbind(one.chat)
  await bind(one)
  const [record, ...more] = await all(atOther)
  expect([record?.from.map(({ conversation }) => conversation).toSorted(), more]).toEqual([[other.chat, one.chat], []])
  await projects.unbind(other.chat)
  expect([await texts(atOne), await texts(atOther)]).toEqual([['Tea is at four'], ['Tea is at four']])
})

test('forgotten in one is gone in both, and is not inferred again: before, while and after they are bound', async () => {
  const hint = async (by: BoundChat, text: string) => (await write(text, by, inferred)).kind
  const forget = async (scope = '', text = '') => {
    const found = (await all(scope)).find((record) => record.text === text)
    await memory.drop(scope, [found?.number ?? 0], 'for-good')
  }
  await write('My sister lives in Lyon', one)
  await forget(atOne, 'My sister lives in Lyon')
  await bind(one, other)
  expect([await hint(one, 'My sister lives in Lyon'), await hint(other, 'My sister lives in Lyon')]).toEqual(
    Array(2).fill('gone'),
  )
  await write('My brother works in Rome', other)
  await forget(atOne, 'My brother works in Rome')
  expect(await texts(atOther)).toEqual([])
  expect([await hint(one, 'My brother works in Rome'), await hint(other, 'My brother works in Rome')]).toEqual(
    Array(2).fill('gone'),
  )
  await projects.unbind(other.chat)
  expect([await hint(one, 'My brother works in Rome'), await hint(other, 'My brother works in Rome')]).toEqual(
    Array(2).fill('gone'),
  )
  // Another person's words are theirs, and an order lifts it for all that are bound.
  expect((await write('My brother works in Rome', other, { ...inferred, ...bob })).kind).toBe('new')
  await bind(other)
  await write('My sister lives in Lyon', other)
  await projects.unbind(other.chat)
  expect(await hint(one, 'My sister lives in Lyon')).toBe('new')
})

test('what was found of people and things is walked and forgotten together', async () => {
  const graph = createLinkedGraph(createRedisGraph(redis.redis, redis.call, comparing), {
    accounts: { find: async () => [] },
    projects,
  })
  const values = async (scope = '') =>
    (await graph.walk(scope, ['valve'])).map(({ item }) => (item.kind === 'fact' ? item.value : ''))
  const find = async (value: string, { chat }: BoundChat) => {
    const batch = foundIn({ conversation: chat, messages: [value] }, [factOf('valve', 'is called', value)])
    return await graph.write(ofChat(chat), batch)
  }
  await find('Kestrel', one)
  await find('Osprey', other)
  expect([await values(atOne), await values(atOther)]).toEqual([['Kestrel'], ['Osprey']])
  await bind(one, other)
  for (const scope of [atOne, atOther]) expect(new Set(await values(scope))).toEqual(new Set(['Kestrel', 'Osprey']))
  expect(await values(atThird)).toEqual([])
  const osprey = (await graph.readAll(atOne ?? '')).find((item) => item.kind === 'fact' && item.value === 'Osprey')
  expect(await graph.take(atOne ?? '', [osprey?.id ?? ''])).toBe(1)
  expect([await values(atOne), await values(atOther)]).toEqual([['Kestrel'], ['Kestrel']])
  await projects.unbind(other.chat)
  await find('Osprey', other)
  expect([await values(atOne), await values(atOther)]).toEqual([['Kestrel'], []])
})

test('a project has so many chats, and a chat is bound so often a day', async () => {
  for (let nth = 0; nth < mostChats; nth++) await bind(toBound(`web:${nth}`))
  expect(await projects.bind(one, 'x1')).toBe('too-many')
  for (let nth = 1; nth <= 10; nth++) {
    await bind(toBound(one.chat, `Project ${nth}`))
    if (nth < 10) await projects.unbind(one.chat)
  }
  await projects.unbind(one.chat)
  expect(await projects.bind(toBound(one.chat, 'Gemini'), 'x2')).toBe('often')
  // A press that is worked on again counts once.
  expect(await projects.bind(toBound(one.chat, 'Gemini'), `p${presses}`)).toBe('bound')
})

test('there is no room for more than one scope has', async () => {
  await bind(other)
  for (const { scope, count } of [
    { scope: 'chat:telegram:-1', count: 2501 },
    { scope: (await redis.redis.keys('*mc:chat:project:*'))[0]?.replace(/^.*mc:/, '') ?? '', count: 2500 },
  ]) {
    await write('We use Postgres', scope.includes('project') ? other : one)
    const [key = ''] = await redis.redis.keys(`*mr:${scope}`)
    const json = (await redis.redis.hget(key, '1')) ?? ''
    await redis.redis.hset(key, Object.fromEntries(Array.from({ length: count }, (_, nth) => [nth + 1, json])))
  }
  expect(await projects.bind(one, 'x3')).toBe('full')
  expect(await projects.find(one.chat)).toBeUndefined()
})

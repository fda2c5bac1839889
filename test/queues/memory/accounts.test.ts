// Linked accounts share what is kept for their person, as one truth; parted ones have each what they said.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDesks, createSharedDesks } from '#queues/fleet/desks.ts'
import { createAccounts, createDeskNames } from '#queues/memory/accounts.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { mergeBooks } from '#services/curiosity/desk/book.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { Desks } from '#shared/desk/desks.ts'
import type { Account, Accounts } from '#shared/memory/accounts.ts'
import { ofAsked, ofPerson, type MemoryRecord, type NewRecord } from '#shared/memory/record.ts'
import type { Joined, MemoryStore } from '#shared/memory/store.ts'
import { remembered } from '#test/rig/remembered.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const toAccount = (principal: string): Account => ({ principal, conversation: `${principal}-chat`, name: principal })
const [ann, annAtWork, annAtHome] = ['telegram:ann', 'discord:ann', 'web:ann'].map(toAccount)
const [own, atWork, atHome] = ['telegram:ann', 'discord:ann', 'web:ann'].map(ofPerson)

let redis: Store
let memory: MemoryStore
let accounts: Accounts
let desks: Desks
beforeAll(async () => void (redis = await openStore()))
beforeEach(async () => {
  await redis.redis.flushall()
  memory = createRedisMemory(redis.redis, redis.call, comparing)
  const { call } = redis
  accounts = createAccounts({
    redis: redis.redis,
    call,
    comparing,
    desks: createSharedDesks(redis.redis, call, mergeBooks),
  })
  desks = createDesks(redis.redis, call, { toName: createDeskNames(redis.redis) })
})
afterAll(() => redis.stop())

let counted = 0
const said = (text: string, by: Account, more: Partial<NewRecord> = {}): NewRecord =>
  remembered(
    text,
    { conversation: by.conversation, message: `m${(counted += 1)}` },
    { speaker: by.principal, confirmedBy: by.principal, saidAt: 1000 * counted, ...more },
  )
async function all(scope = ''): Promise<readonly MemoryRecord[]> {
  const read = await memory.read(scope)
  return read === 'same' ? [] : read.records.toReversed()
}
const texts = async (scope = ''): Promise<readonly string[]> =>
  (await all(scope)).filter((one) => one.supersededBy === undefined).map(({ text }) => text)

if (!ann || !annAtWork || !annAtHome) throw new Error('Three accounts are needed.')

test('both see what was kept for either, and each as their own', async () => {
  await memory.write(own ?? '', said('I like tea', ann))
  await memory.write(atWork ?? '', said('My desk is on the third floor', annAtWork))
  expect(await accounts.link(ann, annAtWork, 'a1')).toBe('linked')
  for (const [scope, speaker] of [
    [own, ann.principal],
    [atWork, annAtWork.principal],
  ])
    expect(await all(scope)).toMatchObject([
      { number: 1, text: 'I like tea', scope, speaker, confirmedBy: speaker },
      { number: 2, text: 'My desk is on the third floor', scope, speaker },
    ])
  expect(await accounts.find(ann.principal)).toEqual([annAtWork, ann])
  // What is written from then on, too.
  expect(await memory.write(own ?? '', said('I play chess', ann))).toMatchObject({
    kind: 'new',
    record: { scope: own },
  })
  expect(await texts(atWork)).toContain('I play chess')
  expect(await memory.find(atWork ?? '', [3])).toMatchObject([{ scope: atWork, text: 'I play chess' }])
})

test('a version that was known before says nothing about another place', async () => {
  await memory.write(own ?? '', said('I like tea', ann))
  const before = await memory.read(own ?? '')
  await accounts.link(ann, annAtWork, 'a1')
  const linked = await memory.read(own ?? '', before === 'same' ? '' : before.version)
  expect(linked).toMatchObject({ count: 1 })
  expect(linked === 'same' ? linked : await memory.read(own ?? '', linked.version)).toBe('same')
  await accounts.unlink(ann.principal)
  expect(await memory.read(own ?? '', linked === 'same' ? '' : linked.version)).toMatchObject({ count: 1 })
})

test('what one account says takes the place of what the other said of the same', async () => {
  await memory.write(own ?? '', said('I live in Lyon', ann))
  await accounts.link(ann, annAtWork, 'a1')
  await memory.write(atWork ?? '', said('I moved to Paris', annAtWork))
  expect(await texts(own)).toEqual(['I moved to Paris'])
  // Each takes what they said: what was replaced holds again.
  await accounts.unlink(annAtWork.principal)
  expect(await texts(own)).toEqual(['I live in Lyon'])
  expect(await texts(atWork)).toEqual(['I moved to Paris'])
})

test('what is replaced already stays so on the way', async () => {
  await memory.write(own ?? '', said('I live in Lyon', ann))
  await memory.write(own ?? '', said('I moved to Paris', ann))
  await accounts.link(ann, annAtWork, 'a1')
  expect(await texts(atWork)).toEqual(['I moved to Paris'])
  expect(await all(atWork)).toHaveLength(2)
  await accounts.unlink(ann.principal)
  expect(await texts(own)).toEqual(['I moved to Paris'])
  expect(await all(own)).toHaveLength(2)
  expect(await all(atWork)).toEqual([])
})

test('what both said is linked anew with the messages of both', async () => {
  const [first, second] = [said('I like tea', ann), said('I like tea!', annAtWork)]
  await memory.write(own ?? '', first)
  await memory.write(atWork ?? '', second)
  await accounts.link(ann, annAtWork, 'a1')
  await accounts.unlink(ann.principal)
  await accounts.link(ann, annAtWork, 'a2')
  expect((await all(own))[0]?.from).toEqual(expect.arrayContaining([...first.from, ...second.from]))
  await accounts.unlink(ann.principal)
  expect([await texts(own), await texts(atWork)]).toEqual([['I like tea'], ['I like tea']])
})

test('what both said stays with both', async () => {
  await memory.write(own ?? '', said('I like tea', ann, { pinned: true }))
  await memory.use(own ?? '', [1], 5000)
  await memory.write(atWork ?? '', said('I like tea!', annAtWork))
  await accounts.link(ann, annAtWork, 'a1')
  expect(await all(own)).toMatchObject([{ text: 'I like tea', pinned: true, lastUsedAt: 5000 }])
  await accounts.unlink(ann.principal)
  expect([await texts(own), await texts(atWork)]).toEqual([['I like tea'], ['I like tea']])
  expect((await all(own))[0]).not.toHaveProperty('alsoBy')
})

test('of three the others stay together', async () => {
  await accounts.link(ann, annAtWork, 'a1')
  expect(await accounts.link(annAtHome, annAtWork, 'a2')).toBe('linked')
  for (const [scope, text, by] of [
    [own, 'I like tea', ann],
    [atWork, 'I play chess', annAtWork],
    [atHome, 'My cat is called Mia', annAtHome],
  ] as const)
    await memory.write(scope ?? '', said(text, by))
  expect(await texts(own)).toHaveLength(3)
  await accounts.unlink(ann.principal)
  expect(await texts(own)).toEqual(['I like tea'])
  expect(await texts(atHome)).toEqual(['I play chess', 'My cat is called Mia'])
  expect(await accounts.find(annAtHome.principal)).toHaveLength(2)
  expect(await accounts.find(ann.principal)).toEqual([])
})

test('two that are linked with others each are not joined', async () => {
  const bob = toAccount('feishu:bob')
  await accounts.link(ann, annAtWork, 'a1')
  await accounts.link(annAtHome, bob, 'a2')
  expect(await accounts.link(ann, bob, 'a3')).toBe('both-linked')
  expect(await accounts.find(ann.principal)).toHaveLength(2)
})

test('what is forgotten goes wherever it stands, and does not come late', async () => {
  const late = said('I like tea', ann)
  await memory.write(own ?? '', late)
  await accounts.link(ann, annAtWork, 'a1')
  expect(await memory.forget(ann.conversation, late.from[0]?.messages ?? [])).toBe(1)
  expect(await all(atWork)).toEqual([])
  expect(await memory.write(own ?? '', late)).toEqual({ kind: 'gone' })
  // A record that was taken away by its number stays away, also where the accounts part or join.
  const dropped = said('I play chess', ann)
  await memory.write(own ?? '', dropped)
  await memory.drop(atWork ?? '', [2])
  await accounts.unlink(ann.principal)
  expect(await memory.write(own ?? '', dropped)).toEqual({ kind: 'gone' })
  await accounts.link(ann, annAtWork, 'a2')
  expect(await memory.write(own ?? '', dropped)).toEqual({ kind: 'gone' })
})

test('it can be linked, unlinked and linked again', async () => {
  await memory.write(own ?? '', said('I like tea', ann))
  for (let times = 1; times <= 3; times++) {
    expect(await accounts.link(annAtWork, ann, `a${times}`)).toBe('linked')
    expect(await texts(atWork)).toEqual(['I like tea'])
    await accounts.unlink(annAtWork.principal)
    expect([await texts(own), await texts(atWork)]).toEqual([['I like tea'], []])
  }
  expect(await redis.redis.keys('*moving*')).toEqual([])
})

test('a change by one account leaves who said it', async () => {
  await memory.write(own ?? '', said('I like tea', ann))
  await accounts.link(ann, annAtWork, 'a1')
  await memory.change(atWork ?? '', 1, (record) => ({ ...record, pinned: true }))
  await accounts.unlink(annAtWork.principal)
  expect(await all(own)).toMatchObject([{ text: 'I like tea', pinned: true, speaker: ann.principal }])
})

test('what waits to be asked waits for both, and neither is asked what the other was', async () => {
  const toBook = (key: string, at: number) =>
    JSON.stringify({ v: 1, asked: [{ key, kind: 'words', at, how: 'answered' }], cards: [], never: [], ignored: at })
  await desks.write(ann.principal, '', toBook('a', 1))
  await desks.write(annAtWork.principal, '', toBook('b', 2))
  const question = { status: 'unconfirmed', origin: 'inferred' } as const
  await memory.write(ofAsked(ann.principal), said('Which floor is your desk on?', ann, question))
  await accounts.link(ann, annAtWork, 'a1')
  expect(await texts(ofAsked(annAtWork.principal))).toEqual(['Which floor is your desk on?'])
  const [one, other] = [await desks.find(ann.principal), await desks.find(annAtWork.principal)]
  expect(one).toEqual(other)
  expect(one.text).toMatch(/"a".*"b".*"ignored":1/)
  expect(await desks.write(annAtWork.principal, other.version, toBook('c', 3))).toBe(true)
  await accounts.unlink(annAtWork.principal)
  expect(await texts(ofAsked(annAtWork.principal))).toEqual([])
  expect(await texts(ofAsked(ann.principal))).toEqual(['Which floor is your desk on?'])
  for (const { principal } of [ann, annAtWork]) expect((await desks.find(principal)).text).toContain('"c"')
})

test('of accounts that parted nothing stays for ever, and a link that comes again is no one of them', async () => {
  await accounts.link(ann, annAtWork, 'a1')
  const shared = async () => await redis.redis.keys('*mc:*:linked:a1')
  for (const key of await shared()) expect(await redis.redis.pttl(key)).toBe(-1)
  await accounts.unlink(ann.principal)
  for (const key of await shared()) expect(await redis.redis.pttl(key)).toBeGreaterThan(0)
  // A press that wakes up late links nobody anew.
  expect(await accounts.link(ann, annAtWork, 'a1')).toBe('ended')
  for (const key of await shared()) expect(await redis.redis.pttl(key)).toBeGreaterThan(0)
})

test('of what both said, each takes the messages of their own channel along', async () => {
  await memory.write(own ?? '', said('I like tea', ann))
  await accounts.link(ann, annAtWork, 'a1')
  await memory.write(atWork ?? '', said('I like tea', annAtWork))
  expect((await all(own)).map(({ from }) => from.map((one) => one.conversation))).toEqual([
    [ann.conversation, annAtWork.conversation],
  ])
  await accounts.unlink(annAtWork.principal)
  for (const [scope, { conversation }] of [
    [own, ann],
    [atWork, annAtWork],
  ] as const)
    expect((await all(scope)).map(({ from }) => from.map((one) => one.conversation))).toEqual([[conversation]])
  // Neither goes with a message of the other.
  await memory.forget(ann.conversation, 'all')
  expect([await texts(own), await texts(atWork)]).toEqual([[], ['I like tea']])
})

test('parts of a merged record hold again after a move, once the merged one goes alone', async () => {
  const parts = ['I like green tea', 'I like black tea']
  for (const text of parts) await memory.write(own ?? '', said(text, ann))
  const merged = await memory.merge(own ?? '', [1, 2], {
    id: 'merged.1',
    join: ([first]) => first && { ...toJoined(first), text: 'I like green tea and black tea' },
  })
  expect(merged.kind).toBe('merged')
  await memory.write(atWork ?? '', said('My desk is on the third floor', annAtWork))
  await accounts.link(annAtWork, ann, 'a1')
  expect(await texts(own)).toEqual(['My desk is on the third floor', 'I like green tea and black tea'])
  const [there] = await memory.findBy(own ?? '', ['merged.1'])
  await memory.drop(own ?? '', [there?.number ?? 0], 'apart')
  expect(new Set(await texts(own))).toEqual(new Set(['My desk is on the third floor', ...parts]))
})

test('what only one of them allowed in groups is not told there', async () => {
  await memory.write(own ?? '', said('My salary is 100', ann, { groups: true }))
  await memory.write(atWork ?? '', said('My salary is 100', annAtWork))
  await accounts.link(ann, annAtWork, 'a1')
  expect((await all(own)).map(({ groups }) => groups)).toEqual([undefined])
})

test('at parting what was merged of both is apart again, and neither has words or messages of the other', async () => {
  await memory.write(own ?? '', said('I like green tea', ann))
  await accounts.link(ann, annAtWork, 'a1')
  await memory.write(atWork ?? '', said('I like black tea in Room 9', annAtWork))
  await memory.merge(own ?? '', [1, 2], {
    id: 'merged.2',
    join: ([first, second]) =>
      first && {
        ...toJoined(first),
        alsoBy: [annAtWork.principal],
        text: 'I like green tea and black tea in Room 9',
        from: [...first.from, ...(second?.from ?? [])],
      },
  })
  await accounts.unlink(annAtWork.principal)
  expect([await texts(own), await texts(atWork)]).toEqual([['I like green tea'], ['I like black tea in Room 9']])
  expect((await all(own)).flatMap(({ from }) => from.map((one) => one.conversation))).toEqual([ann.conversation])
})

test('a copy that one forgot takes that of the other along nowhere', async () => {
  await memory.write(own ?? '', said('I like tea', ann))
  await accounts.link(ann, annAtWork, 'a1')
  await memory.write(atWork ?? '', said('I like tea', annAtWork))
  await accounts.unlink(ann.principal)
  await memory.drop(
    own ?? '',
    (await all(own)).map(({ id }) => id),
    'for-good',
  )
  await accounts.link(ann, annAtWork, 'a2')
  expect(await texts(atWork)).toEqual(['I like tea'])
  await accounts.unlink(ann.principal)
  expect([await texts(own), await texts(atWork)]).toEqual([[], ['I like tea']])
})

function toJoined({ id: _id, number: _number, v: _v, scope: _scope, ...rest }: MemoryRecord): Joined {
  return rest
}

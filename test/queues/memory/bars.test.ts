// What somebody had forgotten is not inferred again from what hints at it, until they have it kept once more. Of its words nothing stays that can be read.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createRedisGraph } from '#queues/memory/redis-graph.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { Asks } from '#shared/memory/asks.ts'
import type { NewGraphItem } from '#shared/memory/graph.ts'
import { ofAsked, type NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { remembered } from '#test/rig/remembered.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { findLeaks } from '#test/rig/texts.ts'

const ann = 'telegram:ann'
const own = `user:${ann}`
const conversation = 'telegram:ann'
let redis: Store
let memory: MemoryStore
beforeAll(async () => void (redis = await openStore()))
beforeEach(async () => {
  await redis.redis.flushall()
  memory = createRedisMemory(redis.redis, redis.call, comparing)
})
afterAll(() => redis.stop())

let counted = 0
const said = (text: string, more: Partial<NewRecord> = {}): NewRecord =>
  remembered(text, { conversation, message: `m${(counted += 1)}` }, { speaker: ann, confirmedBy: ann, ...more })
const inferred = (text: string, more: Partial<NewRecord> = {}): NewRecord => {
  const { confirmedBy: _, ...record } = said(text, { status: 'unconfirmed', origin: 'inferred', ...more })
  return record
}
async function forgetOne(text: string, scope = own): Promise<void> {
  const written = await memory.write(scope, said(text))
  if (written.kind !== 'new') throw new Error(`It is not new: ${written.kind}`)
  await memory.drop(scope, [written.record.number], 'for-good')
}

async function readAll() {
  const read = await memory.read(own)
  return read === 'same' ? [] : read.records
}

test.each([
  [
    'I live in Lyon',
    ['I live in Lyon.', 'The person lives in Lyon', 'I live in Lyon, near the river', 'I moved to Lyon'],
  ],
  [
    'My boat is called Zebrafinch',
    ['My boat Zebrafinch needs paint', 'the boat is called Zebrafinch', 'The person calls the boat Zebrafinch'],
  ],
  ['I am allergic to peanuts', ['The person is allergic to peanuts', 'I have a peanut allergy and am allergic']],
  ['我住在里昂', ['对方住在里昂', '我住里昂市区', '我家住在里昂的河边']],
  ['我对花生过敏', ['对方对花生过敏', '我花生过敏很严重']],
  ['我喜欢里昂奶酪', ['对方每天都吃里昂奶酪', '我爱吃里昂奶酪']],
  ['I work at Zebrafinch', ['My job is at Zebrafinch', 'The person works for Zebrafinch']],
])('%s: not inferred again', async (text, hints) => {
  await forgetOne(text)
  for (const hint of hints) expect(await memory.write(own, inferred(hint)), hint).toEqual({ kind: 'gone' })
  // Their own order lifts it.
  expect(await memory.write(own, said(text))).toMatchObject({ kind: 'new' })
  await memory.drop(own, [2])
  expect(await memory.write(own, inferred(text))).toMatchObject({ kind: 'new' })
})

test.each([
  ['I live in Lyon', ['I live in Paris', 'I work in Lyon', 'I like the trains of Lyon']],
  ['My boat is called Zebrafinch', ['My cat is called Mia', 'I bought a boat', 'The boat race is on Sunday']],
  ['I prefer Zebrafinch cheese', ['I prefer Gouda cheese', 'I prefer short answers']],
  ['我喜欢里昂奶酪', ['我喜欢巴黎奶酪', '里昂的火车很快']],
  ['我住在里昂', ['我住在巴黎', '我喜欢喝茶', '里昂的火车很快']],
])('%s: something else may be inferred', async (text, others) => {
  await forgetOne(text)
  for (const other of others) expect(await memory.write(own, inferred(other)), other).toMatchObject({ kind: 'new' })
})

test('whoever has a Latin name is known in a Chinese sentence, too', async () => {
  await forgetOne('我在里昂公司上班')
  const ada = { name: 'Ada' }
  for (const hint of ['Ada在里昂公司上班', '现在Ada在里昂公司工作'])
    expect(await memory.write(own, inferred(hint, ada)), hint).toEqual({ kind: 'gone' })
  expect(await memory.write(own, inferred('Canada在里昂公司上班', ada))).toMatchObject({ kind: 'new' })
})

test('it holds for its person alone, and in each scope by itself', async () => {
  await forgetOne('I live in Lyon', 'chat:telegram:-1')
  const bob = { speaker: 'telegram:bob' }
  expect(await memory.write('chat:telegram:-1', inferred('I live in Lyon', bob))).toMatchObject({ kind: 'new' })
  expect(await memory.write('chat:telegram:-1', inferred('I live in Lyon'))).toEqual({ kind: 'gone' })
  expect(await memory.write('chat:telegram:-2', inferred('I live in Lyon'))).toMatchObject({ kind: 'new' })
  // What somebody says in a group is noticed for them alone, too.
  expect(await memory.write(own, inferred('I live in Lyon'))).toEqual({ kind: 'gone' })
  expect(await memory.write('user:telegram:bob', inferred('I live in Lyon', bob))).toMatchObject({ kind: 'new' })
})

test('a process whose clock is ahead pushes out nothing, and a key that Redis lost is not used any more', async () => {
  for (let nth = 0; nth < 300; nth += 1) await forgetOne(`My plant number ${nth} is a fern`)
  await forgetOne('I live in Lyon')
  expect(await memory.write(own, inferred('I live in Lyon'))).toEqual({ kind: 'gone' })
  await redis.redis.del('fl:{bars}:key')
  const another = createRedisMemory(redis.redis, redis.call, comparing)
  await another.write(own, said('I like chess'))
  const [number = 0] = (await readAll()).map((one) => one.number)
  await another.drop(own, [number], 'for-good')
  expect(await memory.write(own, inferred('I like chess'))).toEqual({ kind: 'gone' })
})

test('what goes in another way may be inferred again', async () => {
  await memory.write(own, said('I live in Lyon'))
  await memory.drop(own, [1])
  expect(await memory.write(own, inferred('I live in Lyon'))).toMatchObject({ kind: 'new' })
})

test('the graph gets it no more either', async () => {
  const graph = createRedisGraph(redis.redis, redis.call, comparing)
  await forgetOne('I live in Lyon')
  const saidAt = Number((await redis.redis.time())[0]) * 1000
  const common = { confidence: 0.9, speaker: ann, saidAt, kind: 'fact' as const }
  const me = { name: 'Ann', type: 'person', principal: ann } as const
  const items: readonly NewGraphItem[] = [
    { ...common, entity: me, key: 'lives in', value: 'Lyon' },
    { ...common, entity: me, key: 'plays', value: 'chess' },
  ]
  const from = [{ conversation, messages: ['m99'] }]
  expect(await graph.write(own, { id: 'b1', from, items })).toEqual({ kind: 'written', count: 1 })
  expect(await graph.walk(own, [`@${ann}`])).toMatchObject([{ item: { key: 'plays' } }])
})

test('nothing of it can be read, and there is a bound', async () => {
  const toWord = (nth: number): string =>
    `${'bcdfghjk'[nth % 8]}${'aeiou'[Math.floor(nth / 8) % 5]}zebrafinch${'lmnprstv'[Math.floor(nth / 40)]}`
  for (let nth = 0; nth < 310; nth++) await forgetOne(`${toWord(nth)} met ${toWord(nth)}o`)
  expect(await findLeaks(redis.server.admin, 'zebrafinch')).toEqual([])
  const [key = ''] = await redis.redis.keys('*:mb:*')
  expect(await redis.redis.zcard(key)).toBe(300)
  expect(await redis.redis.pttl(key)).toBeGreaterThan(399 * 86_400_000)
})

test('in a chat nobody pushes out what somebody else had forgotten', async () => {
  const chat = 'chat:telegram:-100'
  await forgetOne('My boat is called Zebrafinch', chat)
  const all = Array.from({ length: 301 }, (_, nth) =>
    said(`My plant number ${nth} is a fern`, { speaker: 'telegram:bo' }),
  )
  for (const one of all) {
    const written = await memory.write(chat, one)
    if (written.kind === 'new') await memory.drop(chat, [written.record.number], 'for-good')
  }
  expect((await memory.write(chat, inferred('The boat is called Zebrafinch'))).kind).toBe('gone')
})

test('nobody is asked about what they had forgotten, by whichever account', async () => {
  const asked = ofAsked(ann)
  const question = (text: string): NewRecord => inferred(text, { asks: toAsks(text) })
  expect((await memory.write(asked, question('How long is your boat Zebrafinch?'))).kind).toBe('new')
  expect((await memory.write(asked, question('Which colour do you like?'))).kind).toBe('new')
  await forgetOne('My boat is called Zebrafinch')
  const waiting = async (): Promise<readonly string[]> => {
    const read = await memory.read(asked)
    return read === 'same' ? [] : read.records.map(({ text }) => text)
  }
  expect(await waiting()).toEqual(['Which colour do you like?'])
  expect((await memory.write(asked, question('Is the boat Zebrafinch in the harbour?'))).kind).toBe('gone')
  const reason = inferred('From where shall I book?', {
    asks: { ...toAsks('book'), why: 'As I know your boat Zebrafinch.' },
  })
  expect((await memory.write(asked, reason)).kind).toBe('gone')
  await forgetOne('I live in Lyon')
  const offered = inferred('From which city shall I book?', { asks: { ...toAsks('city'), options: ['Paris', 'Lyon'] } })
  expect((await memory.write(asked, offered)).kind).toBe('gone')
  await memory.write(own, said('My boat is called Zebrafinch'))
  expect((await memory.write(asked, question('Is the boat Zebrafinch in the harbour?'))).kind).toBe('new')
})

const toAsks = (key: string): Asks => ({
  kind: 'words',
  options: [],
  why: 'I was not sure.',
  changes: 'The plan.',
  assumed: 'Nothing.',
  key,
  in: conversation,
  session: 's1',
  group: false,
  worth: 0.7,
})

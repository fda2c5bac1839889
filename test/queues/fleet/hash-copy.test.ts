// Facts about copies of what the whole fleet knows: who changes it sees it at once, others when they hear of it, or a second later.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAccessList } from '#queues/fleet/access.ts'
import { createChatBook } from '#queues/fleet/chat-book.ts'
import { createHashCopy } from '#queues/fleet/hash-copy.ts'
import { connectSubscriber } from '#queues/connection.ts'
import { createSignals, type Signals } from '#queues/fleet/signals.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
const hearing: Signals[] = []
beforeAll(async () => void (store = await openStore()))
beforeEach(async () => {
  await store.redis.flushall()
})
afterAll(async () => {
  for (const one of hearing) one.close()
  await store.stop()
})

async function hear(): Promise<Signals> {
  const signals = await createSignals(connectSubscriber(store.server.url), store.redis, String(hearing.length))
  hearing.push(signals)
  return signals
}
const nobody = { owners: [], everyone: false }
const calls = async (command: string): Promise<number> =>
  Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await store.server.admin.info('commandstats'))?.[1] ?? 0)

test('who is let in is known at once where it was said, and by who hears of it elsewhere', async () => {
  const [one, other] = [
    createAccessList(store.redis, { ...nobody, news: await hear() }),
    createAccessList(store.redis, { ...nobody, news: await hear() }),
  ]
  const find = (list: typeof one) => list.find('telegram:1', 'telegram:g')
  expect([(await find(one)).person, (await find(other)).person]).toEqual([false, false])
  await one.admit('person', 'telegram:1', 'web:owner')
  expect((await find(one)).person).toBe(true)
  await expect.poll(async () => (await find(other)).person, { timeout: 700 }).toBe(true)
  await other.setMode('telegram:g', 'always')
  await other.dismiss('person', 'telegram:1')
  expect(await find(other)).toMatchObject({ person: false, mode: 'always' })
  await expect.poll(async () => (await find(one)).person, { timeout: 700 }).toBe(false)
})

test('whoever hears of nothing sees it a second later', async () => {
  const [one, other] = [createAccessList(store.redis, nobody), createAccessList(store.redis, nobody)]
  await other.find('telegram:1', 'telegram:g')
  await one.admit('chat', 'telegram:g', 'web:owner')
  expect((await other.find('telegram:1', 'telegram:g')).chat).toBe(false)
  await expect.poll(async () => (await other.find('telegram:1', 'telegram:g')).chat, { timeout: 3000 }).toBe(true)
})

test('a thousand questions about a thousand people are one reading', async () => {
  const list = createAccessList(store.redis, nobody)
  await list.admit('person', 'telegram:5', 'web:owner')
  await store.server.admin.config('RESETSTAT')
  const found = await Promise.all(Array.from({ length: 1000 }, (_, n) => list.find(`telegram:${n}`, `telegram:${n}`)))
  expect(found.filter(({ person }) => person)).toHaveLength(1)
  expect([await calls('hgetall'), await calls('hmget'), await calls('hget')]).toEqual([1, 0, 1])
})

test('what is too large to be copied is asked field by field', async () => {
  const many = Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`person:telegram:${n}`, 'web:owner']))
  await store.redis.hset('fl:{access}', many)
  await store.server.admin.config('RESETSTAT')
  const list = createAccessList(store.redis, nobody)
  expect((await list.find('telegram:17', 'telegram:g')).person).toBe(true)
  expect((await list.find('telegram:stranger', 'telegram:g')).person).toBe(false)
  expect(await calls('hgetall')).toBe(0)
})

test('a change that comes while the copy is read is not missed', async () => {
  let ms = 0
  const copy = createHashCopy(store.redis, 'fl:{access}', () => ms)
  for (let n = 0; n < 50; n++) {
    ms += 300
    const reading = copy.read()
    await store.redis.multi().hset('fl:{access}', 'n', n).hincrby('fl:{access}', 'version', 1).exec()
    copy.forget()
    await reading
    ms += 1001
    expect((await copy.read())?.get('n')).toBe(String(n))
  }
})

test('a chat that moved or closed stands the same in a copy as in Redis', async () => {
  const copied = createChatBook(store.call, { redis: store.redis, news: await hear() })
  const asked = createChatBook(store.call)
  const chats = ['telegram:1', 'telegram:-100', 'telegram:2']
  const same = async (): Promise<void> => {
    for (const chat of chats) expect(await copied.find(chat)).toEqual(await asked.find(chat))
  }
  await same()
  for (const change of [
    () => copied.open('telegram:1'),
    () => copied.move('telegram:1', 'telegram:-100'),
    () => copied.close('telegram:-100', 'blocked'),
    () => copied.close('telegram:2', 'kicked'),
    () => copied.open('telegram:1'),
    () => copied.move('telegram:1', 'telegram:-100'),
  ]) {
    await change()
    await same()
  }
  expect(await copied.find('telegram:-100')).toEqual({ home: 'telegram:1', current: 'telegram:-100' })
  const before = await store.redis.hget('fl:{chats}', 'version')
  await copied.open('telegram:1')
  expect(await store.redis.hget('fl:{chats}', 'version')).toBe(before)
})

test('what changes all the time is not copied each time, and is right all the same', async () => {
  const [writer, reader] = [createAccessList(store.redis, nobody), createAccessList(store.redis, nobody)]
  await reader.find('telegram:1', 'telegram:g')
  await store.server.admin.config('RESETSTAT')
  for (let n = 0; n < 200; n++) {
    await (n % 2 ? writer.dismiss('person', 'telegram:1') : writer.admit('person', 'telegram:1', 'web:owner'))
    expect((await writer.find('telegram:1', 'telegram:g')).person).toBe(n % 2 === 0)
  }
  expect(await calls('hgetall')).toBeLessThan(20)
})

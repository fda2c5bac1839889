// What is known of people, on a real Redis: learned from what they say alone with the bot, and written only when it is news.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChatBook, type ChatBook } from '#queues/fleet/chat-book.ts'
import { createPeople, type People } from '#queues/fleet/people.ts'
import type { CallUnit } from '#queues/units.ts'
import { message } from '#test/rig/events.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const dayMs = 86_400_000
let store: Store
let chats: ChatBook
/** Calls of units, as far as they may write. */
let calls: string[] = []
let nowMs = 0
let admitted = true
let people: People
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())
beforeEach(async () => {
  await store.server.admin.flushall()
  calls = []
  admitted = true
  people = openPeople()
})

function openPeople(): People {
  chats = createChatBook(store.call)
  const call: CallUnit = async (name, key, args) => {
    calls.push(`${name} ${args[0]}`)
    return await store.call(name, key, args)
  }
  return createPeople({ redis: store.redis, call, chats, mayTalk: async () => admitted, now: () => nowMs })
}

const ada = 'telegram:7'
const alone = { principal: ada, conversation: ada, group: false } as const

test('learns where they speak alone and in which language, once', async () => {
  for (let i = 0; i < 100; i++) await people.learn(message({ ...alone, id: `e${i}`, language: 'en' }))
  expect(calls).toEqual(['people note'])
  expect(await people.find(ada)).toEqual({ direct: { telegram: 'telegram:7' }, language: 'en' })
  await people.learn(message({ ...alone, language: 'zh' }))
  // One that does not say its language says nothing new.
  await people.learn(message(alone))
  expect(calls).toEqual(['people note', 'people find', 'people note'])
  expect(await people.find(ada)).toMatchObject({ language: 'zh' })
})

test('learns nothing in groups, of strangers, nor from anything but a message', async () => {
  await people.learn(message({ ...alone, conversation: 'telegram:-5', group: true }))
  await people.learn({ v: 1, kind: 'leave', id: 'e', conversation: ada, principal: ada, at: 0 })
  admitted = false
  await people.learn(message(alone))
  expect(calls).toEqual([])
  expect(await people.find(ada)).toEqual({ direct: {} })
  admitted = true
  await people.learn(message(alone))
  expect((await people.find(ada)).direct).toEqual({ telegram: ada })
})

test('a topic of a direct chat is in that chat', async () => {
  await people.learn(message({ ...alone, conversation: 'telegram:7:12' }))
  expect((await people.find(ada)).direct).toEqual({ telegram: 'telegram:7' })
})

test('keeps a zone beside what is learned, until it is taken back', async () => {
  await people.setZone(ada, 'Europe/Berlin')
  await people.learn(message(alone))
  expect(await people.find(ada)).toEqual({ direct: { telegram: ada }, zone: 'Europe/Berlin' })
  await people.setZone(ada, undefined)
  expect(await people.find(ada)).not.toHaveProperty('zone')
})

test('goes by the zone of their program where they set none', async () => {
  await people.learn(message({ ...alone, zone: 'Asia/Tokyo' }))
  expect(await people.find(ada)).toMatchObject({ zone: 'Asia/Tokyo' })
  await people.setZone(ada, 'Europe/Berlin')
  await people.learn(message({ ...alone, zone: 'Asia/Seoul' }))
  expect(await people.find(ada)).toMatchObject({ zone: 'Europe/Berlin' })
  await people.setZone(ada, undefined)
  expect(await people.find(ada)).toMatchObject({ zone: 'Asia/Seoul' })
  await people.learn(message({ ...alone, zone: 'Mars/Olympus' }))
  expect(await people.find(ada)).toMatchObject({ zone: 'Asia/Seoul' })
})

test('is renewed once a month, and goes 400 days after the last news', async () => {
  const { admin } = store.server
  await people.learn(message(alone))
  const [key = ''] = await admin.keys('fl:*')
  expect(key).toBe('fl:{person-telegram:7}')
  await admin.expire(key, 1000)
  await people.learn(message(alone))
  expect(await admin.ttl(key)).toBe(1000)
  nowMs += 31 * dayMs
  await people.learn(message(alone))
  expect(await admin.ttl(key)).toBe(400 * 86_400)
})

test('another process learns for itself, and finds what this one wrote', async () => {
  await people.learn(message({ ...alone, language: 'en' }))
  expect(await openPeople().find(ada)).toEqual({ direct: { telegram: ada }, language: 'en' })
})

test('knows since when they block the bot, until they write again', async () => {
  const { admin } = store.server
  await people.learn(message(alone))
  expect(await people.find(ada)).not.toHaveProperty('blockedSinceMs')
  const before = Number((await admin.time())[0]) * 1000
  await chats.close(ada, 'the person blocked the bot')
  const since = (await people.find(ada)).blockedSinceMs ?? 0
  expect(since).toBeGreaterThanOrEqual(before)
  expect(since).toBeLessThan(before + 10_000)
  await chats.close(ada, 'bot was blocked by the user')
  expect((await people.find(ada)).blockedSinceMs).toBe(since)
  await chats.open(ada)
  expect(await people.find(ada)).not.toHaveProperty('blockedSinceMs')
  await chats.close('telegram:-5', 'kicked')
  await chats.move('telegram:-5', 'telegram:-100')
  expect(await admin.hkeys('fl:{chats}')).not.toContain('since:telegram:-5')
})

test('tells a thing once in each chat, and so many chats are noted', async () => {
  expect(await people.mayTell(ada, 'telegram:-5')).toBe(true)
  expect(await people.mayTell(ada, 'telegram:-5')).toBe(false)
  expect(await people.mayTell('telegram:8', 'telegram:-5')).toBe(true)
  for (let i = 0; i < 60; i++) expect(await people.mayTell(ada, `telegram:-${100 + i}`)).toBe(true)
  expect(await store.server.admin.hlen('fl:{person-telegram:7}')).toBe(50)
  expect(await people.mayTell(ada, 'telegram:-159')).toBe(false)
  expect((await people.find(ada)).direct).toEqual({})
})

test('keeps what a person chose of settings of their own, for twenty of them, and takes it along when the rest goes', async () => {
  const { admin } = store.server
  const key = 'fl:{person-telegram:7}'
  expect(await people.findChoice(ada, 'memory')).toBeUndefined()
  expect(await admin.exists(key)).toBe(0)
  await people.setChoice(ada, 'memory', 'not')
  await Promise.all(['allow', 'not'].map((choice) => openPeople().setChoice(ada, 'memory', choice)))
  expect(['allow', 'not']).toContain(await openPeople().findChoice(ada, 'memory'))
  await people.setChoice(ada, 'memory', 'not')
  expect(await openPeople().findChoice(ada, 'memory')).toBe('not')
  expect(await people.findChoice('telegram:8', 'memory')).toBeUndefined()
  await people.learn(message(alone))
  expect(await people.find(ada)).toEqual({ direct: { telegram: ada } })
  for (let n = 1; n < 20; n++) await people.setChoice(ada, `s${n}`, 'on')
  await expect(people.setChoice(ada, 's20', 'on')).rejects.toThrow('room for 20 settings')
  await people.setChoice(ada, 's19', 'off')
  expect(await people.findChoice(ada, 's19')).toBe('off')
  for (let i = 0; i < 60; i++) await people.mayTell(ada, `telegram:-${i}`)
  expect(await people.findChoice(ada, 'memory')).toBe('not')
  await admin.del(key)
  expect(await people.findChoice(ada, 'memory')).toBeUndefined()
})

test('a choice stays as long as it is asked for', async () => {
  const { admin } = store.server
  const key = 'fl:{person-telegram:7}'
  await people.setChoice(ada, 'memory', 'not')
  expect(await admin.ttl(key)).toBe(400 * 86_400)
  await admin.expire(key, 380 * 86_400)
  await people.findChoice(ada, 'memory')
  expect(await admin.ttl(key)).toBe(380 * 86_400)
  await admin.expire(key, 1000)
  await people.findChoice(ada, 'other')
  expect(await admin.ttl(key)).toBe(1000)
  await people.findChoice(ada, 'memory')
  expect(await admin.ttl(key)).toBe(400 * 86_400)
})

test('keeps the link of each platform', async () => {
  expect(await people.findLink('telegram')).toBeUndefined()
  await people.setLink('telegram', 'https://t.me/x?start=hello')
  expect(await people.findLink('telegram')).toBe('https://t.me/x?start=hello')
})

test('what could not be written is written the next time', async () => {
  let isAway = true
  const call: CallUnit = async (...args) => {
    if (isAway) throw new Error('away')
    return await store.call(...args)
  }
  const shaky = createPeople({ redis: store.redis, call, chats, mayTalk: async () => true, now: () => nowMs })
  await expect(shaky.learn(message(alone))).rejects.toThrow('away')
  isAway = false
  await shaky.learn(message(alone))
  expect((await people.find(ada)).direct).toEqual({ telegram: ada })
})

// The list of conversations over HTTP: marks, names, deleting all that is kept, searching; and who may.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiMessage } from '#adapters/web/api-message.ts'
import type { ListedConversation } from '#adapters/web/conversation-list.ts'
import type { SearchResult } from '#adapters/web/search.ts'
import { forgetShown } from '#queues/shown/forget-shown.ts'
import { BotError } from '#shared/errors.ts'
import { createBot } from '#test/adapters/bot.ts'
import { startWebRig, toJson, type WebRig, type WebServer } from './web-rig.ts'

let rig: WebRig
let server: WebServer

beforeAll(async () => {
  rig = await startWebRig()
  server = await rig.start()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

const say = async (id: string, text: string): Promise<void> => {
  expect((await server.post(`/api/conversations/${id}/messages`, { text })).status).toBe(202)
}
const rename = async (id: string, title: unknown) => await server.post(`/api/conversations/${id}/title`, { title })
const remove = async (id: string) => await server.call(`/api/conversations/${id}`, { method: 'DELETE' })
const listed = async (id: string): Promise<ListedConversation | undefined> => {
  const answer = await server.call('/api/conversations')
  // The list is touched after the message is accepted.
  const { conversations } = await toJson<{ conversations: ListedConversation[] }>(answer)
  return conversations.find((one) => one.id === id)
}
const search = async (query: string): Promise<SearchResult> =>
  await toJson<SearchResult>(await server.call(`/api/search?q=${encodeURIComponent(query)}`))

test('tells what is worked on and when the bot last said something', async () => {
  await say('marks', 'question')
  await expect.poll(async () => await listed('marks')).toMatchObject({ title: 'question', working: true })
  expect(await listed('marks')).not.toHaveProperty('saidAt')
  const bot = createBot(rig.kernel, 'web:marks')
  await bot.reply('answer')
  const { messages } = await toJson<{ messages: ApiMessage[] }>(await server.call('/api/conversations/marks/messages'))
  expect(await listed('marks')).toMatchObject({ working: false, saidAt: messages[1]?.at })
  await bot.draft('more')
  expect(await listed('marks')).toMatchObject({ working: true })
})

test('a name takes the place of the first message until it is taken away', async () => {
  await say('named', 'the first message')
  await expect.poll(async () => (await listed('named'))?.title).toBe('the first message')
  expect(await (await rename('named', '  My \u202e trip\n plans ')).json()).toEqual({ title: 'My trip plans' })
  expect((await listed('named'))?.title).toBe('My trip plans')
  expect((await rename('named', '')).status).toBe(200)
  expect((await listed('named'))?.title).toBe('the first message')
})

test('words that answer a card are no title: what was ordered is', async () => {
  await say('ordered', '/task three poems')
  const bot = createBot(rig.kernel, 'web:ordered')
  await bot.ask('Look at this.', { continue: 'Continue' })
  const reply = { text: 'a lighter tone', replyTo: bot.lastRow() }
  expect((await server.post('/api/conversations/ordered/messages', reply)).status).toBe(202)
  await bot.tell('Done.')
  expect((await listed('ordered'))?.title).toBe('/task three poems')
  await say('ordered', 'What is for lunch?')
  await expect.poll(async () => (await listed('ordered'))?.title).toBe('What is for lunch?')
})

test('a title that was read before its message was forgotten is not kept after that', async () => {
  const { admin } = rig.redis
  await say('raced', 'the word that goes')
  await expect.poll(async () => await listed('raced')).toBeDefined()
  await admin.hdel('fl:{web}:titles', 'raced')
  const reading = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  const slow = await rig.start({
    kernel: (kernel) => ({
      ...kernel,
      async readOut(conversation, ...rest) {
        const items = await kernel.readOut(conversation, ...rest)
        if (conversation !== 'web:raced') return items
        reading.resolve()
        await going.promise
        return items
      },
    }),
  })
  const listing = slow.call('/api/conversations')
  await reading.promise
  const [item] = await rig.kernel.readOut('web:raced', '0', 1)
  const event = item?.role === 'person' ? item.event.id : ''
  await forgetShown(rig.kernel, 'web:raced', [event])
  going.resolve()
  expect((await listing).status).toBe(200)
  expect(await admin.hget('fl:{web}:titles', 'raced')).toBeNull()
})

test('refuses names that are too long or none, and conversations that are not listed', async () => {
  await say('plain', 'x')
  await expect.poll(async () => await listed('plain')).toBeDefined()
  for (const title of ['x'.repeat(81), 5, null]) expect((await rename('plain', title)).status).toBe(400)
  expect((await rename('nobody', 'x')).status).toBe(404)
  expect((await rename('a:b', 'x')).status).toBe(400)
  expect((await listed('plain'))?.title).toBe('x')
})

test('ids that objects know are ordinary', async () => {
  await say('constructor', 'hello')
  await expect.poll(async () => (await listed('constructor'))?.title).toBe('hello')
})

test('deleting leaves nothing in Redis that was said, and its name only for who has to hear of it', async () => {
  const bot = createBot(rig.kernel, 'web:gone')
  await say('gone', 'a quokka secret')
  await bot.ask('about the quokka', { again: 'Again' })
  await rename('gone', 'quokka')
  await say('gone', 'more quokka')
  await bot.draft('quokka quokka')
  await say('stays', 'kept')
  const contents = async (): Promise<string> => {
    const { admin } = rig.redis
    const keys = await admin.keys('*')
    const dumps = await Promise.all(
      keys.map(async (key) => `${key} ${(await admin.dumpBuffer(key))?.toString('latin1')}`),
    )
    // A hint to a worker names the conversation, says nothing, and goes when a worker has looked; so does, for a week, the line by which those
    // who made something of what was said hear that it is gone, and for two days the ids of what is not to come back.
    const onlyNames = (each: string): boolean =>
      /^fl:(?:\{inbound\}|\{p\d\d\}:(?:records|dd:web:gone) )/.test(each) && !each.includes('quokka')
    return dumps.filter((each) => /quokka|web:gone/.test(each) && !onlyNames(each)).join('\n')
  }
  expect(await contents()).not.toBe('')
  expect(await (await remove('gone')).json()).toEqual({ deleted: 'gone' })
  expect((await contents()).replaceAll(/[^\x20-\x7e\n]/g, '')).toBe('')
  expect(await listed('gone')).toBeUndefined()
  expect(await listed('stays')).toBeDefined()
  // It may begin anew.
  await say('gone', 'hello again')
  expect(await bot.hear()).toMatchObject([{ text: 'hello again' }])
  await bot.reply('hello')
  expect((await remove('a:b')).status).toBe(400)
})

test('finds what was said, the newest place first, and names; in any case and width', async () => {
  const bot = createBot(rig.kernel, 'web:zoo')
  await say('zoo', 'What does a Wombat eat?')
  await bot.reply('Grass. The wombat sleeps by day.')
  for (let i = 0; i < 120; i++) await bot.reply(`filler ${i}`)
  await say('farm', 'nothing here')
  await expect.poll(async () => await listed('farm')).toBeDefined()
  await rename('farm', 'The ＷＯＭＢＡＴ farm')
  const { found, partial } = await search('wombat')
  expect(partial).toBe(false)
  expect(found).toHaveLength(2)
  expect(found).toContainEqual({ id: 'farm', title: 'The ＷＯＭＢＡＴ farm' })
  expect(found).toContainEqual({
    id: 'zoo',
    title: 'What does a Wombat eat?',
    message: expect.stringMatching(/^\d+-2$/),
    excerpt: 'Grass. The wombat sleeps by day.',
  })
  expect((await search('does not occur')).found).toEqual([])
  expect((await search('.*')).found).toEqual([])
})

test('refuses questions that are none, and looks for one at a time', async () => {
  for (const query of ['', '%20', 'x'.repeat(101)]) {
    expect((await server.call(`/api/search?q=${query}`)).status, query).toBe(400)
  }
  const both = await Promise.all([search('wombat'), search('wombat')])
  expect(both.map(({ partial }) => partial)).toContain(false)
})

test('reads pages towards the beginning, and refuses places and numbers that are none', async () => {
  const bot = createBot(rig.kernel, 'web:pages')
  for (let i = 1; i <= 95; i++) await bot.reply(`r${i}`)
  type Page = { messages: ApiMessage[]; earlier?: string }
  const read = async (query: string): Promise<Page> =>
    await toJson<Page>(await server.call(`/api/conversations/pages/messages?${query}`))
  const pages: string[][] = []
  for (let before: string | undefined = '0'; before !== undefined;) {
    const page: Page = await read(`before=${before}&limit=40`)
    pages.push(page.messages.map(({ text }) => text))
    before = page.earlier
  }
  expect(pages.map((page) => page.length)).toEqual([40, 40, 15])
  expect(pages.toReversed().flat()).toEqual(Array.from({ length: 95 }, (_, i) => `r${i + 1}`))
  for (const query of ['before=x', 'before=-1', 'before=0&limit=0', 'before=0&limit=501', 'limit=1e2', 'before=1-x']) {
    expect((await server.call(`/api/conversations/pages/messages?${query}`)).status, query).toBe(400)
  }
  expect(await read('before=9-999999999999999')).toMatchObject({ messages: { length: 40 } })
})

test('nobody renames, deletes or searches without the token, from another origin, or by a cookie without an origin', async () => {
  await say('safe', 'kept')
  const form = { Origin: server.origin, 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = `token=${encodeURIComponent(await rig.token())}`
  const login = await fetch(`${server.origin}/login`, { method: 'POST', headers: form, body, redirect: 'manual' })
  const Cookie = (login.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const json = { 'Content-Type': 'application/json' }
  const ways: [string, RequestInit][] = [
    ['/api/conversations/safe', { method: 'DELETE' }],
    ['/api/conversations/safe/title', { method: 'POST', body: '{"title":"x"}' }],
    ['/api/search?q=kept', {}],
  ]
  for (const [route, init] of ways) {
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(server.origin + route, { ...init, headers: { ...json, ...headers } })).status
    expect(await status({}), route).toBe(401)
    expect(await status({ Cookie, Origin: 'https://evil.example' }), route).toBe(403)
    expect(await status({ Cookie, 'Sec-Fetch-Site': 'same-site' }), route).toBe(403)
    if (init.method) expect(await status({ Cookie }), route).toBe(403)
  }
  expect((await listed('safe'))?.title).toBe('kept')
  expect(
    await fetch(`${server.origin}/api/conversations/safe`, {
      method: 'DELETE',
      headers: { Cookie, Origin: server.origin },
    }),
  ).toMatchObject({ status: 200 })
})

test('a deletion is told once it is on disk, is given to Redis again if that was lost, and takes nothing that was said since', async () => {
  const disk = Promise.withResolvers<void>()
  const given: (() => Promise<unknown>)[] = []
  const own = await rig.start({
    ingest: {
      synced: async () => await disk.promise,
      lastSeconds: { remember: (again) => void given.push(again), drained: async () => {} },
    },
  })
  const bot = createBot(rig.kernel, 'web:lasting')
  await say('lasting', 'a numbat secret')
  await expect.poll(async () => await listed('lasting')).toBeDefined()
  let isTold = false
  const told = own.call('/api/conversations/lasting', { method: 'DELETE' }).finally(() => (isTold = true))
  await expect.poll(async () => await listed('lasting')).toBeUndefined()
  expect(isTold).toBe(false)
  disk.resolve()
  expect(await (await told).json()).toEqual({ deleted: 'lasting' })
  // Nothing of it was lost, and somebody has written there again.
  const giveAgain = async (): Promise<void> => {
    for (const again of given.splice(0)) await again()
  }
  await say('lasting', 'hello')
  await expect.poll(async () => await listed('lasting')).toBeDefined()
  await giveAgain()
  expect(await bot.hear()).toMatchObject([{ text: 'hello' }])
  expect(await listed('lasting')).toBeDefined()
  // It was lost, with all that tells of it.
  for (const key of await rig.redis.admin.keys('fl:{p*}:dd:web:lasting')) await rig.redis.admin.del(key)
  await giveAgain()
  expect(await listed('lasting')).toBeUndefined()
  expect((await rig.redis.admin.keys('fl:{p*}:*:web:lasting')).map((key) => key.replace(/\d\d/, 'NN'))).toEqual([
    'fl:{pNN}:dd:web:lasting',
  ])
})

test('what cannot be made sure to be deleted is not told to be', async () => {
  const own = await rig.start({
    ingest: { synced: async () => await Promise.reject(new BotError('store-unavailable', 'lost')) },
  })
  expect((await own.call('/api/conversations/unsure', { method: 'DELETE' })).status).toBe(503)
  await own.stop()
  expect((await own.call('/api/conversations/unsure', { method: 'DELETE' }).catch(() => undefined))?.ok).not.toBe(true)
})

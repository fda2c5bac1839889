// The live stream: nothing missed and nothing twice over cuts, processes and lost news; nothing left behind after it closes.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { follow } from '#adapters/web/follow.ts'
import { createEventSink } from '#adapters/web/event-sink.ts'
import { createDraftRooms } from '#adapters/web/draft-room.ts'
import type { PlacedBlock } from '#adapters/web/page-blocks.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import type { LiveNews } from '#queues/workers/live.ts'
import { createBot } from '#test/adapters/bot.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { openStream } from './event-reader.ts'
import { toJson, startWebRig, type WebRig, type WebServer } from './web-rig.ts'

let rig: WebRig
let server: WebServer
let other: WebServer

beforeAll(async () => {
  rig = await startWebRig()
  server = await rig.start()
  other = await rig.start()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

const open = async (at: WebServer, id: string, headers: Record<string, string> = {}) =>
  await openStream(`${at.origin}/api/conversations/${id}/stream`, {
    Authorization: `Bearer ${await rig.token()}`,
    ...headers,
  })
const say = async (id: string, text: string) => await server.post(`/api/conversations/${id}/messages`, { text })
const subscriptions = async (): Promise<number> => {
  const channels = await rig.redis.admin.pubsub('CHANNELS', 'fl:live:*')
  return channels.length
}

test('shows what is said, the growing draft, then the reply; in every process', async () => {
  const readers = [await open(server, 'live'), await open(other, 'live')]
  await say('live', 'question')
  const bot = createBot(rig.kernel, 'web:live')
  await bot.hear()
  await bot.draft('the ans')
  for (const reader of readers) {
    expect(await reader.next('message')).toMatchObject({ id: /-/, data: { role: 'user', text: 'question' } } as never)
    const draft = await reader.next('draft')
    expect(draft.data).toMatchObject({ text: 'the ans' })
    expect(draft.id).toBeUndefined()
  }
  await bot.reply('the answer')
  for (const reader of readers) {
    const final = await reader.next('message')
    expect(final.data).toMatchObject({ role: 'bot', text: 'the answer', id: final.id })
    reader.cut()
  }
})

test('goes on from Last-Event-ID in another process: no gap, no repetition', async () => {
  const first = await open(server, 'resume')
  const bot = createBot(rig.kernel, 'web:resume')
  await say('resume', 'm1')
  await bot.reply('r1')
  await first.next('message')
  const last = await first.next('message')
  first.cut()
  for (const number of [2, 3, 4]) {
    await say('resume', `m${number}`)
    await bot.reply(`r${number}`)
  }
  const second = await open(other, 'resume', { 'Last-Event-ID': last.id ?? '' })
  const texts: unknown[] = []
  for (let count = 0; count < 6; count++) texts.push((await second.next('message')).data['text'])
  expect(texts).toEqual(['m2', 'r2', 'm3', 'r3', 'm4', 'r4'])
  second.cut()
})

test('loses nothing while messages arrive as the connection is cut again and again', async () => {
  const total = 60
  const speaking = (async () => {
    for (let number = 1; number <= total; number++) await say('cuts', `n${number}`)
  })()
  const seen: unknown[] = []
  let last = '0'
  for (let connection = 0; seen.length < total; connection++) {
    const reader = await open(connection % 2 ? server : other, 'cuts', { 'Last-Event-ID': last })
    for (let count = 0; count < 7 && seen.length < total; count++) {
      const message = await reader.next('message')
      last = message.id ?? ''
      seen.push(message.data['text'])
    }
    reader.cut()
  }
  await speaking
  expect(seen).toEqual(Array.from({ length: total }, (_, index) => `n${index + 1}`))
}, 20_000)

test('finds what it got no news of within two seconds', async () => {
  const reader = await open(server, 'quiet')
  // An entry without a publish: what a lost message of pub/sub looks like.
  await say('quiet-source', 'unheard')
  const [item] = await rig.kernel.readOut('web:quiet-source', '0', 1)
  if (item?.role !== 'person') throw new Error('no item')
  const prefix = partitionPrefix(toPartition('web:quiet'))
  await rig.redis.admin.rpush(`${prefix}out:web:quiet`, `e${Date.now()}${JSON.stringify(item.event)}`)
  await rig.redis.admin.hincrby(`${prefix}c:web:quiet`, 'out', 1)
  expect((await reader.next('message', 3000)).data).toMatchObject({ text: 'unheard' })
  reader.cut()
})

test('goes on in a second tab after the conversation was deleted', async () => {
  for (const text of ['one', 'two', 'three']) await say('deleted', text)
  const reader = await open(other, 'deleted')
  for (let count = 0; count < 3; count++) await reader.next('message')
  await rig.kernel.erase('web:deleted')
  await say('deleted', 'begun anew')
  expect((await reader.next('message')).data).toMatchObject({ text: 'begun anew' })
  // The same once more, with the old ids given again before the stream looks.
  await rig.kernel.erase('web:deleted')
  for (const text of ['again', 'and more']) await say('deleted', text)
  expect((await reader.next('message')).data).toMatchObject({ text: 'again' })
  expect((await reader.next('message')).data).toMatchObject({ text: 'and more' })
  reader.cut()
})

test('shows new items with the ids of lost ones, and none twice', async () => {
  for (const text of ['one', 'two', 'three']) await say('lost-items', text)
  const reader = await open(server, 'lost-items')
  for (let count = 0; count < 3; count++) await reader.next('message')
  // The last two are lost and their ids given to new ones in one step, as Redis comes back with older data.
  const kept = await rig.kernel.readOut('web:lost-items', '0', 3)
  const [, second, third] = kept
  if (second?.role !== 'person' || third?.role !== 'person') throw new Error('no items')
  const prefix = partitionPrefix(toPartition('web:lost-items'))
  const at = Date.now() + 10
  const toStored = (text: string, n: number): string =>
    `e${at + n}${JSON.stringify({ ...third.event, id: `new-${n}`, text })}`
  await rig.redis.admin
    .multi()
    .ltrim(`${prefix}out:web:lost-items`, 0, 0)
    .rpush(`${prefix}out:web:lost-items`, toStored('new two', 0), toStored('new three', 1))
    .exec()
  expect((await reader.next('message', 4000)).data).toMatchObject({ text: 'new two' })
  expect((await reader.next('message', 4000)).data).toMatchObject({ text: 'new three' })
  await say('lost-items', 'four')
  expect((await reader.next('message')).data).toMatchObject({ text: 'four' })
  reader.cut()
})

test('shows a draft in progress to whoever comes later', async () => {
  await say('late', 'question')
  const bot = createBot(rig.kernel, 'web:late')
  await bot.hear()
  await bot.draft('half an ans')
  const reader = await open(other, 'late')
  expect((await reader.next('draft')).data).toMatchObject({ text: 'half an ans', resumed: true })
  reader.cut()
})

test('sends no draft after the reply that was read together with it', async () => {
  const items: OutItem[] = []
  let tell: (news: LiveNews) => void = () => {}
  const sink = createEventSink(() => {})
  const deps = {
    kernel: {
      readOut: async (_: string, after: string) => items.filter((item) => Number(item.id) > Number(after)),
      findDraft: async () => undefined,
    },
    live: {
      listen: async (_: string, callback: (news: LiveNews) => void) => {
        tell = callback
        return () => {}
      },
    },
  }
  const draftRead = Promise.withResolvers<readonly PlacedBlock[]>()
  const reading = {
    start() {},
    read: async () => [],
    readPlaced: async () => await draftRead.promise,
    close: async () => {},
  }
  const done = follow(deps, {
    reader: reading,
    rooms: createDraftRooms(reading),
    conversation: 'web:x',
    after: '0',
    sink,
    mayGoOn: async () => true,
  })
  // Both come while nothing is being read, so one look finds them together.
  await new Promise((resolve) => setTimeout(resolve, 20))
  tell({ kind: 'draft', turn: 't', text: 'ans' })
  items.push({ id: '1', at: 1, role: 'bot', body: toBody('answer') })
  tell({ kind: 'out' })
  const reader = sink.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes('event: message')) text += decoder.decode((await reader.read()).value, { stream: true })
  draftRead.resolve([])
  await nextTurn()
  sink.close()
  await done
  for (let part = await reader.read(); !part.done; part = await reader.read())
    text += decoder.decode(part.value, { stream: true })
  expect(text).not.toContain('event: draft')
})

test('cuts off a client that does not read, after one full buffer', async () => {
  let hungUp = 0
  const sink = createEventSink(() => (hungUp += 1), 100)
  const json = 'x'.repeat(40_000)
  expect(await sink.send({ event: 'message', id: '1', json })).toBe(true)
  // Nobody reads: the second one waits for room, then the client counts as gone.
  expect(await sink.send({ event: 'message', id: '2', json })).toBe(false)
  expect([sink.signal.aborted, hungUp]).toEqual([true, 1])
  expect(await sink.send({ event: 'message', id: '3', json })).toBe(false)
})

test('leaves no subscription behind when clients go', async () => {
  const readers = await Promise.all(Array.from({ length: 8 }, (_, index) => open(server, `gone-${index % 4}`)))
  await expect.poll(subscriptions).toBe(4)
  for (const reader of readers) reader.cut()
  await expect.poll(subscriptions, { timeout: 5000 }).toBe(0)
})

test('ends the streams when the server closes, within its grace', async () => {
  const closing = await rig.start()
  const reader = await open(closing, 'closing')
  const startedMs = Date.now()
  await closing.stop()
  await reader.ended
  expect(Date.now() - startedMs).toBeLessThan(2000)
})

test('refuses an id that is none', async () => {
  expect((await open(server, 'live', { 'Last-Event-ID': 'x' })).status).toBe(400)
})

test('answers 503 and ends streams while Redis is away, and resumes by itself', async () => {
  const away = await startWebRig()
  try {
    const at = await away.start()
    const headers = { Authorization: `Bearer ${await away.token()}` }
    const url = `${at.origin}/api/conversations/main/stream`
    const reader = await openStream(url, headers)
    expect(reader.status).toBe(200)
    await away.redis.kill()
    await reader.ended
    const during = await openStream(url, headers)
    expect(during.status).toBe(503)
    const health = await at.call('/health')
    expect([health.status, (await toJson<{ ok: boolean }>(health)).ok]).toEqual([503, false])
    expect((await at.post('/api/conversations/main/messages', { text: 'x' })).status).toBe(503)
    expect((await at.call('/api/conversations/main/messages')).status).toBe(503)
    await away.redis.restart()
    await expect.poll(async () => (await at.call('/health')).status, { timeout: 8000 }).toBe(200)
    const after = await openStream(url, headers)
    await at.post('/api/conversations/main/messages', { text: 'back' })
    expect((await after.next('message')).data).toMatchObject({ text: 'back' })
    after.cut()
  } finally {
    await away[Symbol.asyncDispose]()
  }
}, 30_000)

test('after a restore from older data a client gets what is new under ids it already knows', async () => {
  await say('restored', 'one')
  const before = await open(server, 'restored')
  const last = await before.next('message')
  before.cut()
  const prefix = partitionPrefix(toPartition('web:restored'))
  await rig.redis.admin.del(`${prefix}out:web:restored`, `${prefix}c:web:restored`)
  await say('restored', 'another first')
  const after = await open(server, 'restored', { 'Last-Event-ID': last.id ?? '' })
  expect((await after.next('message')).data).toMatchObject({ text: 'another first' })
  after.cut()
})

// Facts about pushed events: only what Feishu sent is taken, once, and answered when it is stored.
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBodyRoom } from '#adapters/feishu/body-room.ts'
import { createFeishuChannel } from '#adapters/feishu/feishu-channel.ts'
import { createWebhookHandler, type WebhookDeps } from '#adapters/feishu/webhook.ts'
import { BotError } from '#shared/errors.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import { until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFeishuRig, type RigOptions } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const encryptKey = 'a-key-of-the-page'
const verificationToken = 'a-token-of-the-page'
const url = 'https://bot.example/feishu'
let at = Date.UTC(2026, 10, 26)

function seal(data: unknown, key = encryptKey): string {
  const start = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(key).digest(), start)
  const sealed = Buffer.concat([start, cipher.update(JSON.stringify(data)), cipher.final()])
  return JSON.stringify({ encrypt: sealed.toString('base64') })
}

type Push = { readonly key?: string; readonly sentMs?: number; readonly nonce?: string }

function push(body: string, { key = encryptKey, sentMs = at, nonce = 'n1' }: Push = {}): Request {
  const timestamp = String(Math.floor(sentMs / 1000))
  const signature = createHash('sha256')
    .update(timestamp + nonce + key)
    .update(body)
    .digest('hex')
  const headers = {
    'x-lark-request-timestamp': timestamp,
    'x-lark-request-nonce': nonce,
    'x-lark-signature': signature,
  }
  return new Request(url, { method: 'POST', body, headers })
}

const said = (
  text: string,
  over: { readonly token?: string; readonly event?: string; readonly message?: string } = {},
) => ({
  schema: '2.0',
  header: {
    event_id: over.event ?? 'e1',
    event_type: 'im.message.receive_v1',
    create_time: String(at),
    token: over.token ?? verificationToken,
    app_id: 'cli_a1b2c3d4e5f60718',
  },
  event: {
    sender: { sender_id: { open_id: 'ou_ada' }, sender_type: 'user' },
    message: {
      message_id: over.message ?? 'om_1',
      create_time: String(at),
      chat_id: 'oc_1',
      chat_type: 'p2p',
      message_type: 'text',
      content: JSON.stringify({ text }),
    },
  },
})

function open(receiver: WebhookDeps['receiver'] = () => async () => ({})): {
  readonly handle: (request: Request) => Promise<Response>
  readonly taken: unknown[]
  readonly told: string[]
} {
  const taken: unknown[] = []
  const told: string[] = []
  const handle = createWebhookHandler({
    encryptKey,
    verificationToken,
    now: () => at,
    count: () => {},
    say: (text) => void told.push(text),
    receiver: () => {
      const inner = receiver()
      return inner && (async (data) => (taken.push(data), await inner(data)))
    },
  })
  return { handle, taken, told }
}

test('an event that Feishu sealed and signed is taken', async () => {
  const { handle, taken } = open()
  const response = await handle(push(seal(said('hi'))))
  expect([response.status, await response.json()]).toEqual([200, {}])
  expect(taken).toEqual([said('hi')])
})

const body = seal(said('hi'))
const cut = JSON.stringify({ encrypt: JSON.parse(body).encrypt.slice(0, -24) })
test.each<readonly [string, () => Request]>([
  ['without a signature', () => new Request(url, { method: 'POST', body })],
  ['signed with another key', () => push(body, { key: 'another' })],
  [
    'whose body was changed',
    () => new Request(push(body), { method: 'POST', body: seal(said('other')), headers: push(body).headers }),
  ],
  ['that is not sealed', () => push(JSON.stringify(said('hi')))],
  ['sealed with another key', () => push(seal(said('hi'), 'another'))],
  ['that was cut', () => push(cut)],
  ['whose token is another', () => push(seal(said('hi', { token: 'x' })))],
  ['from long ago', () => push(body, { sentMs: at - 9 * 3_600_000 })],
  ['from the future', () => push(body, { sentMs: at + 3_600_000 })],
  ['that is no JSON', () => push('{')],
  ['that is empty', () => push('')],
  ['that is a list', () => push('[]')],
  ['a challenge without its token', () => push(seal({ type: 'url_verification', challenge: 'c' }))],
  ['a challenge with another token', () => push(seal({ type: 'url_verification', challenge: 'c', token: 'x' }))],
  [
    'a challenge in the open',
    () => push(JSON.stringify({ type: 'url_verification', challenge: 'c', token: verificationToken })),
  ],
])('a request %s is refused, and the operator told what to look at', async (_, request) => {
  const { handle, taken, told } = open()
  expect((await handle(request())).status).toBe(401)
  expect(taken).toEqual([])
  expect(told).toEqual([
    expect.stringMatching(/refused: it was not made with FEISHU_ENCRYPT_KEY and FEISHU_VERIFICATION_TOKEN/),
  ])
})

test('a challenge is answered', async () => {
  const { handle } = open()
  const sealed = seal({ type: 'url_verification', challenge: 'c1', token: verificationToken })
  expect(await (await handle(new Request(url, { method: 'POST', body: sealed }))).json()).toEqual({ challenge: 'c1' })
})

test('too much is not read, other methods are refused, before the start it must come again', async () => {
  const { handle } = open(() => undefined)
  expect((await handle(push('x'.repeat(200_001)))).status).toBe(413)
  expect((await handle(new Request(url))).status).toBe(405)
  expect((await handle(push(body))).status).toBe(503)
})

/** A body of so many bytes that does not end before `end`. */
function slowPush(bytes: number, end: Promise<void>, headers: Headers = new Headers()): Request {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(bytes))
      void end.then(() => controller.close()).catch(() => {})
    },
  })
  return new Request(url, { method: 'POST', body: stream, duplex: 'half', headers })
}

test('what fills the room gives way to what comes in one piece, the longest read first, and then the room is free again', async () => {
  const room = createBodyRoom(10_000)
  const end = Promise.withResolvers<void>()
  const slow = Array.from({ length: 10 }, async () => await room.read(slowPush(1000, end.promise), 5000))
  await new Promise(setImmediate)
  expect(await room.read(push('x'.repeat(2500)), 5000)).toHaveLength(2500)
  expect(await Promise.all(slow.slice(0, 3))).toEqual([503, 503, 503])
  end.resolve()
  expect((await Promise.all(slow.slice(3))).map((read) => (typeof read === 'number' ? read : read.length))).toEqual(
    Array.from({ length: 7 }, () => 1000),
  )
  // All of it is free.
  expect(await room.read(push('x'.repeat(5000)), 5000)).toHaveLength(5000)
})

test('who knows the address, and no secret, keeps no push of Feishu out', async () => {
  const { handle, taken } = open()
  const end = Promise.withResolvers<void>()
  const signed = push(body).headers
  const strangers = Array.from(
    { length: 400 },
    async (_, nth) =>
      await handle(slowPush(nth % 2 === 0 ? 190_000 : 9000, end.promise, nth % 2 === 0 ? signed : new Headers())),
  )
  await new Promise(setImmediate)
  for (let n = 0; n < 5; n++) expect((await handle(push(body))).status).toBe(200)
  end.resolve()
  expect(new Set((await Promise.all(strangers)).map(({ status }) => status))).toEqual(new Set([401, 503]))
  expect(taken).toHaveLength(5)
})

test('a body that pauses, and one that is slow for three seconds, are left', async () => {
  const { handle } = open()
  const beganMs = Date.now()
  expect((await handle(slowPush(1000, new Promise(() => {})))).status).toBe(408)
  expect(Date.now() - beganMs).toBeLessThan(2500)
  const drops = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await sleep(50)
      controller.enqueue(new Uint8Array(1))
    },
  })
  expect((await handle(new Request(url, { method: 'POST', body: drops, duplex: 'half' }))).status).toBe(408)
  expect(Date.now() - beganMs).toBeGreaterThan(3000)
})

test('what is long and not signed is not even read', async () => {
  const { handle } = open()
  const sealed = seal({ type: 'url_verification', challenge: 'c1', token: verificationToken, pad: 'x'.repeat(20_000) })
  expect((await handle(new Request(url, { method: 'POST', body: sealed }))).status).toBe(413)
})

test('what fails must come again', async () => {
  const { handle } = open(() => async () => await Promise.reject(new Error('away')))
  expect((await handle(push(body))).status).toBe(503)
})

test('no start without the keys', () => {
  const settings = { appId: 'cli_a1b2c3d4e5f60718', appSecret: 's', domain: 'feishu', cardUpdates: 6, monthlyCalls: 0 }
  const deps: Parameters<typeof createFeishuChannel>[1] = {
    chats: { find: never, move: never, close: never, open: never },
    call: never,
    findMode: never,
    say: () => {},
    count: () => {},
    now: Date.now,
  }
  for (const keys of [{}, { encryptKey }, { verificationToken }]) {
    const webhook = { url, encryptKey: undefined, verificationToken: undefined, ...keys }
    expect(() => createFeishuChannel({ ...settings, webhook }, deps)).toThrow(BotError)
  }
})
async function never(): Promise<never> {
  return await Promise.reject(new Error('Nothing is asked for.'))
}

async function openPushed(options: RigOptions = {}) {
  const webhook = { url, encryptKey, verificationToken }
  const rig = await openFeishuRig(server, { ...options, channel: { webhook } })
  at = Date.now()
  rig.run()
  const handler = rig.channel.webhook?.handler
  if (!handler) throw new Error('There is no webhook.')
  const { header, ...rest } = said('ready?')
  const ready = seal({ ...rest, header: { ...header, event_type: 'im.message.message_read_v1' } })
  await until(async () => ((await handler(push(ready))).status === 200 ? true : undefined))
  return { rig, handler, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() }
}

test('brought again and again, at two receivers at once, it is one event', async () => {
  await using pushed = await openPushed()
  const { rig, handler } = pushed
  const other = rig.another()
  rig.run(other)
  const second = other.webhook?.handler ?? handler
  const all = ['e1', 'e1', 'e2', 'e3'].flatMap((event, i) =>
    [handler, second].map((one) =>
      until(async () => {
        const response = await one(
          push(seal(said('once', { event, message: i === 3 ? 'om_2' : 'om_1' })), { nonce: `${i}` }),
        )
        return response.status === 200 ? true : undefined
      }),
    ),
  )
  await Promise.all(all)
  await handler(push(seal({ ...said('after', { event: 'e9', message: 'om_9' }) })))
  const events = await rig.waitForEvents('feishu:ou_ada', 2)
  expect(events).toMatchObject([{ text: 'once' }, { text: 'after' }])
  expect(events).toHaveLength(2)
})

test('while the store is away the push is refused within three seconds, and stored once when it is back', async () => {
  let isAway = true
  const wrapIngest = (real: Ingest): Ingest => ({
    ...real,
    take: async (event, how) => {
      if (isAway) throw new BotError('store-unavailable', 'away', { retry: { afterMs: 50 } })
      return await real.take(event, how)
    },
  })
  await using pushed = await openPushed({ wrapIngest })
  const { rig, handler } = pushed
  await until(async () => ((await handler(push(seal(said('late'))))).status === 503 ? true : undefined))
  const begunMs = Date.now()
  expect((await handler(push(seal(said('late'))))).status).toBe(503)
  expect(Date.now() - begunMs).toBeLessThan(3000)
  isAway = false
  await until(async () => ((await handler(push(seal(said('late'))))).status === 200 ? true : undefined))
  expect(await rig.waitForEvents('feishu:ou_ada', 1)).toHaveLength(1)
})

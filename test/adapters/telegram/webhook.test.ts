// Facts about pushed updates: only Telegram is let in, and 200 means that the update is in Redis.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BotError } from '#shared/errors.ts'
import type { CallUnit } from '#queues/units.ts'
import { findFreePort, startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { until } from '#test/rig/channel-rig.ts'
import { openTelegramRig, type RigOptions, type TelegramRig } from './telegram-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const secret = 'a-proper_secret-1'
const header = 'x-telegram-bot-api-secret-token'

type WebhookRig = AsyncDisposable & {
  readonly rig: TelegramRig
  readonly url: string
  readonly handler: (request: Request) => Promise<Response>
}

/** The channel with its webhook mounted on a server, and Telegram told of it. */
async function openWebhook(options: RigOptions = {}): Promise<WebhookRig> {
  const url = `http://127.0.0.1:${await findFreePort()}/telegram`
  const rig = await openTelegramRig(server, { ...options, channel: { webhook: { url, secret } } })
  const handler = rig.channel.webhook?.handler
  if (!handler) throw new Error('There is no webhook handler.')
  const listener = getRequestListener(handler)
  const http = createServer((req, res) => void listener(req, res)).listen(Number(new URL(url).port), '127.0.0.1')
  await once(http, 'listening')
  rig.run()
  await rig.telegram.ledger.waitFor((entry) => entry.method === 'setWebhook' && entry.outcome === 'ok')
  return {
    rig,
    url,
    handler,
    async [Symbol.asyncDispose]() {
      await rig[Symbol.asyncDispose]()
      http.closeAllConnections()
      http.close()
    },
  }
}

const update = (id: number, text = 'hi'): string =>
  JSON.stringify({
    update_id: id,
    message: { message_id: id, date: 1, chat: { id: 7, type: 'private' }, from: { id: 7, first_name: 'Ann' }, text },
  })
const push = (url: string, headers: Record<string, string>, body = update(1)): Promise<Response> =>
  fetch(url, { method: 'POST', headers, body })

test.each([undefined, '', 'with spaces', 'x'.repeat(257), '秘密'])(
  'refuses to start with the secret %j',
  async (wrong) => {
    const opening = openTelegramRig(server, { channel: { webhook: { url: 'http://127.0.0.1:1/x', secret: wrong } } })
    await expect(opening).rejects.toThrow('TELEGRAM_WEBHOOK_SECRET')
  },
)

test.each([
  ['missing', {}],
  ['blank', { [header]: '' }],
  ['wrong', { [header]: 'another-proper_secret' }],
  ['truncated', { [header]: secret.slice(0, -1) }],
  ['longer', { [header]: `${secret}x` }],
])('answers 401 and stores nothing when the secret is %s', async (_, headers) => {
  await using hook = await openWebhook()
  expect((await push(hook.url, headers)).status).toBe(401)
  expect(await server.admin.keys('*:in:*')).toEqual([])
})

test('answers 401 to a body of two megabytes without reading it', async () => {
  await using hook = await openWebhook()
  const answer = await hook.handler(new Request(hook.url, { method: 'POST', body: 'x'.repeat(2_000_000) }))
  expect(answer.status).toBe(401)
})

test('answers 413 to more than a megabyte, also when its length is not told', async () => {
  await using hook = await openWebhook()
  const body = new Blob(['x'.repeat(600_000), 'x'.repeat(600_000)]).stream()
  const init = { method: 'POST', headers: { [header]: secret }, body, duplex: 'half' } as const
  expect((await hook.handler(new Request(hook.url, init))).status).toBe(413)
})

test('answers 400 to what is no JSON', async () => {
  await using hook = await openWebhook()
  expect((await push(hook.url, { [header]: secret }, '{')).status).toBe(400)
})

test('stores what Telegram pushes, with its secret and only the kinds asked for', async () => {
  await using hook = await openWebhook()
  hook.rig.telegram.sendText({ from: 7, text: 'hi' })
  expect(await hook.rig.waitForEvents('telegram:7', 1)).toMatchObject([{ text: 'hi' }])
  const [asked] = hook.rig.telegram.ledger.of('setWebhook')
  expect(asked?.params).toMatchObject({ secret_token: secret, drop_pending_updates: false })
})

test('stores an update once however often it is pushed', async () => {
  await using hook = await openWebhook()
  for (let i = 0; i < 5; i++) expect((await push(hook.url, { [header]: secret })).status).toBe(200)
  expect(await hook.rig.events('telegram:7')).toHaveLength(1)
})

test('answers 503 while the store is away, and Telegram pushes again until it is back', async () => {
  let isDown = true
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (name === 'ingest' && isDown)
        throw new BotError('store-unavailable', 'Redis is away.', { retry: { afterMs: 1 } })
      return call(name, key, args)
    }
  await using hook = await openWebhook({ wrapUnits })
  hook.rig.telegram.sendText({ from: 7, text: 'hi' })
  await until(async () => hook.rig.telegram.ledger.pushes.find((one) => one.status === 503))
  isDown = false
  expect(await hook.rig.waitForEvents('telegram:7', 1)).toHaveLength(1)
})

test('answers 503 within three seconds while the store is slow, and stores the update once', async () => {
  let slow = true
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (name === 'ingest' && slow) await new Promise((resolve) => setTimeout(resolve, 2700))
      return call(name, key, args)
    }
  await using hook = await openWebhook({ wrapUnits })
  const askedAtMs = Date.now()
  expect((await push(hook.url, { [header]: secret })).status).toBe(503)
  expect(Date.now() - askedAtMs).toBeLessThan(3000)
  slow = false
  expect((await push(hook.url, { [header]: secret })).status).toBe(200)
  expect(await hook.rig.waitForEvents('telegram:7', 1)).toHaveLength(1)
})

test('ends after the update that is being stored, and takes none after', async () => {
  const storing = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (name === 'ingest') {
        storing.resolve()
        await gate.promise
      }
      return call(name, key, args)
    }
  const url = `http://127.0.0.1:${await findFreePort()}/telegram`
  await using rig = await openTelegramRig(server, { wrapUnits, channel: { webhook: { url, secret } } })
  const stop = rig.run()
  await rig.telegram.ledger.waitFor(({ method, outcome }) => method === 'setWebhook' && outcome === 'ok')
  const pushed = async (): Promise<number | undefined> =>
    (
      await rig.channel.webhook?.handler(
        new Request(url, { method: 'POST', headers: { [header]: secret }, body: update(1) }),
      )
    )?.status
  const first = pushed()
  await storing.promise
  let hasEnded = false
  const ended = stop().then(() => (hasEnded = true))
  expect(await pushed()).toBe(503)
  expect(hasEnded).toBe(false)
  gate.resolve()
  await ended
  expect(await first).toBe(200)
  expect(await rig.events('telegram:7')).toHaveLength(1)
})

test('a process with a new secret tells Telegram of it and lets nobody in with the old one', async () => {
  const url = `http://127.0.0.1:${await findFreePort()}/telegram`
  await using rig = await openTelegramRig(server, { channel: { webhook: { url, secret } } })
  const stop = rig.run()
  await rig.telegram.ledger.waitFor(({ method, outcome }) => method === 'setWebhook' && outcome === 'ok')
  await stop()
  const renewed = rig.another({ webhook: { url, secret: 'another-proper_secret' } })
  rig.run(renewed)
  await rig.telegram.ledger.waitFor(
    ({ params, outcome }) => params['secret_token'] === 'another-proper_secret' && outcome === 'ok',
  )
  const pushed = async (given: string): Promise<number | undefined> => {
    const request = new Request(url, { method: 'POST', headers: { [header]: given }, body: update(1) })
    return (await renewed.webhook?.handler(request))?.status
  }
  expect(await pushed(secret)).toBe(401)
  expect(await rig.events('telegram:7')).toEqual([])
  expect(await pushed('another-proper_secret')).toBe(200)
})

test('messages of a chat that overtake each other on their way are stored by their numbers', async () => {
  await using hook = await openWebhook()
  const sent = [4, 3, 2, 5].map((id) => push(hook.url, { [header]: secret }, update(id, `text ${id}`)))
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const events = await hook.rig.events('telegram:7')
  expect(events).toMatchObject([{ text: 'text 2' }, { text: 'text 3' }, { text: 'text 4' }, { text: 'text 5' }])
})

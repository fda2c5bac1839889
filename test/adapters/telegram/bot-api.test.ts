// Facts about what a failed call of the Bot API proves: refused, never sent, or nobody knows. Only the last two lines of doubt differ
// in whether a message may be sent again, so each way to fail is tried on a real connection.
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { message, self } from '#adapters/telegram/responses.ts'
import { isBeforeConnection } from '#adapters/telegram/connect-watch.ts'
import { createBotApi, type CallResult } from '#adapters/telegram/bot-api.ts'
import { startTelegramSimulator, type TelegramSimulator } from '#test/simulators/telegram/simulator.ts'

let telegram: TelegramSimulator
beforeAll(async () => {
  telegram = await startTelegramSimulator()
  telegram.sendText({ from: 7, text: 'hi' })
})
afterAll(() => telegram.close())

const token = '4200:simulated-token'

async function send(apiRoot: string, timeoutMs = 1500): Promise<CallResult<unknown>> {
  const bot = createBotApi({ token, apiRoot, connectTimeoutMs: 200 })
  return await bot.call(message, (api, signal) => api.sendMessage(7, 'text', {}, signal), {
    timeoutMs,
    signal: new AbortController().signal,
  })
}

type RawServer = AsyncDisposable & { readonly port: number }

/** A TCP server that treats each connection as told. */
async function openRaw(onSocket: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onSocket(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test.each([
  ['nobody listens', 'http://127.0.0.1:1'],
  ['the name is unknown', 'http://nowhere.invalid'],
])('proves that nothing was sent when %s', async (_, apiRoot) => {
  expect((await send(apiRoot, 5000)).kind).toBe('not-sent')
})

test('proves that nothing was sent when the other side does not speak TLS', async () => {
  await using raw = await openRaw((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  expect((await send(`https://127.0.0.1:${raw.port}`)).kind).toBe('not-sent')
})

test('proves that nothing was sent when the connection is cut during the TLS handshake', async () => {
  await using raw = await openRaw((socket) => void socket.once('data', () => socket.resetAndDestroy()))
  expect((await send(`https://127.0.0.1:${raw.port}`)).kind).toBe('not-sent')
})

test('proves that nothing was sent when no connection comes about in time', async () => {
  await using raw = await openRaw(() => {})
  const startMs = Date.now()
  expect((await send(`https://127.0.0.1:${raw.port}`)).kind).toBe('not-sent')
  expect(Date.now() - startMs).toBeLessThan(1200)
})

test.each([
  ['says nothing', () => {}],
  ['resets the connection', (socket: Socket) => void socket.resetAndDestroy()],
  ['closes the connection', (socket: Socket) => void socket.destroy()],
  ['breaks off its answer', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"ok":')],
  [
    'sends it elsewhere, where nobody listens',
    (socket: Socket) =>
      void socket.end('HTTP/1.1 307 Away\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n'),
  ],
  ['answers with a page', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>')],
])('knows nothing when the other side has read the request and then %s', async (_, answer) => {
  await using raw = await openRaw((socket) => void socket.once('data', () => answer(socket)))
  expect((await send(`http://127.0.0.1:${raw.port}`, 500)).kind).toBe('unclear')
})

test('knows nothing when the caller gives up', async () => {
  await using raw = await openRaw(() => {})
  const bot = createBotApi({ token, apiRoot: `http://127.0.0.1:${raw.port}` })
  const stop = new AbortController()
  const asked = bot.call(self, (api, signal) => api.getMe(signal), { timeoutMs: 5000, signal: stop.signal })
  stop.abort()
  expect((await asked).kind).toBe('unclear')
})

test('passes on a refusal with how long to wait', async () => {
  telegram.fault({ times: 1, fault: { kind: 'rate-limit', retryAfterS: 3 } })
  expect(await send(telegram.apiRoot)).toMatchObject({ kind: 'slow-down', retryAfterMs: 3000 })
  telegram.clearFaults()
})

test('knows nothing after a 5xx', async () => {
  telegram.fault({ times: 1, fault: { kind: 'error', status: 502, description: 'Bad Gateway' } })
  expect((await send(telegram.apiRoot)).kind).toBe('unclear')
})

test.each(['EPROTO', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ERR_TLS_RENEGOTIATION_DISABLED', 'ECONNRESET'])(
  'knows nothing after %s, which may come when the request has been read, unless it came before the connection',
  (code) => {
    expect(isBeforeConnection(code)).toBe(false)
    expect(isBeforeConnection(`NOT_CONNECTED: ${code}`)).toBe(true)
  },
)

test('no answer names the token', async () => {
  for (const apiRoot of ['http://127.0.0.1:1', 'http://nowhere.invalid', `${telegram.apiRoot}/elsewhere`]) {
    expect(JSON.stringify(await send(apiRoot, 5000))).not.toContain('simulated-token')
  }
})

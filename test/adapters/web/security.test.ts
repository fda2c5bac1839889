// Threats T15 and T13 of the web server: foreign origins, forged sessions, DNS rebinding, guessed tokens, webhooks.
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSession } from '#adapters/web/session.ts'
import { openStream } from './event-reader.ts'
import { startWebRig, type WebRig, type WebServer } from './web-rig.ts'

let rig: WebRig
let server: WebServer
let nowMs = Date.now()

beforeAll(async () => {
  rig = await startWebRig()
  server = await rig.start({ now: () => nowMs })
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

const messages = '/api/conversations/main/messages'
const stream = '/api/conversations/main/stream'

/** A request with exactly these headers; fetch would not let a test forge Host. */
async function raw(route: string, headers: Record<string, string>, body?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    headers: NodeJS.Dict<string | string[]>
  }>()
  const method = body === undefined ? 'GET' : 'POST'
  const sent = request({ host: '127.0.0.1', port: server.port, path: route, method, headers }, (response) => {
    resolve({ status: response.statusCode ?? 0, headers: response.headers })
    response.destroy()
  })
  sent.on('error', reject)
  sent.end(body)
  return await promise
}
const form = (token: string) => `token=${encodeURIComponent(token)}`
const formHeaders = () => ({ Origin: server.origin, 'Content-Type': 'application/x-www-form-urlencoded' })

async function logIn(): Promise<string> {
  const response = await raw('/login', { ...formHeaders(), Host: `127.0.0.1:${server.port}` }, form(await rig.token()))
  expect(response.status).toBe(303)
  expect(response.headers['location']).toBe('/')
  return String(response.headers['set-cookie'])
}
const toCookie = (setCookie: string) => setCookie.split(';', 1)[0] ?? ''

describe('T15: who may call', () => {
  test('the token is 256 random bits in a file that only its owner may read', async () => {
    expect((await stat(rig.tokenFile)).mode & 0o777).toBe(0o600)
    expect(Buffer.from(await rig.token(), 'base64url')).toHaveLength(32)
  })

  test('nothing but page files and login is served without a proof', async () => {
    for (const route of [messages, stream, '/api/conversations', '/api/x']) {
      expect((await fetch(server.origin + route)).status, route).toBe(401)
    }
    for (const Authorization of ['Bearer', 'Bearer ', 'Bearer x', `Bearer ${'a'.repeat(43)}`, 'Basic eDp4']) {
      expect((await fetch(server.origin + messages, { headers: { Authorization } })).status).toBe(401)
    }
    const page = await fetch(`${server.origin}/`, { redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([303, '/login'])
  })

  test('the cookie is HttpOnly and SameSite=Strict, opens the API, and holds no token', async () => {
    const setCookie = await logIn()
    expect(setCookie).toMatch(/; HttpOnly/)
    expect(setCookie).toMatch(/; SameSite=Strict/)
    expect(setCookie).not.toContain(await rig.token())
    expect((await raw(messages, { Cookie: toCookie(setCookie) })).status).toBe(200)
  })

  test('a cookie that is forged, changed, cut, or of another token is refused', async () => {
    const [name = '', value = ''] = toCookie(await logIn()).split('=')
    const foreign = createSession('another token of sufficient length', nowMs)
    const [expiry = '', ...rest] = value.split('.')
    const prolonged = [String(Number(expiry) + 9), ...rest].join('.')
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.`
    for (const wrong of ['', 'x', value.slice(0, -1), `${value}x`, foreign, prolonged, none]) {
      expect((await raw(messages, { Cookie: `${name}=${wrong}` })).status, wrong).toBe(401)
    }
  })

  test('a session ends after thirty days', async () => {
    const cookie = toCookie(await logIn())
    nowMs += 30 * 24 * 3600_000 - 60_000
    expect((await raw(messages, { Cookie: cookie })).status).toBe(200)
    nowMs += 120_000
    expect((await raw(messages, { Cookie: cookie })).status).toBe(401)
  })

  test('a wrong token is refused, guessing is told to wait, and the right one opens all the same', async () => {
    for (let attempt = 0; attempt < 10; attempt++) {
      const response = await raw('/login', formHeaders(), form('guess'))
      expect(response.status).toBe(401)
      expect(response.headers['set-cookie']).toBeUndefined()
    }
    const limited = await raw('/login', formHeaders(), form('guess'))
    expect([limited.status, limited.headers['retry-after']]).toEqual([429, '60'])
    expect(limited.headers['set-cookie']).toBeUndefined()
    await logIn()
    nowMs += 61_000
    expect((await raw('/login', formHeaders(), form('guess'))).status).toBe(401)
  })

  test('wrong tokens are counted by address', async () => {
    const guess = async (localAddress: string): Promise<number> => {
      const { port } = server
      const headers = { ...formHeaders(), Host: `127.0.0.1:${port}` }
      const sent = request({ host: '127.0.0.1', port, path: '/login', method: 'POST', headers, localAddress })
      const status = Promise.withResolvers<number>()
      sent.once('error', status.reject).once('response', (response) => {
        response.resume()
        status.resolve(response.statusCode ?? 0)
      })
      sent.end(form('guess'))
      return await status.promise
    }
    nowMs += 61_000
    for (let attempt = 0; attempt < 10; attempt++) expect(await guess('127.0.0.2')).toBe(401)
    expect(await guess('127.0.0.2')).toBe(429)
    expect(await guess('127.0.0.3')).toBe(401)
    nowMs += 61_000
  })

  test('a blank or cut token file lets nobody in', async () => {
    const token = await readFile(rig.tokenFile, 'utf8')
    try {
      for (const content of ['', '\n', 'short']) {
        await writeFile(rig.tokenFile, content)
        const empty = await rig.start()
        for (const Authorization of ['Bearer', 'Bearer short', `Bearer ${content.trim()}`]) {
          expect((await fetch(empty.origin + messages, { headers: { Authorization } })).status).toBe(401)
        }
      }
    } finally {
      await writeFile(rig.tokenFile, token)
    }
    await expect.poll(async () => (await server.call(messages)).status, { timeout: 5000 }).toBe(200)
  })

  test('a new token takes effect within 5 s: on requests, cookies and open streams', async () => {
    const old = await rig.token()
    const cookie = toCookie(await logIn())
    const reader = await openStream(server.origin + stream, { Cookie: cookie })
    expect(reader.status).toBe(200)
    const startedMs = Date.now()
    await writeFile(rig.tokenFile, `${'n'.repeat(43)}\n`)
    await reader.ended
    await expect.poll(async () => (await raw(messages, { Cookie: cookie })).status, { timeout: 5000 }).toBe(401)
    expect((await raw(messages, { Authorization: `Bearer ${old}` })).status).toBe(401)
    expect((await raw(messages, { Authorization: `Bearer ${'n'.repeat(43)}` })).status).toBe(200)
    expect(Date.now() - startedMs).toBeLessThan(5000)
  }, 15_000)
})

describe('T15: from where', () => {
  test('cross-origin POSTs are refused, with token and with cookie', async () => {
    const proofs = [{ Authorization: `Bearer ${await rig.token()}` }, { Cookie: toCookie(await logIn()) }]
    const foreign = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `http://127.0.0.1:${server.port + 1}` },
      { Origin: `http://localhost:${server.port}` },
      { Origin: `https://127.0.0.1:${server.port}` },
      { Origin: `${server.origin}.evil.example` },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]
    for (const proof of proofs) {
      for (const headers of foreign) {
        const sent = { ...proof, ...headers, 'Content-Type': 'application/json' }
        const response = await raw(messages, sent, '{"text":"forged"}')
        expect(response.status, JSON.stringify(headers)).toBe(403)
        expect(response.headers['access-control-allow-origin']).toBeUndefined()
      }
    }
    expect(await (await server.call(messages)).json()).toEqual({ messages: [] })
  })

  test('a POST with a cookie must name the origin; the own origin passes', async () => {
    const Cookie = toCookie(await logIn())
    const json = { 'Content-Type': 'application/json', Cookie }
    expect((await raw(messages, json, '{"text":"x"}')).status).toBe(403)
    const own = { ...json, Origin: server.origin, 'Sec-Fetch-Site': 'same-origin' }
    expect((await raw('/api/conversations/own/messages', own, '{"text":"x"}')).status).toBe(202)
  })

  test('cross-origin streams and reads are refused', async () => {
    const Cookie = toCookie(await logIn())
    for (const route of [stream, messages]) {
      expect((await raw(route, { Cookie, Origin: 'https://evil.example' })).status).toBe(403)
      expect((await raw(route, { Cookie, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    }
    expect((await raw(stream, { Cookie, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200)
  })

  test('a foreign page cannot log the browser in', async () => {
    const body = form(await rig.token())
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect((await raw('/login', { ...type, Origin: 'https://evil.example' }, body)).status).toBe(403)
    expect((await raw('/login', type, body)).status).toBe(403)
  })

  test('a name that was rebound to this machine is refused, whatever it carries', async () => {
    const Authorization = `Bearer ${await rig.token()}`
    const { port } = server
    for (const Host of [
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
      'x',
    ]) {
      for (const route of [messages, stream, '/', '/login', '/page/main.js']) {
        expect((await raw(route, { Authorization, Host })).status, Host + route).toBe(403)
      }
    }
    expect((await raw(messages, { Authorization, Host: `localhost:${port}` })).status).toBe(200)
  })

  test('preflights are not answered with a permission', async () => {
    const response = await fetch(server.origin + messages, { method: 'OPTIONS' })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('the token is taken from no URL', async () => {
    const token = await rig.token()
    for (const query of [`?token=${token}`, `?access_token=${token}`, `?authorization=Bearer%20${token}`]) {
      expect((await fetch(server.origin + messages + query)).status).toBe(401)
    }
    const login = await fetch(`${server.origin}/login?token=${token}`, { redirect: 'manual' })
    expect(login.headers.get('set-cookie')).toBeNull()
  })

  test('every answer carries the headers that keep other pages out', async () => {
    for (const route of ['/login', '/page/main.js', messages, '/health', '/nothing']) {
      const { headers } = await server.call(route)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'/)
      expect(policy).not.toMatch(/unsafe|\*|data:/)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('listens on this machine only', async () => {
    const taken = await rig.start()
    await expect(taken.channel.listen(server.port)).rejects.toThrow(/FLOTILLA_PORT/)
    await expect(fetch(`http://127.0.0.2:${server.port}/health`)).rejects.toThrow(/fetch failed/)
  })
})

describe('T13: webhooks on the same server', () => {
  test('a mounted path gets POSTs without a session, and nothing of a body is waited for before it answers', async () => {
    const seen: string[] = []
    server.channel.mount('/webhooks/telegram', async (given) => {
      if (given.headers.get('x-telegram-bot-api-secret-token') !== 'right') return new Response('no', { status: 401 })
      seen.push(await given.text())
      return new Response('ok')
    })
    const host = { Host: 'bot.example' }
    const secret = { 'X-Telegram-Bot-Api-Secret-Token': 'right' }
    expect((await raw('/webhooks/telegram', { ...host, ...secret }, '{"a": 1}')).status).toBe(200)
    expect((await raw('/webhooks/telegram', host, '{}')).status).toBe(401)
    expect((await raw('/webhooks/telegram', { ...host, ...secret })).status).toBe(405)
    expect((await raw('/webhooks/telegram/more', { ...host, ...secret }, '{}')).status).toBe(403)
    expect(seen).toEqual(['{"a": 1}'])
    expect(() => server.channel.mount('/api/x', async () => new Response(''))).toThrow(/malformed or taken/)

    const socket = connect(server.port, '127.0.0.1')
    socket.write('POST /webhooks/telegram HTTP/1.1\r\nHost: bot.example\r\nContent-Length: 900000\r\n\r\n{')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 401 /)
    socket.destroy()
  })
})

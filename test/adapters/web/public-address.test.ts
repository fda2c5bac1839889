// The page behind a proxy or tunnel: one public address is answered besides the machine's own, and no other.
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWebRig, type WebRig, type WebServer } from './web-rig.ts'

const publicUrl = 'https://chat.example.org'
let rig: WebRig
let server: WebServer

beforeAll(async () => {
  rig = await startWebRig()
  server = await rig.start({ publicUrl })
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

/** As a proxy passes it on. */
async function ask(route: string, headers: Record<string, string>, form?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; cookie: string }>()
  const method = form === undefined ? 'GET' : 'POST'
  const type = form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }
  const sent = request({ host: '127.0.0.1', port: server.port, path: route, method, headers: { ...type, ...headers } })
  sent.on('response', (response) => {
    resolve({ status: response.statusCode ?? 0, cookie: String(response.headers['set-cookie'] ?? '') })
    response.destroy()
  })
  sent.on('error', reject)
  sent.end(form)
  return await promise
}

const logIn = async (headers: Record<string, string>) =>
  await ask('/login', headers, `token=${encodeURIComponent(await rig.token())}`)

test.each([
  ['the public Host', { Host: 'chat.example.org', Origin: publicUrl }],
  ['its own Host', { Host: 'local', Origin: publicUrl }],
])('logs in by the public address when the proxy passes %s on, with a cookie for https only', async (_, headers) => {
  const host = headers.Host === 'local' ? `127.0.0.1:${server.port}` : headers.Host
  const { status, cookie } = await logIn({ ...headers, Host: host })
  expect(status).toBe(303)
  expect(cookie).toMatch(/; Secure/)
  const [pair = ''] = cookie.split(';')
  expect((await ask('/api/conversations', { Host: host, Cookie: pair })).status).toBe(200)
})

test('logs in by the own address with a cookie that plain http carries', async () => {
  const { status, cookie } = await logIn({ Host: `127.0.0.1:${server.port}`, Origin: server.origin })
  expect(status).toBe(303)
  expect(cookie).not.toMatch(/; Secure/)
})

test.each([
  ['another Host', { Host: 'evil.example', Origin: publicUrl }],
  ['another origin', { Host: 'chat.example.org', Origin: 'https://evil.example' }],
  ['the public name without https', { Host: 'chat.example.org', Origin: 'http://chat.example.org' }],
  ['another port', { Host: 'chat.example.org:444', Origin: publicUrl }],
])('refuses %s', async (_, headers) => {
  expect((await logIn(headers)).status).toBe(403)
})

// A page that listens on more than this machine: which names of it are its own, and who is still refused.
import { networkInterfaces } from 'node:os'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createGuard } from '#adapters/web/guard.ts'
import { describeExposure } from '#infra/config/exposure.ts'

async function find(listens: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const guard = createGuard({ current: async () => 'token' }, Date.now, 'https://chat.example.org')
  guard.useAddress(8787, listens)
  const app = new Hono().get('/', (context) => context.text(guard.findBreach(context) ?? 'welcome'))
  return await (await app.request('/', { headers })).text()
}

const own: readonly (readonly [string, string])[] = Object.values(networkInterfaces())
  .flatMap((one) => one ?? [])
  .filter(({ family }) => family === 'IPv4')
  .map(({ address }) => ['0.0.0.0', `${address}:8787`])

test.each<readonly [string, string]>([
  ['127.0.0.1', '127.0.0.1:8787'],
  ['127.0.0.1', 'chat.example.org'],
  ['0.0.0.0', 'localhost:8787'],
  ['192.168.7.7', '192.168.7.7:8787'],
  ['fd00::7', '[fd00::7]:8787'],
  ...own,
])('listening on %s it answers to %s', async (listens, host) => {
  expect(await find(listens, { host })).toBe('welcome')
})

test.each([
  ['0.0.0.0', { host: 'evil.example:8787' }],
  ['0.0.0.0', { host: '203.0.113.9:8787' }],
  ['192.168.7.7', { host: '192.168.7.8:8787' }],
  ['127.0.0.1', { host: '192.168.7.7:8787' }],
  ['192.168.7.7', { host: '192.168.7.7:8787', origin: 'http://evil.example' }],
  ['192.168.7.7', { host: '192.168.7.7:8787', origin: 'http://192.168.7.7:1234' }],
])('listening on %s it refuses %o', async (listens, headers) => {
  expect(await find(listens, headers)).not.toBe('welcome')
})

test('what is exposed is told, and what is not is not', () => {
  expect(describeExposure({ listen: '127.0.0.1', port: 1 })).toBeUndefined()
  expect(describeExposure({ listen: '::1', port: 1 })).toBeUndefined()
  expect(describeExposure({ listen: '0.0.0.0', port: 1 })).toContain('without TLS')
})

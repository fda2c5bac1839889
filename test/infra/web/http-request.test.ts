// Where requests of the model may go, and what goes along: only to listed hosts, never by a name that means another address, and no secret to
// anybody else. Nothing leaves this machine: what would be opened elsewhere is opened at a server on loopback.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createOpen } from '#infra/web/fetch/open-pinned.ts'
import { createBlanking, listSecrets } from '#infra/web/request/blank.ts'
import { parseHost } from '#infra/web/request/hosts.ts'
import { openHttpPort } from '#infra/web/request/send-request.ts'
import type { HttpRequest, HttpResponse } from '#services/http-request/http-request.ts'
import { publicAddress } from '#test/rig/page-site.ts'
import { hostileUrls } from './hostile-urls.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => void
type Options = {
  readonly list?: string
  readonly handler?: Handler
  readonly names?: Readonly<Record<string, readonly string[]>>
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const ok: Handler = (_, res) => void res.writeHead(200, { 'content-type': 'text/plain' }).end('fine')
const toRedirect =
  (status: number, location: string): Handler =>
  (req, res) =>
    req.url === '/end' ? ok(req, res) : void res.writeHead(status, { location }).end()

async function openWorld({
  list = 'api.example.org,other.example.org',
  handler = ok,
  names = {},
  secrets = {},
}: Options = {}) {
  const asked: { readonly to: string; readonly req: IncomingMessage }[] = []
  const server = createServer((req, res) => {
    asked.push({ to: `${req.method} ${req.headers.host?.replace(/:\d+$/, '')}${req.url}`, req })
    handler(req, res)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const bound = server.address()
  const here = String(typeof bound === 'object' && bound ? bound.port : 0)
  const opened: string[] = []
  const hosts = list.split(',').map((one) => parseHost(one) ?? expect.fail(one))
  const port = openHttpPort(
    { hosts, secrets },
    {
      timeoutMs: 2000,
      resolve: async (name) => names[name] ?? [publicAddress],
      open: (outgoing) => (url, address, signal) => {
        opened.push(address)
        const moved = new URL(url)
        moved.protocol = 'http:'
        moved.port = here
        return createOpen(outgoing)(moved, '127.0.0.1', signal)
      },
    },
  )
  const send = (url: string, more: Partial<HttpRequest> = {}): Promise<HttpResponse> =>
    port.send({ method: 'GET', url, headers: {}, key: 'k', ...more }, new AbortController().signal)
  return { send, asked, opened, to: () => asked.map(({ to }) => to) }
}

test.each([
  'https://api.example.org.evil.com/',
  'https://evil.com/api.example.org',
  'https://api.example.org./',
  'https://api.example.org:8443/',
  'http://api.example.org/',
  'https://sub.api.example.org/',
  'https://user:pass@api.example.org/',
  'https://api.example.org@evil.com/',
  'https://evil.com\\@api.example.org/',
  'ftp://api.example.org/',
  'file:///etc/passwd',
  '//api.example.org/',
  '/path',
  'https://api.exаmple.org/',
])('%s is none of the listed hosts', async (url) => {
  const world = await openWorld()
  await expect(world.send(url)).rejects.toThrow(/Nothing was sent\.$/)
  expect(world.opened).toEqual([])
})

test('of all that would reach this machine or its network nothing is opened', async () => {
  const world = await openWorld()
  expect(hostileUrls.length).toBeGreaterThan(50)
  for (const url of hostileUrls) await expect(world.send(url), url).rejects.toThrow()
  expect(world.opened).toEqual([])
})

test.each([['127.0.0.1'], ['10.0.0.7'], ['169.254.169.254'], ['::1'], ['::ffff:7f00:1'], ['fd00::1'], ['198.18.0.5']])(
  'a listed name that means %s is not opened, also beside a public address',
  async (address) => {
    const world = await openWorld({ names: { 'api.example.org': [publicAddress, address] } })
    await expect(world.send('https://api.example.org/')).rejects.toThrow('not on the public internet')
    expect(world.opened).toEqual([])
  },
)

test('an inner address is opened where it is listed itself, by its own name and by a listed one', async () => {
  const world = await openWorld({
    list: 'api.example.org:8443,10.0.0.7:8443',
    names: { 'api.example.org': ['10.0.0.7'] },
  })
  await world.send('https://api.example.org:8443/')
  await world.send('https://10.0.0.7:8443/')
  await expect(world.send('http://10.0.0.7:8443/')).rejects.toThrow('Nothing was sent')
  expect(world.opened).toEqual(['10.0.0.7', '10.0.0.7'])
})

test.each([
  ['10.0.0.7:8443', '10.0.0.7'],
  ['localhost:8443', '127.0.0.1'],
  ['127.0.0.1:8443', '127.0.0.1'],
])('beside %s another port of that address is reached by no listed name', async (listed, address) => {
  const world = await openWorld({
    list: `api.example.org,other.example.org:8443,${listed}`,
    names: { 'api.example.org': [address], 'other.example.org': [address] },
  })
  await expect(world.send('https://api.example.org/')).rejects.toThrow('not on the public internet')
  expect(world.opened).toEqual([])
  await world.send('https://other.example.org:8443/')
  expect(world.opened).toEqual([address])
})

test.each(['localhost:81', '127.0.0.1:81', '[::1]:81'])('%s is spoken to without TLS', async (host) => {
  const world = await openWorld({ list: host })
  expect(await world.send(`http://${host}/`)).toMatchObject({ status: 200, text: 'fine' })
})

const secrets = {
  'api.example.org': { authorization: 'Bearer CANARY-one', 'x-key': 'CANARY-two' },
  'other.example.org': { authorization: 'Bearer CANARY-other' },
}

test('a redirect to another listed host takes no secret along, neither those before nor its own', async () => {
  const handler: Handler = (req, res) =>
    req.url === '/end' ? ok(req, res) : void res.writeHead(302, { location: 'https://other.example.org/end' }).end()
  const world = await openWorld({ secrets, handler })
  expect(await world.send('https://api.example.org/a')).toMatchObject({ moved: 'https://other.example.org/end' })
  expect(world.to()).toEqual(['GET api.example.org/a', 'GET other.example.org/end'])
  expect(world.asked[0]?.req.headers).toMatchObject({ authorization: 'Bearer CANARY-one', 'x-key': 'CANARY-two' })
  expect(JSON.stringify(world.asked[1]?.req.headers)).not.toContain('CANARY')
})

test('nor does one that leads there and back', async () => {
  const handler: Handler = (req, res) => {
    const location = { '/a': 'https://other.example.org/b', '/b': 'https://api.example.org/end' }[req.url ?? '']
    if (location === undefined) ok(req, res)
    else res.writeHead(302, { location }).end()
  }
  const world = await openWorld({ secrets, handler })
  await world.send('https://api.example.org/a')
  expect(world.to()).toHaveLength(3)
  expect(JSON.stringify(world.asked.slice(1).map(({ req }) => req.headers))).not.toContain('CANARY')
})

test.each([
  'https://evil.com/',
  'http://api.example.org/end',
  'http://169.254.169.254/latest/meta-data/',
  'http://127.0.0.1/',
  'https://user:pass@other.example.org/end',
])('a redirect to %s is told, not followed', async (location) => {
  const world = await openWorld({ secrets, handler: toRedirect(302, location) })
  const { status, note } = await world.send('https://api.example.org/a')
  expect({ status, note }).toEqual({ status: 302, note: expect.stringContaining('The redirect was not followed') })
  expect(world.opened).toHaveLength(1)
})

test.each([
  ['POST', 301, '/end', 1],
  ['POST', 302, '/end', 1],
  ['DELETE', 302, '/end', 1],
  ['POST', 303, '/end', 2],
  ['POST', 307, '/end', 2],
  ['POST', 308, 'https://other.example.org/end', 1],
  ['DELETE', 307, 'https://other.example.org/end', 1],
] as const)('%s that meets %i to %s makes %i requests', async (method, status, location, requests) => {
  const world = await openWorld({ handler: toRedirect(status, location) })
  await world.send('https://api.example.org/a', { method, ...(method === 'POST' ? { body: 'x' } : {}) })
  expect(world.to()[1]).toBe(requests === 1 ? undefined : `${status === 303 ? 'GET' : method} api.example.org/end`)
  expect(world.asked).toHaveLength(requests)
})

test('more than three redirects are not followed', async () => {
  const handler: Handler = (req, res) => void res.writeHead(302, { location: `${req.url}x` }).end()
  const world = await openWorld({ handler })
  expect((await world.send('https://api.example.org/a')).note).toContain('there were 3 before')
  expect(world.opened).toHaveLength(4)
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('what unpacks by %s to far more than it is, is refused', async (encoding, pack) => {
  const bomb = pack(Buffer.alloc(64 * 1024 * 1024))
  const world = await openWorld({
    handler: (_, res) =>
      void res.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding }).end(bomb),
  })
  await expect(world.send('https://api.example.org/')).rejects.toThrow('unpacks to far more')
})

test('of a long answer the beginning comes, and of what is no text only its size', async () => {
  const world = await openWorld({
    handler: (req, res) =>
      void res
        .writeHead(200, { 'content-type': req.url === '/long' ? 'text/plain' : 'image/png' })
        .end('x'.repeat(3 * 1024 * 1024)),
  })
  const long = await world.send('https://api.example.org/long')
  expect([long.text.length, long.note]).toEqual([20_000, 'The rest of the text is left out.'])
  expect((await world.send('https://api.example.org/picture')).text).toMatch(/^\(\d+ bytes that are no text\)$/)
})

test('a secret that stands across the place where a text is cut is blanked before that', async () => {
  const world = await openWorld({
    secrets,
    handler: (_, res) =>
      void res.writeHead(200, { 'content-type': 'text/plain' }).end(`${'x'.repeat(19_995)}CANARY-two${'y'.repeat(50)}`),
  })
  expect((await world.send('https://api.example.org/')).text).not.toContain('CANA')
})

test('secrets are blanked whole and in parts, however they are packed', () => {
  const packed = Buffer.from('kim:pass word/9').toString('base64')
  const given = { a: { authorization: `Basic ${packed}`, 'x-key': 'abc"def/ghi' } }
  const blank = createBlanking(given)
  const text = [
    'kim:pass word/9',
    'pass word/9',
    'pass%20word%2F9',
    'pass+word%2F9',
    packed,
    'abc\\"def\\/ghi',
    'ABC"DEF/GHI',
  ]
  expect(text.map(blank)).toEqual(text.map(() => '[hidden]'))
  expect(blank('Basic words stay')).toBe('Basic words stay')
  expect(listSecrets(given)).toContain('pass word/9')
  expect(createBlanking({})('abc')).toBe('abc')
})

test.each([
  '0x7f.1',
  '127.1',
  '2130706433',
  'https://a.b',
  'a.b/c',
  '*.a.b',
  'a b',
  'user@a.b',
  'a.b:0',
  'a.b:99999',
  '',
  '+key',
])('"%s" is no host of the list', (written) => expect(parseHost(written)).toBeUndefined())

test.each([
  ['API.example.org', { entry: 'api.example.org', port: undefined, honoursKeys: false }],
  ['api.example.org:8443+key', { entry: 'api.example.org:8443', port: 8443, honoursKeys: true }],
  ['[::1]:80', { host: '::1', port: 80 }],
  ['bücher.example', { host: 'xn--bcher-kva.example' }],
])('"%s" is one', (written, host) => expect(parseHost(written)).toMatchObject(host))

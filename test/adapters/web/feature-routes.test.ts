// The routes and files of features' pages on the web channel: who may call them, what they take, and what a route that fails or hangs costs.
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { ServedPage } from '#adapters/web/feature-routes.ts'
import { onceAMinute } from '#infra/processes/part.ts'
import { BotError } from '#shared/errors.ts'
import { toPageRoute, type PageRoute } from '#shared/feature/page.ts'
import { startWebRig, type WebRig, type WebServer } from './web-rig.ts'

const files = new URL('../../rig/demo-memory/page/', import.meta.url)
const pageWithinMs = 300
const never = async (): Promise<never> => await new Promise(() => {})

let rig: WebRig
let server: WebServer
let opened = 0
let said: { text: string; failure: unknown }[] = []
let begun = Promise.withResolvers<string>()
let ended = Promise.withResolvers<string>()

const routes: readonly PageRoute[] = [
  toPageRoute({
    method: 'GET',
    path: 'facts',
    input: { after: z.string().max(5).optional() },
    handle: async ({ input, principal }) => ({ after: input.after ?? 'none', principal }),
  }),
  toPageRoute({
    method: 'POST',
    path: 'facts/keep',
    input: { fact: z.string().min(1).max(20) },
    maxBytes: 100,
    handle: async ({ input }) => input.fact.toUpperCase(),
  }),
  toPageRoute({
    method: 'GET',
    path: 'refuse',
    input: { code: z.enum(['bad-input', 'forbidden', 'not-found', 'internal']) },
    async handle({ input }) {
      throw new BotError(input.code, `Refused as ${input.code}.`)
    },
  }),
  toPageRoute({ method: 'GET', path: 'big', input: {}, handle: async () => 'x'.repeat(5_000_000) }),
  toPageRoute({ method: 'GET', path: 'nothing', input: {}, handle: async () => undefined }),
  toPageRoute({
    method: 'GET',
    path: 'hang',
    input: {},
    async handle({ signal }) {
      begun.resolve('begun')
      signal.addEventListener('abort', () => ended.resolve('aborted'))
      return await never()
    },
  }),
]

const page = (name: string, open: ServedPage['open']): ServedPage => ({
  name,
  title: { zh: '记忆', en: `"Memory" & </head>` },
  files,
  open,
})
const pages = [
  page('memo', async () => {
    opened += 1
    return routes
  }),
  page('broken', async () => {
    opened += 1
    if (opened === 1) throw new Error('The store is away.')
    return routes
  }),
  page('slow', async () => {
    opened += 1
    return opened === 1 ? await never() : routes
  }),
  page('twice', async () => [...routes, ...routes]),
]

beforeAll(async () => {
  rig = await startWebRig()
  server = await rig.start({ pages, pageWithinMs, say: onceAMinute((text, failure) => said.push({ text, failure })) })
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})
beforeEach(() => {
  said = []
  opened = 0
  begun = Promise.withResolvers()
  ended = Promise.withResolvers()
})

const told = async (response: Response): Promise<string> => {
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  return `${response.status} ${error.code}: ${error.message}`
}

test('a page is opened once, at the first request, whoever asks at the same time', async () => {
  expect(opened).toBe(0)
  const answers = await Promise.all([1, 2, 3].map(() => server.call('/api/memo/facts?after=now')))
  for (const answer of answers) expect(await answer.json()).toEqual({ after: 'now', principal: 'web:owner' })
  expect((await server.call('/api/memo/facts')).headers.get('cache-control')).toBe('no-store')
  expect(opened).toBe(1)
})

test('a field that is unknown, missing, twice or too long is refused in plain words, and so is what is no JSON', async () => {
  expect(await told(await server.call('/api/memo/facts?before=1'))).toBe(
    '400 bad-input: "before" is not known here. This takes after.',
  )
  expect(await told(await server.call('/api/memo/facts?after=1&after=2'))).toContain('twice')
  expect(await told(await server.call('/api/memo/facts?after=123456'))).toMatch(/^400 bad-input: after: .*This takes/)
  expect(await told(await server.call('/api/memo/nothing?x=1'))).toContain('This takes nothing.')
  expect(await told(await server.post('/api/memo/facts/keep', {}))).toMatch(/^400 bad-input: fact: /)
  expect(await told(await server.post('/api/memo/facts/keep', { fact: 'a', __proto_: 1 }))).toContain('"__proto_"')
  expect(await told(await server.post('/api/memo/facts/keep', 'fact'))).toMatch(/^400 bad-input: The body: /)
  expect(await told(await server.post('/api/memo/facts/keep?fact=a', { fact: 'a' }))).toContain('no query')
  expect(await told(await server.post('/api/memo/facts/keep', { fact: 'a'.repeat(200) }))).toMatch(/^413 .*100 bytes/)
  const form = { method: 'POST', body: 'fact=a', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
  expect((await server.call('/api/memo/facts/keep', form)).status).toBe(415)
  expect(await (await server.post('/api/memo/facts/keep', { fact: 'milk' })).json()).toBe('MILK')
  expect(await (await server.call('/api/memo/nothing')).json()).toBeNull()
  expect(said).toEqual([])
})

test('another path or method is none of its routes', async () => {
  for (const path of ['', '/', '/fact', '/facts/', '/facts/keep/more'])
    expect((await server.call(`/api/memo${path}`)).status, path).toBe(404)
  const post = await server.post('/api/memo/facts', {})
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET'])
  const head = await server.call('/api/memo/facts', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('every route and file passes the guard and the login, with the headers of the page', async () => {
  for (const path of ['/api/memo/facts', '/api/memo/none', '/page/memo/page.js']) {
    expect((await fetch(server.origin + path)).status, path).toBe(401)
    const foreign = await server.call(path, { headers: { Origin: 'https://evil.example' } })
    expect(foreign.status, path).toBe(403)
    const { headers } = await server.call(path)
    expect(headers.get('content-security-policy'), path).toContain("require-trusted-types-for 'script'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  expect((await fetch(`${server.origin}/page/memo%2Fpage.js`)).status).toBe(404)
  expect(opened).toBe(0)
})

test('files are served by their types; what is not in the folder is not', async () => {
  const script = await server.call('/page/memo/page.js')
  expect(script.headers.get('content-type')).toContain('text/javascript')
  const ETag = script.headers.get('etag') ?? ''
  expect((await server.call('/page/memo/page.js', { headers: { 'If-None-Match': ETag } })).status).toBe(304)
  expect((await server.call('/page/memo/page.css')).headers.get('content-type')).toContain('text/css')
  for (const path of ['memo/none.js', 'memo/..%2F..%2Fmain.js', 'none/page.js', 'memo', 'memo/demo-memory.ts'])
    expect((await server.call(`/page/${path}`)).status, path).toBe(404)
})

test('the document tells of the pages, whatever their titles have in them', async () => {
  const html = await (await server.call('/')).text()
  const [, content = ''] = /<meta name="pages" content="([^"]*)" \/>/.exec(html) ?? []
  const listed: unknown = JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  const [one] = pages
  expect(listed).toEqual(pages.map(({ name }) => ({ name, title: one?.title, styled: true })))
  // Its files are for everybody, since the login needs some; what pages there are is not.
  for (const path of ['/page/index.html', '/page/%69ndex.html'])
    expect((await fetch(server.origin + path)).status, path).toBe(404)
  const plain = await rig.start()
  expect(await (await plain.call('/')).text()).not.toContain('name="pages"')
})

test('a refusal is answered in its own words, a failure in none and told once a minute', async () => {
  const refuse = async (code: string) => await told(await server.call(`/api/memo/refuse?code=${code}`))
  expect(await refuse('bad-input')).toBe('400 bad-input: Refused as bad-input.')
  expect(await refuse('forbidden')).toBe('403 forbidden: Refused as forbidden.')
  expect(await refuse('not-found')).toBe('404 not-found: Refused as not-found.')
  expect(said).toEqual([])
  for (let i = 0; i < 3; i++) expect(await refuse('internal')).toMatch(/^500 internal: The server failed/)
  expect(said.map(({ text }) => text)).toEqual(['A request failed: GET /api/memo/refuse'])
  expect((await server.call('/api/memo/big')).status).toBe(500)
  expect(String(said[1]?.failure)).toContain('has 5000002 characters')
})

test('a route that hangs costs its own answer: it is told to end, and the others answer', async () => {
  const hanging = server.call('/api/memo/hang')
  expect((await server.call('/api/memo/facts')).status).toBe(200)
  expect(await told(await hanging)).toBe('504 internal: This took too long. Please try again.')
  expect(await ended.promise).toBe('aborted')
  expect(said.map(({ text }) => text)).toEqual(['A page did not answer within 300 ms: GET /api/memo/hang'])
})

test('the signal ends when the caller goes, and nobody is told of that', async () => {
  const headers = { Authorization: `Bearer ${await rig.token()}` }
  const sent = request({ port: server.port, host: '127.0.0.1', path: '/api/memo/hang', headers })
  sent.on('error', () => {})
  sent.end()
  await begun.promise
  sent.destroy()
  expect(await ended.promise).toBe('aborted')
  expect(said).toEqual([])
})

test('a page takes sixteen requests at once and refuses more, other pages go on', async () => {
  const many = await Promise.all(Array.from({ length: 20 }, () => server.call('/api/memo/hang')))
  expect(many.filter(({ status }) => status === 429)).toHaveLength(4)
  expect(many.filter(({ status }) => status === 504)).toHaveLength(16)
  expect((await server.call('/api/memo/facts')).status).toBe(200)
})

test('a page that could not be opened, or not in time, is opened anew at the next request', async () => {
  expect((await server.call('/api/broken/facts')).status).toBe(500)
  expect((await server.call('/api/broken/facts')).status).toBe(200)
  opened = 0
  expect((await server.call('/api/slow/facts')).status).toBe(504)
  expect((await server.call('/api/slow/facts')).status).toBe(200)
  expect((await server.call('/api/twice/facts')).status).toBe(500)
  expect(String(said.at(-1)?.failure)).toContain('has the route "GET facts" twice')
})

test('names that collide, and folders without a script, end the start with a clear error', async () => {
  const start = async (...given: ServedPage[]) => await rig.start({ pages: given })
  const open = async () => routes
  await expect(start(page('memo', open), page('memo', open))).rejects.toThrow(/routes at \/api\/memo\//)
  for (const name of ['conversations', 'search', 'questions', 'stream'])
    await expect(start(page(name, open)), name).rejects.toThrow(`/api/${name}/`)
  for (const name of ['', 'Memo', '../x', '*', 'a'.repeat(31)])
    await expect(start(page(name, open)), name).rejects.toThrow(/cannot be named/)
  const folder = (at: string) => ({ ...page('memo', open), files: new URL(at, files) })
  await expect(start(folder('../'))).rejects.toThrow(/has no page.js in file:/)
  await expect(start(folder('nowhere/'))).rejects.toThrow(/cannot be read from file:/)
})

// What an owner approved for good covers what is alike for sure, and nothing that another reader could take for something else.
import { expect, test } from 'vitest'
import { createHttpRequest } from '#services/http-request/http-request.ts'
import { describe } from '#services/tool-rights/card.ts'
import { fits, toPattern } from '#services/tool-rights/patterns.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'

const byPath = { name: 'http', scope: { argument: 'url', by: 'path' } } as const
const byHost = { name: 'http', scope: { argument: 'url', by: 'host' } } as const
const call = (url: unknown, more = {}) => ({ name: 'http', arguments: JSON.stringify({ url, ...more }) })

test.each([
  'https://api.example/v1/notes',
  'https://API.example:443/v1/notes',
  'HTTPS://api.example/v1/notes/',
  'https://api.example/v1/notes/7?x=1',
  'https://api.example/v1/x/../notes/7',
  'https://api.example/v1/%2e/notes/7',
])('by path it covers %s', (url) => {
  expect(fits(toPattern(byPath, call('https://api.example/v1/notes')), byPath, call(url))).toBe(true)
})

test.each([
  'https://api.example/v1/notes2',
  'https://api.example/v1/notes.bak',
  'https://api.example/v1/notes/../../admin',
  'https://api.example/v1/notes/%2e%2e/admin',
  'https://api.example/v1/notes/%252e%252e/admin',
  'https://api.example/v1/notes/..%2fadmin',
  'https://api.example/v1/notes/%c0%ae%c0%ae/admin',
  'https://api.example/v1/notes/．．/admin',
  'https://api.example/v1/notes/..%5cadmin',
  String.raw`https://api.example/v1/notes\..\admin`,
  'https://api.example/v1/notes/..;/admin',
  'https://api.example/v1/notes//admin',
  'https://api.example.evil/v1/notes',
  'https://api.example@evil.example/v1/notes',
  'https://user:x@api.example/v1/notes',
  'https://api.example:8443/v1/notes',
  'https://api.example./v1/notes',
  'http://api.example/v1/notes',
  'ftp://api.example/v1/notes',
  'https:/api.example/v1/notes',
  '//api.example/v1/notes',
  ' https://api.example/v1/notes',
  'https://api.example/v1/no\ttes',
  'https://аpi.example/v1/notes',
  ['https://api.example/v1/notes'],
  undefined,
])('by path it does not cover %s', (url) => {
  const like = toPattern(byPath, call('https://api.example/v1/notes'))
  expect(fits(like, byPath, call(url))).toBe(false)
})

test('by host it covers another path there, and no other host', () => {
  const like = toPattern(byHost, call('https://api.example/a'))
  expect(fits(like, byHost, call('https://api.example/b'))).toBe(true)
  expect(fits(like, byHost, call('https://b.api.example/a'))).toBe(false)
  expect(fits(like, byHost, call('https://api.example.evil/a'))).toBe(false)
})

test('without a scope, or where the field cannot be compared, the very same arguments alone are covered', () => {
  for (const url of ['https://me:x@api.example/a', 'not/../sure', 7]) {
    const like = toPattern(byPath, call(url))
    expect(like.by).toBe('same')
    expect(fits(like, byPath, call(url))).toBe(true)
    expect(fits(like, byPath, call(url, { more: 1 }))).toBe(false)
  }
  const bare = toPattern({ name: 'http' }, call('https://api.example/a'))
  expect(fits(bare, { name: 'http' }, call('https://api.example/a/b'))).toBe(false)
})

test('a prefix too long to be kept whole is not cut to a shorter one', () => {
  expect(toPattern(byPath, call(`https://api.example/${'a/'.repeat(300)}`)).by).toBe('same')
})

test('neither another tool nor another scope of the tool is covered', () => {
  const like = toPattern(byPath, call('https://api.example/a'))
  expect(fits(like, { ...byPath, name: 'other' }, { ...call('https://api.example/a'), name: 'other' })).toBe(false)
  expect(fits(like, byHost, call('https://api.example/a'))).toBe(false)
})

test('a path that is no address is compared by segments', () => {
  const like = toPattern(byPath, call('/notes/a'))
  expect(like).toMatchObject({ by: 'path', like: '/notes/a' })
  expect(fits(like, byPath, call('/notes/a/b'))).toBe(true)
  for (const url of ['/notes/ab', '/notes/a/../b', '/notes/a/%2e%2e/b', 'notes/a'])
    expect(fits(like, byPath, call(url))).toBe(false)
})

test('of requests a GET covers what is read there and below, and a write itself alone', () => {
  const port = {
    hosts: [],
    honoursKeys: () => false,
    send: async () => await Promise.reject(new Error('It was sent.')),
  }
  const [tool] = toolsOf([createHttpRequest(port)])
  if (!tool) throw new Error('There is no tool.')
  const request = (method: string, url: string, body?: unknown) => ({
    name: 'http_request',
    arguments: JSON.stringify({ method, url, ...(body === undefined ? {} : { body }) }),
  })
  const orders = 'https://api.example/orders'
  const get = toPattern(tool, request('GET', orders))
  expect(describe(get, 'en')).toBe(`all calls to \`${orders}\` and what is below it, only with \`method:GET\``)
  expect(fits(get, tool, request('GET', `${orders}/17?full=1`))).toBe(true)
  for (const other of [
    request('POST', orders, { amount: 1 }),
    request('PUT', `${orders}/17`, {}),
    request('PATCH', `${orders}/17`, {}),
    request('GET', `${orders}?_method=POST`),
  ]) {
    expect(fits(get, tool, other)).toBe(false)
    expect(toPattern(tool, other).by).toBe('same')
  }
  expect(toPattern(tool, request('GET', 'https://api.example/')).by).toBe('same')
})

const reading = {
  name: 'http',
  scope: {
    argument: 'url',
    by: 'path',
    same: ['method'],
    only: (input: unknown) => JSON.stringify(input).includes('GET'),
  },
} as const

test('further arguments that the scope names must be the very same, and what the tool says is like no other covers itself alone', () => {
  const orders = 'https://api.example/orders'
  const get = toPattern(reading, call(orders, { method: 'GET' }))
  expect(get).toEqual({ tool: 'http', by: 'path', like: orders, given: '{"method":"GET"}' })
  expect(fits(get, reading, call(`${orders}/17`, { method: 'GET' }))).toBe(true)
  for (const more of [{ method: 'POST', body: { amount: 1 } }, { method: 'PUT' }, { method: 'get' }, {}])
    expect(fits(get, reading, call(orders, more))).toBe(false)
  const post = call(orders, { method: 'POST', body: { amount: 1 } })
  expect(toPattern(reading, post).by).toBe('same')
  expect(fits(toPattern(reading, post), reading, post)).toBe(true)
  expect(fits(toPattern(reading, post), reading, call(orders, { method: 'POST', body: { amount: 2 } }))).toBe(false)
})

test.each(['https://api.example', 'https://api.example/', '/'])(
  'the root %s is no path, so that it covers itself alone',
  (url) => {
    const root = toPattern(byPath, call(url))
    expect(root.by).toBe('same')
    expect(fits(root, byPath, call('https://api.example/admin'))).toBe(false)
  },
)

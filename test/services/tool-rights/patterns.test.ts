// What an owner approved for good covers what is alike for sure, and nothing that another reader could take for something else.
import { expect, test } from 'vitest'
import { fits, toPattern } from '#services/tool-rights/patterns.ts'

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

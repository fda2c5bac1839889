// What the gateway decides of a call, by its effect, by what it sends, and by what the model has read.
import { expect, test } from 'vitest'
import { judge } from '#services/executor/gateway/verdict.ts'
import type { Known } from '#services/executor/gateway/reach.ts'

const known =
  (more: Partial<Known> = {}) =>
  (): Known => ({ own: [], quoted: [], others: [], searches: [], pages: [], ...more })
const address = { effect: 'read', sends: { what: 'address', argument: 'url' } } as const
const query = { effect: 'read', sends: { what: 'query', argument: 'query' } } as const
const free = { right: 'use', isApproved: false } as const
const never = (): Known => {
  throw new Error('A turn that read nothing of others needs no look at its prompt.')
}

test('where nobody else wrote anything, everything runs as it was asked', () => {
  expect(judge({ effect: 'write' }, { a: 1 }, { ...free, taint: [], known: never })).toEqual({
    do: 'run',
    input: { a: 1 },
  })
  expect(judge(address, { url: 'https://a.test/' }, { ...free, taint: [], known: never })).toMatchObject({ do: 'run' })
  expect(judge(query, { query: 'q' }, { ...free, taint: [], known: never })).toEqual({
    do: 'run',
    input: { query: 'q' },
  })
})

test.each(['read', 'write-local', 'ask'] as const)('in a tainted turn %s runs', (effect) => {
  expect(judge({ effect }, {}, { ...free, taint: ['another member'], known: never })).toMatchObject({ do: 'run' })
})

test('in a tainted turn a person is asked before anything is changed outside', () => {
  expect(judge({ effect: 'write' }, {}, { ...free, taint: ['browser_fetch'], known: never })).toEqual({
    do: 'ask',
    why: 'tainted',
  })
})

test('in a tainted turn an address that the model may have made up is not opened', () => {
  const open = known({ own: ['https://a.test/'] })
  expect(judge(address, { url: 'https://a.test/' }, { ...free, taint: ['a quotation'], known: open })).toMatchObject({
    do: 'run',
  })
  expect(
    judge(address, { url: 'https://a.test/?k=1' }, { ...free, taint: ['a quotation'], known: open }),
  ).toMatchObject({ do: 'refuse' })
})

test('in a tainted turn a query goes without what others wrote, which the model is told', () => {
  const others = known({ own: ['weather'], others: ['hunter2'] })
  const asked = { query: 'weather hunter2', count: 3 }
  expect(judge(query, asked, { ...free, taint: ['another member'], known: others })).toEqual({
    do: 'run',
    input: { query: 'weather', count: 3 },
    note: '[asked for: weather]',
  })
  expect(judge(query, { query: 'hunter2' }, { ...free, taint: ['another member'], known: others })).toMatchObject({
    do: 'refuse',
  })
})

test('a long query is cut also where nobody else wrote anything', () => {
  expect(judge(query, { query: 'x'.repeat(300) }, { ...free, taint: [], known: never })).toMatchObject({
    input: { query: 'x'.repeat(200) },
  })
})

test.each([undefined, null, 'https://evil.test/', ['https://evil.test/'], { url: { url: 'x' } }, {}])(
  'an input without the argument is left to the tool: %j',
  (input) => {
    expect(judge(address, input, { ...free, taint: ['a quotation'], known: known() })).toEqual({ do: 'run', input })
  },
)

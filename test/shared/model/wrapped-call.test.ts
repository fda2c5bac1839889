// A call within `tool_call` is seen as the call inside it, or as what it is where there is none inside.
import { expect, test } from 'vitest'
import { unwrapCall } from '#shared/model/wrapped-call.ts'

const wrap = (given: string) => ({ id: 'a', name: 'tool_call', arguments: given })

test.each([
  ['{"name":"look","arguments":{"at":1}}', 'look', '{"at":1}'],
  ['{"name":"look","arguments":"{\\"at\\":1}"}', 'look', '{"at":1}'],
  ['{"name":"look"}', 'look', '{}'],
  ['{"name":"look","arguments":null}', 'look', '{}'],
  ['{"name":"look","arguments":[1]}', 'look', '[1]'],
])('%s is a call of %s', (given, name, inner) => {
  expect(unwrapCall(wrap(given))).toEqual({ id: 'a', name, arguments: inner })
})

test.each([
  '{"name":"tool_call","arguments":{"name":"look","arguments":{}}}',
  '{"name":"no such name","arguments":{}}',
  '{"name":5}',
  '{"arguments":{}}',
  'null',
  '[]',
  '{"name":"look"',
  `{"name":"look","arguments":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
])('nothing is taken out of %.60s', (given) => {
  expect(['tool_call', 'look']).toContain(unwrapCall(wrap(given)).name)
  if (given.length < 1000) expect(unwrapCall(wrap(given))).toEqual(wrap(given))
})

test('any other call is left as it is', () => {
  const call = { id: 'a', name: 'look', arguments: '{"name":"write","arguments":{}}' }
  expect(unwrapCall(call)).toBe(call)
})

// Ids of calls for endpoints that want short ones: each is of one form, belongs to its call, and stays the same from request to request.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withShortIds } from '#infra/models/short-ids.ts'
import type { PromptMessage } from '#shared/model/model-port.ts'
import { runs } from '#test/rig/property-runs.ts'

const turn = (...ids: readonly string[]): readonly PromptMessage[] => [
  { role: 'user', content: 'look' },
  { role: 'assistant', content: '', toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })) },
  ...ids.map((id): PromptMessage => ({ role: 'tool', callId: id, content: `found ${id}` })),
]
const idsOf = (messages: readonly PromptMessage[]) =>
  messages.flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []).map(({ id }) => id) : []))
const resultsOf = (messages: readonly PromptMessage[]) =>
  messages.flatMap((one) => (one.role === 'tool' ? [one.callId] : []))

test('of whatever endpoints, also where one id comes again in the next answer', () => {
  const id = fc.constantFrom('call_0', 'functions.look:0', 'toolu_01', 'a', 'abcDEF123', '000000000')
  const turns = fc.array(fc.uniqueArray(id, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(turns, (all) => {
      const short = withShortIds(all.flatMap((ids) => turn(...ids)))
      for (const one of idsOf(short)) expect(one).toMatch(/^[A-Za-z0-9]{9}$/)
      expect(new Set(idsOf(short)).size).toBe(idsOf(short).length)
      expect(resultsOf(short)).toEqual(idsOf(short))
      // What stood there before keeps its ids when more is said.
      const longer = withShortIds([...all.flatMap((ids) => turn(...ids)), ...turn('call_0', 'b')])
      expect(idsOf(longer).slice(0, idsOf(short).length)).toEqual(idsOf(short))
    }),
    runs(100),
  )
})

test('an id that is short stays', () => {
  expect(idsOf(withShortIds(turn('abcDEF123', 'call_1')))[0]).toBe('abcDEF123')
})

// Facts about what an endpoint's tool calls become.
import { expect, test } from 'vitest'
import { createAssembly } from '#infra/models/reply-assembly.ts'

function idsOf(...given: readonly string[]): readonly string[] {
  const assembly = createAssembly('m', 100_000, () => {})
  for (const [index, id] of given.entries())
    assembly.add({ choices: [{ delta: { tool_calls: [{ index, id, function: { name: 'look', arguments: '{}' } }] } }] })
  const request = { role: 'main', messages: [], tools: [], maxOutputTokens: 1, temperature: 0 } as const
  const { toolCalls } = assembly.toReply({ ...request, metadata: { depth: 'standard', conversation: 'web:a' } })
  return toolCalls.map((call) => call.id)
}

test.each([
  ['ordinary ids stay', ['call_9fX-2', 'toolu_01A'], ['call_9fX-2', 'toolu_01A']],
  ['a line break never gets through', ['call\n1', 'b\r'], ['call_0', 'call_1']],
  [
    'nor do spaces, controls, other scripts and what is too long',
    ['a b', '\0', '调用', 'x'.repeat(65)],
    ['call_0', 'call_1', 'call_2', 'call_3'],
  ],
  ['missing ones are made', ['', ''], ['call_0', 'call_1']],
  ['the same id twice becomes two', ['a', 'a'], ['a', 'call_1']],
  ['a made id does not meet a given one', ['call_1', 'call_1', 'call_1_'], ['call_1', 'call_1_', 'call_2']],
])('%s', (_, given, expected) => {
  expect(idsOf(...given)).toEqual(expected)
})

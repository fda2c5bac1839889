// Facts about what an endpoint's tool calls become, and which of its counts are believed.
import { expect, test } from 'vitest'
import { parseChunk } from '#infra/models/chat-chunk.ts'
import { createGrowingJson } from '#infra/models/growing-json.ts'
import { createAssembly, type ReplyAssembly } from '#infra/models/reply-assembly.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { toRequest } from './model-request.ts'

const open = (maxOutputBytes = 100_000): ReplyAssembly =>
  createAssembly({ model: 'm', maxOutputBytes, onText: () => {} })

function add(assembly: ReplyAssembly, chunk: unknown): void {
  const read = parseChunk(JSON.stringify(chunk))
  if (!read) throw new Error('It is no chunk.')
  assembly.add(read)
}

function idsOf(...given: readonly string[]): readonly string[] {
  const assembly = open()
  for (const [index, id] of given.entries())
    add(assembly, {
      choices: [{ delta: { tool_calls: [{ index, id, function: { name: 'look', arguments: '{}' } }] } }],
    })
  const request = { role: 'main', messages: [], tools: [], maxOutputTokens: 1, temperature: 0 } as const
  const { toolCalls } = assembly.toReply({ ...request, metadata: { depth: 'standard', conversation: 'web:a' } })
  return toolCalls.map((call) => call.id)
}

test.each([
  ['ordinary ids stay', ['call_9fX-2', 'toolu_01A'], ['call_9fX-2', 'toolu_01A']],
  ['so do those of Kimi, which wants them back', ['functions.look:0', 'look:1'], ['functions.look:0', 'look:1']],
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

test.each([
  ['as a model tells it', { prompt_tokens: 40, completion_tokens: 5 }, true],
  ['of one that thought at length', { prompt_tokens: 40, completion_tokens: 30_000 }, true],
  ['of one whose endpoint adds words of its own', { prompt_tokens: 3000, completion_tokens: 5 }, true],
  ['of a counter that ran below zero', { prompt_tokens: 2 ** 64, completion_tokens: 5 }, false],
  ['of more than was asked', { prompt_tokens: 100_000, completion_tokens: 5 }, false],
  ['of more than it may write', { prompt_tokens: 40, completion_tokens: 1_000_000 }, false],
  ['of half a token', { prompt_tokens: 40.5, completion_tokens: 5 }, false],
])('a usage %s', (_, usage, isBelieved) => {
  const assembly = open()
  add(assembly, { choices: [{ delta: { content: 'hi there' }, finish_reason: 'stop' }], usage })
  const told = { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens }
  const reply = assembly.toReply(toRequest('what is one?'))
  if (isBelieved) expect(reply).toMatchObject({ usage: told })
  else expect(reply).toMatchObject({ distrusted: told, usage: { promptTokens: 8, completionTokens: 2 } })
  expect('distrusted' in reply).toBe(!isBelieved)
})

test.each([
  ['as OpenAI says it', { prompt_tokens_details: { cached_tokens: 900 } }, 900],
  ['as DeepSeek says it', { prompt_cache_hit_tokens: 900 }, 900],
  ['none', { prompt_tokens_details: { cached_tokens: 0 } }, undefined],
  ['of a wrong type', { prompt_tokens_details: { cached_tokens: 'many' }, prompt_cache_hit_tokens: -1 }, undefined],
  ['more than there are', { prompt_cache_hit_tokens: 1001 }, undefined],
])('what came from the cache: %s', (_, more, cachedTokens) => {
  const assembly = open()
  const usage = { prompt_tokens: 1000, completion_tokens: 2, ...more }
  add(assembly, { choices: [{ delta: {}, finish_reason: 'stop' }], usage })
  expect(assembly.toReply(toRequest('hi')).usage).toEqual({
    promptTokens: 1000,
    completionTokens: 2,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
  })
})

test('an endpoint that names the tool in each chunk costs no more than the text', () => {
  const assembly = open(4_000_000)
  const chunk = (given: string) => ({
    choices: [{ delta: { tool_calls: [{ index: 0, function: { name: 'n', arguments: given } }] } }],
  })
  const beganMs = processorMs()
  add(assembly, chunk(`{"a":"${'x'.repeat(1_000_000)}`))
  for (let n = 0; n < 20_000; n++) add(assembly, chunk('y'))
  expect(processorMs() - beganMs).toBeLessThan(1500)
})

test.each([
  ['{"a":"}"', '}'],
  ['{"a":"\\"}', '"}'],
  ['[{"a":[]}', ' , 1]'],
  ['  {', '}'],
])('%s is a call that goes on with %s, and ends there', (head, tail) => {
  const json = createGrowingJson()
  json.add(head)
  expect(json.isWhole()).toBe(false)
  json.add(tail)
  expect(json.isWhole()).toBe(true)
  expect(json.text()).toBe(head + tail)
  json.add('{')
  expect(json.isWhole()).toBe(false)
})

const tools = [{ name: 'look', description: '', parameters: {} }]
test.each([
  ['Let me see.\n<tool_call>\n{"name": "look", "arguments": {"at": "he', 'Let me see.\n', 'length'],
  ['Let me see.\n[look(at="he', 'Let me see.\n', 'length'],
  ['Let me see.\n{"name": "look", "arguments": {"at": "he', 'Let me see.\n', 'length'],
  ['Let me see.\n```tool_code\nprint(look(at="he', 'Let me see.\n', 'length'],
  ['<|channel|>analysis to=functions.look code<|message|>{"at', '', 'length'],
  ['Let me see.\n<start_function_call>call:look{at:<escape>he', 'Let me see.\n', 'length'],
  ['<tool_call>{"name": "look", "arguments": {}}</tool_call>\nI wait.', '', 'tool-calls'],
  ['<think>I look it up.\n<tool_call>{"name": "look", "arguments": {}}</tool_call>', '', 'tool-calls'],
  ['<think>I could write\n<tool_call>{"name": "look", "arguments": {}}</tool_call> now, but no', '', 'stop'],
  ['<tool_call> is the mark of a call.', '<tool_call> is the mark of a call.', 'stop'],
])(
  'a call that breaks off is not made or shown, and the answer is cut, whatever the endpoint says: %s',
  (said, text, finish) => {
    for (const reason of ['stop', 'length']) {
      const assembly = createAssembly({ model: 'm', maxOutputBytes: 10_000, onText: () => {}, tools })
      for (const sign of said) add(assembly, { choices: [{ delta: { content: sign } }] })
      add(assembly, { choices: [{ delta: {}, finish_reason: reason }] })
      const reply = assembly.toReply(toRequest('hi', { tools }))
      if (reason === 'stop')
        expect(reply).toMatchObject({ text, finish, toolCalls: finish === 'tool-calls' ? [{ name: 'look' }] : [] })
      else expect([reply.text.includes('look'), reply.finish]).toEqual([false, 'length'])
    }
  },
)

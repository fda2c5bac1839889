// Calls that models write as text, in the forms of many families; and what is none.
import { expect, test } from 'vitest'
import { findSpokenCalls, isCallMarkup } from '#infra/models/spoken-calls.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

const tools = [
  { name: 'add', description: '', parameters: { properties: { a: { type: 'number' }, of: { type: 'string' } } } },
  { name: 'now', description: '', parameters: {} },
]
const read = (text: string) =>
  findSpokenCalls(text, tools).map(({ name, arguments: given }): unknown => [name, JSON.parse(given)])

test.each([
  ['<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>'],
  ['<tool_call>\n{"name": "add", "arguments": "{\\"a\\": 1}"}\n</tool_call>'],
  ['<tool_call><function=add><parameter=a>1</parameter></function></tool_call>'],
  ['<function=add>{"a": 1}</function>'],
  ['<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>'],
  ['<function_calls><invoke name="add"><parameter name="a">1</parameter></invoke></function_calls>'],
  ['<minimax:tool_call><invoke name="add"><parameter name="a">1</parameter></invoke></minimax:tool_call>'],
  ['[TOOL_CALLS][{"name": "add", "arguments": {"a": 1}}]'],
  ['[TOOL_CALLS]add[ARGS]{"a": 1}'],
  ['[TOOL_CALLS]add[CALL_ID]abc123[ARGS]{"a": 1}'],
  ['<|python_tag|>{"name": "add", "parameters": {"a": 1}}'],
  ['<|tool_call|>[{"name": "add", "arguments": {"a": 1}}]'],
  [
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>',
  ],
  ['<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n```json\n{"a": 1}\n```<｜tool▁call▁end｜>'],
  ['<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{"a": 1}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'],
  ['<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a": 1}<|call|>'],
  ['{"tool": "add", "tool_input": {"a": 1}}'],
  ['{"tool_calls": [{"function": {"name": "add", "arguments": {"a": 1}}}]}'],
  ['```json\n{"name": "add", "arguments": {"a": 1}}\n```'],
])('%s is a call', (text) => {
  expect(read(text)).toMatchObject([['add', expect.anything()]])
  expect(JSON.stringify(read(text))).toContain('1')
})

test('tags hold text; a number is read where the tool wants one', () => {
  const text = '<function=add><parameter=a>\n7\n</parameter><parameter=of>7</parameter></function>'
  expect(read(text)).toEqual([['add', { a: 7, of: '7' }]])
})

test('several are made in their order', () => {
  expect(
    read(
      '<tool_call>{"name":"now","arguments":{}}</tool_call><tool_call>{"name":"add","arguments":{"a":2}}</tool_call>',
    ),
  ).toEqual([
    ['now', {}],
    ['add', { a: 2 }],
  ])
})

test.each([
  '{"name": "Bob", "age": 3}',
  '{"name": "Bob", "arguments": {}}',
  '{"name": "add"',
  '<tool_call>{"name": "add", "argum',
  '<tool_call> is a tag',
  'add {"a": 1} and then some words',
  '<function=add><parameter=a>1',
  'x'.repeat(100_000),
])('%# is no call', (text) => {
  expect(read(text)).toEqual([])
})

test('a marked call of a tool that is not there is told to the model, and its marks to nobody', () => {
  expect(read('<tool_call>{"name": "nope", "arguments": {}}</tool_call>')).toEqual([['nope', {}]])
  expect(isCallMarkup('<tool_call>\n{"name" 3}\n</tool_call>')).toBe(true)
  expect(isCallMarkup('<invoke name=x> begins a call, and here the text goes on.')).toBe(false)
})

test('hostile texts take time in proportion to their length', () => {
  const startedMs = processorMs()
  for (const part of [
    '<function=add>',
    '<parameter=a>',
    '[TOOL_CALLS]',
    '{"name":"add",',
    '<tool_call>',
    'add {',
    '[[',
    '<|x|>',
    '``` ',
  ])
    read(part.repeat(Math.floor(60_000 / part.length)))
  expect(processorMs() - startedMs).toBeLessThan(2000)
})

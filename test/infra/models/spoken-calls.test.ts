// Calls that models write as text, in the forms of many families; and what is none.
import { expect, test } from 'vitest'
import { findSpokenCalls, judgeHeld } from '#infra/models/spoken-calls.ts'
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
  // Llama 4, Olmo and others: Python
  ['[add(a=1)]'],
  ['[add(a=1, of="x, (y)]")]'],
  ['add(a=1)'],
  ['add(1)'],
  ['<|python_tag|>add.call(a=1)'],
  ['<|python_start|>[add(a=1)]<|python_end|>'],
  ['<function_calls>add(a=1)</function_calls>'],
  ['```tool_code\nprint(add(a=1))\n```'],
  ['```tool_code\nprint(default_api.add(a = 1,))\n```'],
  ['```tool_code\nfound = add(a=1) # as asked\nprint(found)\n```'],
  ["```tool_code\nadd({'a': 1})\n```"],
  ["```tool_call\n{'name': 'add', 'arguments': {'a': 1, 'of': None}}\n```"],
  // ByteDance Seed, LongCat, xAI, Step, Phi, Apertus, LM Studio, LFM2
  ['<seed:tool_call>\n<function=add>\n<parameter=a>1</parameter>\n</function>\n</seed:tool_call>'],
  ['<longcat_tool_call>{"name": "add", "arguments": {"a": 1}}</longcat_tool_call>'],
  ['<xai:function_call name="add"><parameter name="a">1</parameter></xai:function_call>'],
  [
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="add"><steptml:parameter name="a">1</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  ],
  ['functools[{"name": "add", "arguments": {"a": 1}}]'],
  ['<|tools_prefix|>[{"add": {"a": 1}}]<|tools_suffix|>'],
  ['[TOOL_REQUEST]\n{"name": "add", "arguments": {"a": 1}}\n[END_TOOL_REQUEST]'],
  ['<|tool_call_start|>[add(a=1)]<|tool_call_end|>'],
  ['<tools>{"name": "add", "arguments": {"a": 1}}</tools>'],
  // Gemma
  ['<start_function_call>call:add{a:1}<end_function_call>'],
  ['<start_function_call>call:add{of:<escape>1, {x}: "y"<escape>}<end_function_call>'],
  ['<start_function_call>call:add{of:it is 1}<end_function_call>'],
  ['<|tool_call>call:add{of:<|"|>x\ny<|"|>,a:1,list:[{b:true}]}<tool_call|>'],
  // Nemotron
  ['<TOOLCALL>[{"name": "add", "arguments": {"a": 1}}]</TOOLCALL>'],
  ['<toolcall> {"name": "add", "arguments": {"a": 1}} </toolcall>'],
  // MiniMax
  ['<minimax:tool_call>\n<invoke name="add">\n<parameter name="a">1</parameter>\n</invoke>\n</minimax:tool_call>'],
  [
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="add">]<]minimax[>[<a>1]<]minimax[>[</a>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
  ],
  // gpt-oss
  ['<|channel|>analysis to=functions.add code<|message|>{"a": 1}<|call|>'],
  ['<|channel|>analysis to=add <|constrain|>json<|message|>{"a": 1}'],
  ['<|start|>assistant to=functions.add<|channel|>commentary json<|message|>{"a": 1}<|call|>'],
  ['<|start|>assistant<|channel|>analysis to=functions.add<|message|>{"a": 1}<|call|>'],
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
  '[add(a=1), now(]',
  '[add(a=now())]',
  '[nope(a=1)]',
  'add(a=b)',
  '```tool_code\nprint(add(a=1))\nfor x in y: add(a=x)\n```',
  '<start_function_call>call:nope',
  'x'.repeat(100_000),
])('%# is no call', (text) => {
  expect(read(text)).toEqual([])
})

test('a marked call of a tool that is not there is told to the model, and its marks to nobody', () => {
  expect(read('<tool_call>{"name": "nope", "arguments": {}}</tool_call>')).toEqual([['nope', {}]])
  expect(judgeHeld('<tool_call>\n{"name" 3}\n</tool_call>', tools, '')).toMatchObject({ calls: [], shown: '' })
  const talk = '<invoke name=x> begins a call, and here the text goes on.'
  expect(judgeHeld(talk, tools, '')).toEqual({ calls: [], shown: talk, isCut: false })
})

test.each([
  [
    "[add(a=1), now(), add(a=-2.5, of='it\\'s \"x\"', list=[1, None, True])]",
    [
      ['add', { a: 1 }],
      ['now', {}],
      ['add', { a: -2.5, of: 'it\'s "x"', list: [1, null, true] }],
    ],
  ],
  [
    '```tool_code\nprint(add(a=1))\nprint(now())\n```',
    [
      ['add', { a: 1 }],
      ['now', {}],
    ],
  ],
  ['add(1, """two\nlines""")', [['add', { a: 1, of: 'two\nlines' }]]],
  [
    '<start_function_call>call:add{a:1}<end_function_call><start_function_call>call:now{}<end_function_call>',
    [
      ['add', { a: 1 }],
      ['now', {}],
    ],
  ],
  ['<|tool_call>call:add{of:<|"|>a "b" \\n<|"|>}<tool_call|>', [['add', { of: 'a "b" \\n' }]]],
  [
    ']<]minimax[>[<invoke name="add">]<]minimax[>[<of>7]<]minimax[>[</of>]<]minimax[>[<a>7]<]minimax[>[</a>]<]minimax[>[<list>]<]minimax[>[<item>1]<]minimax[>[</item>]<]minimax[>[</list>]<]minimax[>[</invoke>',
    [['add', { of: '7', a: 7, list: [1] }]],
  ],
  // What stands within an argument is no mark.
  [
    '[TOOL_CALLS]add[ARGS]{"of": "<tool_call> [ARGS] ```json <|x|>"}',
    [['add', { of: '<tool_call> [ARGS] ```json <|x|>' }]],
  ],
])('%s holds its values as they were meant', (text, calls) => {
  expect(read(text)).toEqual(calls)
})

test('an id that came with the call stays its id', () => {
  const text = '<|tool_call_begin|>functions.add:3<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>'
  expect(findSpokenCalls(text, tools)).toMatchObject([{ id: 'functions.add:3', name: 'add' }])
})

test.each([
  '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>\nThe sum is 9.',
  '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call> I add them now.',
  '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>\n<tool_response>9</tool_response>',
  '<function_calls><invoke name="add"><parameter name="a">1</parameter></invoke></function_calls>\n\nOne moment.',
  '<|channel|>commentary to=functions.add<|message|>{"a": 1}<|call|><|start|>assistant<|channel|>final<|message|>9.',
  '```tool_code\nprint(add(a=1))\n```\nI wait for it.',
  '[TOOL_CALLS][{"name": "add", "arguments": {"a": 1}}]\nDone.',
])('%s is a call, and the words behind it are not shown', (text) => {
  expect(judgeHeld(text, tools, 'Let me see.\n')).toMatchObject({ calls: [{ name: 'add' }], shown: '', isCut: false })
})

test.each([
  '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call> is how a model of Hermes calls it.',
  '<tool_call>{...}</tool_call>, with JSON between the tags.',
  '[add(a=1)] is a list of one call.',
  '[add(a=1)](https://example.org)',
  'add(a=1) is what a model writes.',
  '{"name": "add", "arguments": {"a": 1}} stands there.',
  '<tool_call> is a tag',
  "[add(advanced)](https://example.org), and that's not all (so",
  '{"name": "add", "of": 1} isn\'t a call :(',
  "add(the numbers), it's easy [",
  "[add(x) for x in y]: it's Python (",
])('%s is talk', (text) => {
  expect(judgeHeld(text, tools, '')).toEqual({ calls: [], shown: text, isCut: false })
  expect(judgeHeld(text, tools, 'Models write ')).toMatchObject({ calls: [], shown: text })
})

const schema = '{"type":"object","properties":{"a":{"type":"number"}}}'
test.each([
  `[{"type":"function","function":{"name":"add","description":"Adds.","parameters":${schema}}}]`,
  `[{"type":"function","function":{"name":"add","parameters":${schema}}}]`,
  '{"name":"now","parameters":{"type":"object"}}',
  `{"name":"add","input_schema":${schema}}`,
  `{"name":"add","arguments":${JSON.stringify(schema)}}`,
  `{"type":"function","function":{"name":"add","arguments":{"a":1}},"description":"Adds."}`,
  `add ${schema}`,
  `add(${schema})`,
  `{"add":${schema}}`,
  `{"add":{"description":"Adds.","parameters":${schema}}}`,
  '{"tool":"add","input":"2+2","result":4}',
  '{"name":"add","input":{"a":1},"output":9}',
  '{"action":"add","action_input":{"a":1},"note":"do not run"}',
  '{"tool_calls":[{"name":"add","arguments":{"a":1}}],"content":"Do not run it."}',
])('%s is a definition or a record, and no call', (text) => {
  for (const whole of [text, `\`\`\`json\n${text}\n\`\`\``]) {
    expect(read(whole)).toEqual([])
    expect(judgeHeld(whole, tools, '')).toEqual({ calls: [], shown: whole, isCut: false })
    expect(judgeHeld(whole, tools, 'My tools:\n')).toEqual({ calls: [], shown: whole, isCut: false })
  }
  expect(read(`<tools>${text}</tools>`)).toEqual([])
  expect(judgeHeld(`<tool_call>${text}</tool_call>`, tools, '').calls).toEqual([])
})

test.each([
  '{"type":"function","id":"x","index":0,"function":{"name":"add","arguments":{"a":1}}}',
  '{"type":"tool_use","id":"x","name":"add","input":{"a":1}}',
  '{"role":"assistant","content":null,"tool_calls":[{"type":"function","function":{"name":"add","arguments":"{\\"a\\":1}"}}]}',
])('%s has beside its name and arguments what a call may have', (text) => {
  expect(read(text)).toEqual([['add', { a: 1 }]])
})

const named = (name: string, properties: object) => ({ name, description: '', parameters: { properties } })
const writing = [
  named('note', { text: { type: 'string' }, ids: { items: { type: 'string' } } }),
  named('count', { n: { type: 'integer' }, any: {} }),
]
const toArguments = (text: string) => findSpokenCalls(text, writing).map((one) => one.arguments)

test.each([
  '<tool_call>\n{"name":"note","arguments":{"text":"a\nb"}}\n</tool_call>',
  '{"name":"note","arguments":{"text":"a\nb"}}',
  '[TOOL_CALLS]note[ARGS]{"text":"a\nb"}',
  "```tool_call\n{'name': 'note', 'arguments': {'text': 'a\nb'}}\n```",
  '[note(text="a\nb")]',
  '<tool_call><function=note><parameter=text>a\nb</parameter></function></tool_call>',
])('a raw line break in a text of %j stays', (text) => {
  expect(toArguments(text)).toEqual(['{"text":"a\\nb"}'])
  expect(judgeHeld(text, writing, 'Sure!\n')).toMatchObject({ calls: [{ name: 'note' }], shown: '', isCut: false })
})

test('other raw signs and escapes stay what they are', () => {
  expect(toArguments('{"name":"note","arguments":{"text":"\t\\\\\r\\\n\\u0041\0"}}')).toEqual([
    '{"text":"\\t\\\\\\r\\nA\\u0000"}',
  ])
})

test.each([
  '<tool_call>{"name":"note","arguments":["a"]}</tool_call>',
  '<tool_call>{"name":"note","text":"a"}</tool_call>',
  '<tool_call>{"name":"note","arguments":{"text":"a}}</tool_call>',
  '[TOOL_CALLS][{"note":1}]',
])('%s, which cannot be read, counts as cut', (text) => {
  for (const before of ['', 'Sure!\n'])
    expect(judgeHeld(text, writing, before)).toEqual({ calls: [], shown: '', isCut: true })
})

test('marks around nothing are no call that was lost', () => {
  for (const text of ['[TOOL_CALLS][]', '<tool_calls>\n[]\n</tool_calls>'])
    expect(judgeHeld(text, writing, '')).toEqual({ calls: [], shown: '', isCut: false })
})

test.each([
  ['{"name":"count","arguments":{"n":1234567890123456789}}', '{"n":1234567890123456789}'],
  ['{"name":"count","arguments":"{\\"n\\": 1234567890123456789}"}', '{"n": 1234567890123456789}'],
  [
    '{"name":"count","arguments":{"any":[{"id":-1234567890123456789}, 1.10, 5]}}',
    '{"any":[{"id":-1234567890123456789},1.10,5]}',
  ],
  ['count(n=1234567890123456789)', '{"n":1234567890123456789}'],
  ['count(1234567890123456789)', '{"n":1234567890123456789}'],
  ['count(n=1_000)', '{"n":1000}'],
  ['count(n=007, any=007)', '{"n":7,"any":"007"}'],
  ['<function=count><parameter=n>1234567890123456789</parameter></function>', '{"n":1234567890123456789}'],
  ['<start_function_call>call:count{n:1234567890123456789}<end_function_call>', '{"n":1234567890123456789}'],
  ['note(text=00012)', '{"text":"00012"}'],
  ['note(text=1.10)', '{"text":"1.10"}'],
  ['note(text=12)', '{"text":"12"}'],
  ['note(00012)', '{"text":"00012"}'],
  ['<start_function_call>call:note{text:00012}<end_function_call>', '{"text":"00012"}'],
  [
    '{"name":"note","arguments":{"text":1234567890123456789,"ids":[1234567890123456789]}}',
    '{"text":"1234567890123456789","ids":["1234567890123456789"]}',
  ],
  ['{"name":"note","arguments":{"text":"#number:12","ids":[1.10]}}', '{"text":"#number:12","ids":["1.10"]}'],
])('%s keeps its digits', (text, given) => {
  expect(toArguments(text)).toEqual([given])
})

test('what is nested too deep is no call', () => {
  const deep = `{"name":"count","arguments":{"any":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`
  expect(toArguments(deep)).toEqual([])
})

test('words before say that it is an example', () => {
  for (const text of ['[add(a=1)]', '```tool_code\nprint(add(a=1))\n```', '{"name": "add", "arguments": {}}'])
    expect(judgeHeld(text, tools, 'A call looks like this:\n')).toEqual({ calls: [], shown: text, isCut: false })
})

const whole = [
  '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>',
  '<tool_call><function=add><parameter=a>1</parameter></function></tool_call>',
  '<minimax:tool_call><invoke name="add"><parameter name="a">1</parameter></invoke></minimax:tool_call>',
  '<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>',
  '[TOOL_CALLS][{"name": "add", "arguments": {"a": 1}}]',
  '<TOOLCALL>[{"name": "add", "arguments": {"a": 1}}]</TOOLCALL>',
  '<start_function_call>call:add{of:<escape>x<escape>}<end_function_call>',
  '<|python_tag|>add.call(a=1)',
  '```tool_code\nprint(add(a=1))\n```',
  '<|channel|>analysis to=functions.add code<|message|>{"a": 1}<|call|>',
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{"a": 1}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
]
test.each(whole)('%s is run or not shown, wherever it breaks off', (text) => {
  for (let length = text.startsWith('```') ? 12 : 4; length < text.length; length++) {
    const part = text.slice(0, length)
    const { calls, shown, isCut } = judgeHeld(part, tools, 'Let me see.\n')
    expect([part, shown]).toEqual([part, ''])
    expect([part, isCut || calls.length > 0]).toEqual([part, true])
    for (const call of calls)
      expect(JSON.parse(call.arguments)).toEqual(JSON.parse(findSpokenCalls(text, tools)[0]?.arguments ?? ''))
  }
})

test.each([...whole, '{"name": "add", "arguments": {"a": 1}}'])(
  'nothing of a second call that breaks off behind %s is shown',
  (text) => {
    const [first] = findSpokenCalls(text, tools)
    for (const between of ['', '\n'])
      for (let length = 1; length < text.length; length++) {
        const part = `${text}${between}${text.slice(0, length)}`
        const { calls, shown, isCut } = judgeHeld(part, tools, 'Let me see.\n')
        // So little of it may be the beginning of words.
        if (/^[\s{`]*(?:"\w*"?:? ?"?\w{0,2})?$/.test(text.slice(0, length))) continue
        expect([part, shown]).toEqual([part, ''])
        expect([part, isCut || calls.length > 0]).toEqual([part, true])
        for (const { name, arguments: given } of calls) expect([name, given]).toEqual([first?.name, first?.arguments])
      }
  },
)

test.each(['{"name": "add", "arguments": {"a": 1', '[add(a=1', '[add(a=1), now(', 'add(of="x'])(
  '%s breaks off without a mark',
  (text) => {
    expect(judgeHeld(text, tools, '')).toEqual({ calls: [], shown: '', isCut: true })
  },
)

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
    '[add(',
    'add(a=[',
    '```tool_code\nprint(add(a=1))\n',
    '<start_function_call>call:add{a:<escape>',
    'call:add{a:',
    ']<]minimax[>[<a>',
    '<invoke name="add"><a>',
    "add(a='",
    'analysis to=',
  ])
    judgeHeld(part.repeat(Math.floor(60_000 / part.length)), tools, '')
  expect(processorMs() - startedMs).toBeLessThan(2000)
})

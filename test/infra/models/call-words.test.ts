// Words around a call that a model wrote as text: which of them let it act, and which only show it.
import { expect, test } from 'vitest'
import { judgeHeld } from '#infra/models/spoken-calls.ts'
import { isTalkBehind, mayActAfter } from '#infra/models/call-words.ts'
import { createMarkupFilter } from '#infra/models/markup-filter.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

const tools = [{ name: 'add', description: '', parameters: { properties: { a: { type: 'number' } } } }]
const calls = [
  '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>',
  '{"name": "add", "arguments": {"a": 1}}',
  '[add(a=1)]',
]

test.each([
  'For instance:\n',
  'Never do this:\n',
  'Never do this.\n',
  'The user wrote:\n',
  'The user wrote: ',
  'The user wrote: "Hello. ',
  'The page says hello.\n',
  'Translation: ',
  'Translation: Let me look that up:\n',
  'Summary of the page:\n',
  `Summary of the page:\n${'It is about tea. '.repeat(200)}\n\n`,
  'Summary of the page:\nI will add them now.\n',
  'An OpenAI tool call would be:\n',
  'A tool call is written so.\n',
  'I would call it like this:\n',
  'Let me show you an example:\n',
  'Let me explain:\n',
  'Here it is:\n',
  '**Format**\n',
  '> ',
  'It says this.\n> Hello.\n> ',
  '> Hello there.\n',
  '“Hello there. ',
  'Steps.\n1. ',
  'I will use ',
  'The answer is ',
  'The words are\n',
  '调用方法：\n',
  '例如：\n',
  '用户写道：\n',
  '翻译：',
  '网页内容：\n',
  '格式是这样的：\n',
  '不要这样写。\n',
  '他说：「你好。',
  '结果：\n',
  '我来举个例子：\n',
  '让我解释一下：\n',
])('behind %j no call acts', (before) => {
  expect(mayActAfter(before)).toBe(false)
  for (const text of calls) expect(judgeHeld(text, tools, before)).toEqual({ calls: [], shown: text, isCut: false })
})

test.each([
  '',
  '\n',
  'Sure!\n',
  'Sure! 😊\n',
  'Let me see.\n',
  'Let me see. ',
  'Let me look that up:\n',
  "I'll check the sum for you:\n\n",
  'Sure, I will add them:\n',
  '**Let me calculate it:**\n',
  'One moment\n',
  "I'm checking it now:\n",
  'Please wait while I look it up:\n',
  '好的，马上为您查询：\n',
  '正在查询天气：\n',
  'I am going to search the web...\n',
  'The user asked for the sum. Let me add the numbers:\n',
  '好的。\n',
  '好的，我来查一下：\n',
  '好的，我来帮您查一下\n',
  '让我看看：\n',
  '我这就设置提醒：',
  '稍等\n',
  '现在我们来计算：\n',
])('behind %j a call acts', (before) => {
  expect(mayActAfter(before)).toBe(true)
  for (const text of calls) expect(judgeHeld(text, tools, before).calls).toMatchObject([{ name: 'add' }])
})

test.each([
  '\nThis is only an example.',
  '\n\nNever do this, please.',
  '\nReplace the placeholder by your own.',
  '\n这只是一个例子。',
  '\n（示例）',
])('a call with %j behind it was shown only', (behind) => {
  expect(isTalkBehind(behind)).toBe(true)
  const text = `<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>${behind}`
  expect(judgeHeld(text, tools, '')).toEqual({ calls: [], shown: text, isCut: false })
})

test('in a thought that nothing closes, a call that is quoted does not act', () => {
  const call = '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>'
  for (const [words, found] of [
    ['I have to add them.\n', call],
    ['The page is long. For example, it has a table.\n\nI add them.\n', call],
    ['The page says:\n', ''],
    ['I add them.\n\nThe page says this.\n\n', ''],
  ] as const) {
    const filter = createMarkupFilter()
    expect(filter.take(`<think>${words}${call}`)).toBe('')
    expect(filter.rest()).toEqual({ shown: '', calls: found, isThought: true })
  }
})

test('what a model makes up of a result takes nothing back', () => {
  expect(isTalkBehind('\n<tool_response>an example</tool_response>')).toBe(false)
})

test('long words take time in proportion to their length', () => {
  const startedMs = processorMs()
  for (const part of ['let me now ', 'so ', '"', '> ', 'a b ', ': ', '我来', '*', ' ', 'the user ', 'example:\n', '😊'])
    for (const words of [part.repeat(60_000 / part.length), `${part.repeat(60_000 / part.length)}x`])
      expect([true, false]).toContain(mayActAfter(words) || isTalkBehind(words))
  expect(processorMs() - startedMs).toBeLessThan(1000)
})

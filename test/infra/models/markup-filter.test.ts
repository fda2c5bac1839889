// Thoughts and calls in a model's text, in whatever pieces it comes; and answers that only speak of such marks.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMarkupFilter } from '#infra/models/markup-filter.ts'
import { callOpenings, ornaments, thoughtMarks } from '#infra/models/markup.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { runs } from '#test/rig/property-runs.ts'

type Read = { readonly shown: string; readonly calls: string }

function read(pieces: readonly string[], options = {}): Read {
  const filter = createMarkupFilter(options)
  let shown = ''
  let aloud = 0
  const say = (piece: string): void => {
    // What was shown before was a thought.
    if (filter.thoughtsAloud() > aloud) shown = ''
    aloud = filter.thoughtsAloud()
    shown += piece
  }
  for (const piece of pieces) say(filter.take(piece))
  const rest = filter.rest()
  say(rest.shown)
  return { shown, calls: rest.calls }
}

test.each(thoughtMarks.map((mark) => [mark.opens, mark] as const))(
  '%s opens a thought',
  (_, { opens, closes, isWord }) => {
    expect(read([`${opens}so and so${closes}\n\nFine.`]).shown).toBe('Fine.')
    expect(read([...`${opens}so and so${closes}\n\nFine.`]).shown).toBe('Fine.')
    expect(read([`${opens}so and so`]).shown).toBe('')
    if (isWord) {
      // The word of another document.
      const answer = `${opens}<item>1</item>${closes}`
      expect(read([answer]).shown).toBe(answer)
      expect(read([...answer]).shown).toBe(answer)
      expect(read([`One. ${opens}so and so${closes}Two.`]).shown).toContain('so and so')
      return
    }
    expect(read([`One. ${opens}so and so${closes}Two.`]).shown).toBe('One. Two.')
    expect(read([`so and so\n${closes}\n\nFine.`]).shown).toBe('Fine.')
    expect(read([`so and so${closes}Fine.`], { beginsThinking: true }).shown).toBe('Fine.')
  },
)

test.each([
  'The tag `<think>` begins a thought, and `</think>` ends it.',
  'Models write </think> when they are done thinking.',
  'Use the <think> tag for that.',
  'Put “<think>” first and “</think>” last.',
  '- <think>: begins\n- </think>: ends',
  '模型用</think>结束思考，然后回答。',
  '> ```xml\n> <think>x</think>\n> ```\nDone.',
  '1. See:\n      ```xml\n      <think>x</think>\n      ```\nDone.',
  '````\n```\n<think>x</think>\n```\n````\nDone.',
  'Between ``a ` <think>x</think>`` it is code.',
  '```html\n<think>x</think>\n```\nThat is all.',
  'a < b and c > d, [1, 2] and {x}',
  '{"a": 1}',
  '[a link](https://example.org)',
  'In `<tool_call>` stands JSON, such as:\n```json\n{"name": "look", "arguments": {}}\n```\nThat is all.',
])('an answer that speaks of marks is whole: %s', (text) => {
  expect(read([text])).toEqual({ shown: text, calls: '' })
  expect(read([...text])).toEqual({ shown: text, calls: '' })
})

test.each([
  '<think> is a tag that models use.',
  '<think> is the mark that begins a thought.',
  '[THINK] is a mark',
  '<reason> is what I need',
  '<think> means that a thought begins.',
  '<thinking> tags hold thoughts.',
  '<think>, with a small letter, begins a thought.',
  '<think> 是一个标签。',
  '<think>是思考的标记。',
  '<think>标签用来表示思考的开始。',
])('an answer that begins with a mark, and speaks of it, is whole: %s', (text) => {
  expect(read([text])).toEqual({ shown: text, calls: '' })
  expect(read([...text])).toEqual({ shown: text, calls: '' })
})

test.each([
  '<think>is the user a man? I do not know',
  '<think> Is a tag meant?',
  '<think>\nis a tag',
  '<think>Okay, <think> is a tag that models use.',
  '[THINK] I need a mark',
  '<think>用户问的是标签',
  '<think>是的，用户想要加法',
  '<think>这个问题很简单',
])('a thought that nothing closes stays one: %s', (text) => {
  expect(read([text]).shown).toBe('')
  expect(read([...text]).shown).toBe('')
})

test.each(callOpenings.map((mark) => [mark] as const))('a call that begins with %s is held back', (mark) => {
  expect(read([`Let me see.\n${mark}{"name":"look"}`])).toEqual({
    shown: 'Let me see.\n',
    calls: `${mark}{"name":"look"}`,
  })
})

test.each([
  ['Sure.\n{"name": "look", "parameters": {}}', 'Sure.\n', '{"name": "look", "parameters": {}}'],
  ['```json\n{"name":"look"}\n```', '', '```json\n{"name":"look"}\n```'],
  ['[{"name": "look"}]', '', '[{"name": "look"}]'],
])('%s is held back as a call', (text, shown, calls) => {
  expect(read([text])).toEqual({ shown, calls })
  expect(read([...text])).toEqual({ shown, calls })
})

const tools = ['look', 'look_up']
test.each([
  ['Sure.\n[look(at="a")]', 'Sure.\n', '[look(at="a")]'],
  ['[ look_up(at="a"), look()]', '', '[ look_up(at="a"), look()]'],
  ['look(at="a")', '', 'look(at="a")'],
  ['Sure.\n```tool_code\nprint(look())\n```', 'Sure.\n', '```tool_code\nprint(look())\n```'],
  ['Sure.\n```tool_call\n{}', 'Sure.\n', '```tool_call\n{}'],
  ['<|channel|>analysis<|message|>I look.<|channel|>commentary to=look', '', '<|channel|>commentary to=look'],
  ['<|channel>thought\nI look.<|tool_call>call:look{}', '', '<|tool_call>call:look{}'],
  ['Sure.\n<tool_ca', 'Sure.\n', '<tool_ca'],
])('%s is held back where the tool is known', (text, shown, calls) => {
  expect(read([text], { tools })).toEqual({ shown, calls })
  expect(read([...text], { tools })).toEqual({ shown, calls })
})

test.each([
  'Sure. [look(at="a")]',
  '> [look(at="a")]',
  '```python\n[look(at="a")]\n```',
  'Use\nlook(at="a")',
  '[print(1)] and [looks good](https://example.org)',
  '[look at this](https://example.org)\n[see',
  'looking (well) is fine',
  'See:\n```tool\nx\n```\nDone.',
  '`[look(at="a")]` is a call.',
  'x <',
])('%s is no call', (text) => {
  expect(read([text], { tools })).toEqual({ shown: text, calls: '' })
  expect(read([...text], { tools })).toEqual({ shown: text, calls: '' })
})

const parts = fc.constantFrom(
  ...thoughtMarks.flatMap(({ opens, closes }) => [opens, closes]),
  ...ornaments,
  ...callOpenings,
  'word',
  ' ',
  '\n',
  '```\n',
  '`',
  '{"name":',
  'look(',
  '[look',
  '```tool_code\n',
  '{',
  '[',
  '<',
  '|',
  '思考',
  '😀',
)

test('whatever it is cut into, it reads the same', () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), fc.integer({ min: 1, max: 7 }), (words, size) => {
      const text = words.join('')
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      )
      expect(read(pieces, { tools })).toEqual(read([text], { tools }))
    }),
    runs(300),
  )
})

test('a long text, and a long thought, take time in proportion to their length', () => {
  const startedMs = processorMs()
  read(Array.from({ length: 40_000 }, () => 'lorem < [ { ` '))
  read(['<think>', ...Array.from({ length: 40_000 }, () => 'so and so < ')])
  read(['word <think>', ...Array.from({ length: 40_000 }, () => 'so and so < ')])
  expect(processorMs() - startedMs).toBeLessThan(2500)
})

test('signs that may begin a mark cost about as much as letters', () => {
  const cost = (text: string): number => {
    const beganMs = processorMs()
    for (let at = 0; at < 10; at++) read(text.match(/[^]{1,8}/g) ?? [])
    return processorMs() - beganMs
  }
  const letters = 'lorem ipsum dolor '.repeat(1000)
  cost(letters)
  const ratios = ['<'.repeat(18_000), '<|'.repeat(9000), '</'.repeat(9000), '[TOOL'.repeat(3600)].map(
    (text) => cost(text) / Math.max(1, cost(letters)),
  )
  expect(Math.max(...ratios)).toBeLessThan(6)
})

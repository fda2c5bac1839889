// Facts about Markdown as text with entities: nothing said is lost, no link hides its target, Telegram refuses none of it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toEntities } from '#adapters/markup/to-entities.ts'
import { formatText } from '#test/simulators/telegram/formatted-text.ts'
import { runs } from '#test/rig/property-runs.ts'
import { isSubsequence, markdown, wordsOf } from './markdown-samples.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

const marked = (source: string): (readonly [string, string])[] => {
  const { text, entities } = toEntities(source)
  return entities.map(({ type, offset, length }) => [type, text.slice(offset, offset + length)])
}

test.each([
  [
    '**bold** and _italic_',
    [
      ['bold', 'bold'],
      ['italic', 'italic'],
    ],
  ],
  ['~~gone~~ but 5~10 stays', [['strikethrough', 'gone']]],
  [
    '`code` **b `c`**',
    [
      ['code', 'code'],
      ['bold', 'b c'],
      ['code', 'c'],
    ],
  ],
  ['# Title', [['bold', 'Title']]],
  ['> quoted\n> > deeper', [['blockquote', 'quoted\ndeeper']]],
  ['```js\nlet a\n```', [['pre', 'let a']]],
])('marks %j', (source, wanted) => {
  expect(marked(source)).toEqual(wanted)
})

test('keeps the language of a code block', () => {
  expect(toEntities('```ts\nx\n```').entities).toEqual([{ type: 'pre', offset: 0, length: 1, language: 'ts' }])
})

test.each([
  ['- a\n- b\n  - c', '• a\n• b\n  • c'],
  ['3. x\n4. y', '3. x\n4. y'],
  ['- [x] done\n- [ ] open', '☑ done\n☐ open'],
  ['a\n\nb', 'a\n\nb'],
  ['one  \ntwo\nthree', 'one\ntwo\nthree'],
  ['a\n\n---\n\nb', 'a\n\n———\n\nb'],
  ['| a | 中文 |\n|---|---|\n| 1 | 2 |', 'a │ 中文\n──┼─────\n1 │ 2'],
  ['<b>not markup</b> & [x]: http://a.example', '<b>not markup</b> & [x]: http://a.example'],
  ['https://a.example/_x_/*y*', 'https://a.example/_x_/*y*'],
  ['    indented', 'indented'],
])('renders %j as text', (source, text) => {
  expect(toEntities(source).text).toBe(text)
})

test.each([
  ['[read on](https://a.example/x?k=1)', 'read on (a.example)', ['https://a.example/x?k=1']],
  ['[https://bank.example](https://evil.example/x)', 'https://bank.example (https://evil.example/x)', []],
  ['[bank.example](https://evil.example)', 'bank.example (https://evil.example)', []],
  ['[例え.jp](https://evil.com "https://例え.jp/")', '例え.jp (https://evil.com) “https://例え.jp/”', []],
  ['[google\u2024com](https://evil.com)', 'google\u2024com (https://evil.com)', []],
  ['[bank.\u200bcom](https://evil.com)', 'bank.\u200bcom (https://evil.com)', []],
  ['[例え.jp](https://例え.jp/)', '例え.jp', []],
  ['[@admin](https://evil.example)', '@admin (https://evil.example)', []],
  ['[run](javascript:alert(1))', 'run (javascript:alert(1))', []],
  ['[call](tg://resolve?domain=x)', 'call (tg://resolve?domain=x)', []],
  ['[https://a.example](https://a.example/)', 'https://a.example', []],
  ['<https://a.example>', 'https://a.example', []],
  ['![a picture](https://a.example/p.png)', 'a picture (a.example)', ['https://a.example/p.png']],
  ['[](https://a.example)', 'https://a.example', []],
])('shows where %j leads', (source, text, urls) => {
  const rendered = toEntities(source)
  expect(rendered.text).toBe(text)
  expect(rendered.entities.flatMap((entity) => (entity.type === 'text_link' ? [entity.url] : []))).toEqual(urls)
})

test.each(['', ' ', '\n', '\u200b', '```\n```', '****', '[](', '\ud800', '&#8203;'])(
  'shows something for %j',
  (source) => {
    expect(toEntities(source).text.trim()).not.toBe('')
  },
)

test('loses no word, whatever the marks around it', () => {
  fc.assert(
    fc.property(markdown, (source) => {
      expect(isSubsequence(wordsOf(source), toEntities(source).text)).toBe(true)
    }),
    runs(2000),
  )
}, 60_000)

test('gives Telegram nothing to refuse', () => {
  const any = fc.oneof(markdown, fc.string({ unit: 'binary', maxLength: 200 }))
  fc.assert(
    fc.property(any, (source) => {
      const { text, entities } = toEntities(source)
      const formatted = formatText({ text, parseMode: undefined, entities: [...entities], limit: 1e6, tooLong: '' })
      expect(formatted.text).not.toBe('')
    }),
    runs(2000),
  )
}, 60_000)

test.each([
  ['quotes', '>'.repeat(20_000)],
  ['lists', '- '.repeat(10_000)],
  ['brackets', '['.repeat(30_000)],
  ['emphasis', '**a_ '.repeat(6000)],
  ['mixed marks', '"_*'.repeat(10_000)],
  ['images', '![[]('.repeat(6000)],
  ['table cells', `${'|a'.repeat(8000)}\n${'|-'.repeat(8000)}`],
])('reads thousands of nested or open %s in bounded time', (_, source) => {
  const startMs = processorMs()
  toEntities(source)
  expect(processorMs() - startMs).toBeLessThan(3000)
})

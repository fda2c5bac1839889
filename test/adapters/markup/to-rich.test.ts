// Facts about Markdown as a rich message: which texts are one, that nothing said is lost, and that no link, mention or picture is hidden.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostRichChars, toRich, type RichBlock } from '#adapters/markup/to-rich.ts'
import { toEntities } from '#adapters/markup/to-entities.ts'
import { splitMarkdown } from '#adapters/markup/split.ts'
import { readBlocks, type RichContent } from '#test/simulators/telegram/rich-blocks.ts'
import { runs } from '#test/rig/property-runs.ts'
import { expectHonest } from './injections.ts'
import { isSubsequence, markdown, wordsOf } from './markdown-samples.ts'

/** As though no text fitted a plain message. */
const blocksOf = (source: string): RichBlock[] => toRich(`${source}\n\n# End`, 0)?.slice(0, -1) ?? []
const shown = (source: string): RichContent => readBlocks(blocksOf(source), false)

test.each([
  ['a table', '| a | b |\n|---|---|\n| 1 | 2 |', true],
  ['a table in a quote', '> | a |\n> |---|\n> | 1 |', true],
  ['a short text with a heading', '# Title\n\ntext', false],
  ['a short list in a list', '- a\n  - b', false],
  ['a short list of tasks', '- [x] a', false],
  ['a long text with a heading', `# Title\n\n${'word '.repeat(1000)}`, true],
  ['a long text with a list in a list', `- a\n  - b\n\n${'word '.repeat(1000)}`, true],
  ['a long text with a task', `- [ ] a\n\n${'word '.repeat(1000)}`, true],
  ['a long text without structure', `- a\n- b\n\n${'word '.repeat(1000)}`, false],
  ['bars and dashes that are no table', 'a |- b', false],
  ['a table of 21 columns', `${'|a'.repeat(21)}|\n${'|-'.repeat(21)}|\n`, false],
  ['quotes 17 deep', `${'>'.repeat(17)} x\n\n|a|\n|-|`, false],
  ['a table of 500 rows', `|a|\n|-|\n${'|b|\n'.repeat(500)}`, false],
  ['nothing', '', false],
])('%s is a rich message: %#', (_, source, wanted) => {
  expect(toRich(source, 4096) !== undefined).toBe(wanted)
})

test('gives a table its cells, with marks, alignment and no gaps', () => {
  expect(blocksOf('| a | **b** |\n|:-:|--:|\n| 1 |')).toEqual([
    {
      type: 'table',
      is_bordered: true,
      cells: [
        [
          { text: 'a', is_header: true, align: 'center', valign: 'top' },
          { text: { type: 'bold', text: 'b' }, is_header: true, align: 'right', valign: 'top' },
        ],
        [
          { text: '1', align: 'center', valign: 'top' },
          { text: '', align: 'right', valign: 'top' },
        ],
      ],
    },
  ])
})

test.each([
  ['## Part', 'Part'],
  ['- a\n- b\n  - c', '• a\n• b\n  • c'],
  ['3. x\n4. y', '3. x\n4. y'],
  ['- [x] done\n- [ ] open', '☑ done\n☐ open'],
  ['one  \ntwo\nthree', 'one\ntwo\nthree'],
  ['a\n\n---\n\nb', 'a\n———\nb'],
  ['```js\nlet a\n```', 'let a'],
  ['``` strange info\nlet a\n```', 'strange info\nlet a'],
  ['<b>not markup</b> & [x]: http://a.example', '<b>not markup</b> & [x]: http://a.example'],
  ['||no spoiler|| ==no mark== $x^2$', '||no spoiler|| ==no mark== $x^2$'],
])('shows %j', (source, text) => {
  expect(shown(source).text).toBe(text)
})

test.each([
  ['[read on](https://a.example/x?k=1)', 'read on (a.example)', ['https://a.example/x?k=1']],
  ['[https://bank.example](https://evil.example/x)', 'https://bank.example (https://evil.example/x)', [1]],
  ['[例え.jp](https://evil.example/x)', '例え.jp (https://evil.example/x)', [1]],
  ['[@admin](https://evil.example)', '@admin (https://evil.example)', [1]],
  ['[run](javascript:alert(1))', 'run (javascript:alert(1))', []],
  ['[you](tg://user?id=7)', 'you (tg://user?id=7)', []],
  ['[write](mailto:a@b.example)', 'write (mailto:a@b.example)', []],
  ['https://a.example', 'https://a.example', [1]],
  ['![a picture](https://a.example/p.png)', 'a picture (a.example)', ['https://a.example/p.png']],
  ['![👍](tg://emoji?id=5368324170671202286)', '👍 (tg://emoji?id=5368324170671202286)', []],
  ['[![x](https://a.example/p.png)](https://evil.example)', 'x (a.example) (https://evil.example)', [1]],
  ['[](https://a.example)', 'https://a.example', [1]],
])('shows where %j leads', (source, text, urls) => {
  const { entities, media, ...content } = shown(source)
  expect(content.text).toBe(text)
  expect(entities).toHaveLength(urls.length)
  for (const url of urls) if (typeof url === 'string') expect(entities).toMatchObject([{ url }])
  expect(media).toEqual([])
})

test('loses no word, hides nothing and gives Telegram nothing to refuse', () => {
  fc.assert(
    fc.property(markdown, (source) => {
      const blocks = toRich(`${source}\n\n| h |\n|---|\n| c |`, 4096)
      if (!blocks) return
      const content = readBlocks(blocks, false)
      expect(isSubsequence(wordsOf(source), content.text)).toBe(true)
      expectHonest(content)
      expect(content.media).toEqual([])
    }),
    runs(2000),
  )
}, 60_000)

test('parts of a long text fit', () => {
  const again = '# again\n\n'
  const limit = { limit: mostRichChars - again.length, measure: (text: string) => text.length }
  const rows = Array.from({ length: 400 }, (_, i) => `| ${'word '.repeat(10)} | ${i} |\n`)
  for (const source of [`# T\n\n${'这是一句话。'.repeat(6000)}`, `| a | b |\n|---|---|\n${rows.join('')}`]) {
    const parts = splitMarkdown(source, limit)
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) {
      const content = readBlocks(toRich(`${again}${part}`, 0) ?? [], false)
      expect(Buffer.byteLength(content.text)).toBeLessThanOrEqual(32_768)
    }
  }
}, 60_000)

test('fills up no table that is too wide to be sent', () => {
  const rows = (of: number): string => `${'|a'.repeat(1500)}|\n${'|-'.repeat(1500)}|\n${'b\n'.repeat(of)}`
  const wide = rows(2000)
  expect(toRich(wide, 4096)).toBeUndefined()
  expect(toEntities(wide).text.length).toBeLessThan(wide.length * 4)
})

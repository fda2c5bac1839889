// Facts about Markdown for Feishu's cards: nothing said is lost, no link hides its target, nothing becomes a sign that was none, parts fit.
import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, test } from 'vitest'
import { readBlocks } from '#adapters/markup/read-blocks.ts'
import { splitMarkdown } from '#adapters/markup/split.ts'
import { escapeCard, toCardMarkdown } from '#adapters/markup/to-card.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { runs } from '#test/rig/property-runs.ts'
import { isSubsequence, markdown, wordsOf } from './markdown-samples.ts'

/** As a card shows character references. */
const shown = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

test.each([
  ['**bold** and _italic_', '**bold** and *italic*'],
  ['~~gone~~ but 5~10 stays', '~~gone~~ but 5&#126;10 stays'],
  ['`code`', '`code`'],
  ['`` a ` b ``', 'a &#96; b'],
  ['so `a | b` and `Set<a>`', 'so `a | b` and `Set<\u200ba>`'],
  ['| a |\n|---|\n| `x | y` |', '| a |\n| :-- |\n| x &#124; y |'],
  ['# Title', '# Title'],
  ['#### Deep', '#### Deep'],
  ['> quoted\n> > deeper', '> quoted\n> \n> > deeper'],
  ['```js\nlet a\n```', '```js\nlet a\n```'],
  ['- a\n- b\n  - c', '- a\n- b\n    - c'],
  ['3. x\n4. y', '3. x\n4. y'],
  ['- [x] done\n- [ ] open', '☑ done\n☐ open'],
  ['one  \ntwo\nthree', 'one\ntwo\nthree'],
  ['a\n\n---\n\nb', 'a\n\n---\n\nb'],
  ['| a | 中文 |\n|:-:|--:|\n| 1 | 2 |', '| a | 中文 |\n| :-: | --: |\n| 1 | 2 |'],
  ['\\# no title\n\\- no item', '&#35; no title\n&#45; no item'],
  ['1986\\. A great year.', '1986&#46; A great year.'],
  ['a & b &amp; c', 'a &#38; b &#38; c'],
  ['a \\| b $x$ :OK:', 'a &#124; b &#36;x&#36; &#58;OK:'],
])('renders %j', (source, wanted) => {
  expect(toCardMarkdown(source)).toBe(wanted)
})

/** How much is bold or slanted for a reader that keeps to the letter of CommonMark. */
function countMarks(source: string): number {
  let count = 0
  const look = (node: Nodes): void => {
    if (node.type === 'strong' || node.type === 'emphasis') count += 1
    if ('children' in node) for (const child of node.children) look(child)
  }
  look(fromMarkdown(source))
  return count
}

test.each([
  ['请看**注意：**这里', '请看**注意**：这里'],
  ['**步骤一：**打开', '**步骤一**：打开'],
  ['第一步**（必做）**：打开', '第一步 **（必做）**：打开'],
  ['结果是**100%**的人', '结果是**100%** 的人'],
  ['**（重要）**内容', '**（重要）** 内容'],
  ['*斜体（注）*后', '*斜体（注）* 后'],
  ['价格**¥100**元', '价格 **¥100**元'],
  ['他说：**“你好”**。', '他说：**“你好”**。'],
  ['好**的**', '好**的**'],
])('writes %j so that its marks are marks by the letter of CommonMark', (source, wanted) => {
  expect(toCardMarkdown(source)).toBe(wanted)
  expect(countMarks(wanted)).toBe(1)
})

test('what is bold or slanted stays so, whatever stands beside it', () => {
  const piece = fc.constantFrom('中', 'a', '：', '。', '“', '”', '（', '）', '%', '¥', ' ', '😀', '-', '1', '<', '&')
  const words = fc.array(piece, { minLength: 1, maxLength: 4 }).map((all) => all.join(''))
  fc.assert(
    fc.property(words, words, words, fc.constantFrom('**', '*'), (before, inner, after, mark) => {
      const source = `甲${before}${mark}乙${inner}${mark}${after}`
      const read = readBlocks(source)
      fc.pre(JSON.stringify(read).includes('"kind":"strong"') || JSON.stringify(read).includes('"kind":"emphasis"'))
      expect(countMarks(toCardMarkdown(source))).toBe(1)
    }),
    runs(300),
  )
})

test.each([
  ['[read on](https://a.example/x?k=1)', 'read on ([https://a.example/x?k=1](https://a.example/x?k=1))'],
  [
    '[https://bank.example](https://evil.example/x)',
    'https://bank.example ([https://evil.example/x](https://evil.example/x))',
  ],
  ['https://a.example/x_y', '[https://a.example/x&#95;y](https://a.example/x_y)'],
  ['https://b.c/**bold**', '[https://b.c/&#42;&#42;bold](https://b.c/%2A%2Abold)&#42;&#42;'],
  ['**see https://b.c/*x*y**', '**see [https://b.c/&#42;x&#42;y](https://b.c/%2Ax%2Ay)**'],
  [
    'https://b.c/_x_/~~y~~/z',
    '[https://b.c/&#95;x&#95;/&#126;&#126;y&#126;&#126;/z](https://b.c/%5Fx%5F/%7E%7Ey%7E%7E/z)',
  ],
  ['https://b.c/Mark_(sign)', '[https://b.c/Mark&#95;(sign)](https://b.c/Mark%5F%28sign%29)'],
  ['[x](https://b.c*d/e)', 'x (https://b.c&#42;d/e)'],
  ['[x](https://b.c/x|y)', 'x ([https://b.c/x&#124;y](https://b.c/x%7Cy))'],
  ['![a cat](https://a.example/cat.png)', 'a cat ([https://a.example/cat.png](https://a.example/cat.png))'],
  ['[run](javascript:alert)', 'run (javascript:alert)'],
  ['[](https://a.example/)', '[https://a.example/](https://a.example/)'],
])('shows where %j leads', (source, wanted) => {
  expect(toCardMarkdown(source)).toBe(wanted)
})

test.each([
  '<at id=all></at>',
  '<at id=ou_0123456789></at>',
  '`<at id=all></at>`',
  '```\n<at id=all></at>\n```',
  '<at id="all"></at> **<at id=all></at>**',
  '| a |\n|---|\n| <at id=all></at> |',
  '<font color=red>red</font> <text_tag color=red>x</text_tag> <person id=ou_1></person>',
  '![x](img_v3_0123)',
  '[x](<https://a.example/) <at id=all></at>>)',
])('makes no mention, colour or image of %j', (source) => {
  const text = toCardMarkdown(source)
  expect(text).not.toMatch(/<\/?[a-z]/i)
  expect(text).not.toMatch(/!\[/)
})

test('shows four tables, and the others as text in columns', () => {
  const text = toCardMarkdown(Array.from({ length: 6 }, (_, i) => `| a${i} |\n|---|\n| b |`).join('\n\ntext\n\n'))
  expect(text.match(/\| :-- \|/g)).toHaveLength(4)
  expect(text.match(/```\na[45]\n──\nb\n```/g)).toHaveLength(2)
})

test.each(['>'.repeat(5000), '> '.repeat(5000), '- '.repeat(5000), '1. '.repeat(5000)])(
  'leaves %.5s… as it stands, at once',
  (marks) => {
    const begunAtMs = Date.now()
    expect(shown(toCardMarkdown(`${marks}word`))).toContain('word')
    expect(Date.now() - begunAtMs).toBeLessThan(1000)
  },
)

test.each(['\r', '\u2028', ' ', '1', '#'])('escapes many of %j at once', (sign) => {
  const begunAtMs = processorMs()
  escapeCard(`a${sign.repeat(20_000)}b`)
  expect(processorMs() - begunAtMs).toBeLessThan(200)
})

test('a fence inside a code block does not end it', () => {
  const text = toCardMarkdown('````\n```\ninner\n```\n````')
  expect(text.match(/```/g)).toHaveLength(2)
  expect(text).toContain('inner')
})

test('an escaped text is shown as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(shown(escapeCard(text))).toBe(text)
    }),
    runs(300),
  )
})

test('no word is lost, and nothing is ever empty', () => {
  fc.assert(
    fc.property(markdown, (source) => {
      const text = shown(toCardMarkdown(source))
      expect(text.trim()).not.toBe('')
      expect(isSubsequence(wordsOf(source), wordsOf(text))).toBe(true)
    }),
    runs(300),
  )
})

test('the parts of a long text fit, and hold all of it', () => {
  const measure = (part: string): number => toCardMarkdown(part).length
  fc.assert(
    fc.property(fc.array(markdown, { minLength: 3, maxLength: 8 }), (texts) => {
      const source = texts.join('\n\n')
      const parts = splitMarkdown(source, { limit: 400, measure })
      for (const part of parts) expect(measure(part)).toBeLessThanOrEqual(400)
      const all = parts.map((part) => shown(toCardMarkdown(part))).join('\n')
      expect(isSubsequence(wordsOf(source), wordsOf(all))).toBe(true)
    }),
    runs(60),
  )
})

// Facts about Markdown for Feishu's cards: nothing said is lost, no link hides its target, nothing becomes a sign that was none, parts fit.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitMarkdown } from '#adapters/markup/split.ts'
import { escapeCard, toCardMarkdown } from '#adapters/markup/to-card.ts'
import { runs } from '#test/rig/property-runs.ts'
import { isSubsequence, markdown, wordsOf } from './markdown-samples.ts'

/** As a card shows character references. */
const shown = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

test.each([
  ['**bold** and _italic_', '**bold** and *italic*'],
  ['~~gone~~ but 5~10 stays', '~~gone~~ but 5&#126;10 stays'],
  ['`code`', '`code`'],
  ['`` a ` b ``', '`a ˋ b`'],
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

test.each([
  ['[read on](https://a.example/x?k=1)', 'read on ([https://a.example/x?k=1](https://a.example/x?k=1))'],
  [
    '[https://bank.example](https://evil.example/x)',
    'https://bank.example ([https://evil.example/x](https://evil.example/x))',
  ],
  ['https://a.example/x_y', '[https://a.example/x&#95;y](https://a.example/x_y)'],
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

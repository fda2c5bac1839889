// Facts about the beginnings of a growing text: each continues the one before sign by sign, for only then Feishu writes letter by letter.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCardMarkdown } from '#adapters/markup/to-card.ts'
import { toGrowing } from '#adapters/markup/to-growing.ts'
import { runs } from '#test/rig/property-runs.ts'

const answer = `Intro with **bold words**, *slanted ones* and \`code\`; see https://a.example/path?x=1 and [a page](https://b.example/y).

## 标题：**注意：**这里

请看**注意：**这里，结果是**100%**的人。2 * 3 is 6, snake_case_name stays, and 5~10 too.

- item 1 with *some* text
- item 2: \`x\`
  - below it, **strong**
- item 3

1. one

2. two

\`\`\`python
print("line 1")

print("line **2**")
\`\`\`

> quoted *words* of others
> and more

So \\(x_1 = \\{a\\}\\) and $y_1*z_1 = \\{b\\}$, which costs $5 and 17*20=340.

\\[
x = \\frac{a}{b} \\\\
y = c
\\]

| a | b |
|---|---|
| 1 | **2** |
| 3 | 4<br>5 |

The end of it.`

test.each([1, 6, 17, 50])('each beginning continues the one before, %i characters at a time', (step) => {
  let before = ''
  let shown = 0
  for (let end = step; end < answer.length; end += step) {
    const now = toGrowing(answer.slice(0, end))
    if (now === undefined) continue
    expect(now.startsWith(before), `${JSON.stringify(before.slice(-60))} → ${JSON.stringify(now.slice(-60))}`).toBe(
      true,
    )
    if (now !== before) shown += 1
    before = now
  }
  expect(shown).toBeGreaterThan((answer.length / Math.max(step, 20)) * 0.3)
  expect(toCardMarkdown(answer).startsWith(before)).toBe(true)
})

test.each([
  ['one two thr', 'one two'],
  ['这是一句中文', '这是一句中文'],
  ['say **bo', 'say'],
  ['say **bold**', 'say'],
  ['say **bold** and', 'say **bold**'],
  ['```js\nlet a\nlet b', '```js\nlet a'],
  ['```js\nlet a\n```\n\ndone now', '```js\nlet a\n```\n\ndone'],
  ['- one two\n-', '- one two'],
  ['- one\n- [x]', '- one'],
  ['- one\n- [ ] two now', '- one\n☐ two'],
])('of %j is certain %j', (source, wanted) => {
  expect(toGrowing(source)).toBe(wanted)
})

test.each(['', '**bo', '```js\nlet', '| a | b |\n|---|', '-'])('of %j nothing is certain', (source) => {
  expect(toGrowing(source)).toBeUndefined()
})

test('whatever is written, a beginning is readable and bounded', () => {
  const piece = fc.constantFrom(
    '**',
    '*',
    '`',
    '```',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    '| ',
    '|-|\n',
    '[',
    '](',
    ')',
    '中',
    'a ',
    '> ',
    '~~',
    '_',
    '#',
    '\\',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const source = pieces.join('')
      const shown = toGrowing(source)
      if (shown !== undefined) expect(shown.trim()).not.toBe('')
    }),
    runs(500),
  )
})

test('a text of nothing but marks takes no time', () => {
  for (const mark of ['*', '[', '`', '- ', '|', '> ', '_a']) {
    const fromMs = performance.now()
    toGrowing(mark.repeat(14_000 / mark.length))
    expect(performance.now() - fromMs).toBeLessThan(2000)
  }
})

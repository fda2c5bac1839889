// Lines of lists show texts without the marks of Markdown, and leave alone what is none.
import { expect, test } from 'vitest'
import { unmark } from '#adapters/web/unmark.ts'

test.each([
  ['# My **plan** for `Monday`', 'My plan for Monday'],
  ['Here is **bold**, *italic*, ~~struck~~', 'Here is bold, italic, struck'],
  ['> quoted\n## Two', 'quoted\nTwo'],
  ['see [the map](https://example.org/a?b=c)', 'see the map'],
  ['what is 2**3 and 2*3*4?', 'what is 2**3 and 2*3*4?'],
  ['a_b __init__ C# #tag', 'a_b __init__ C# #tag'],
  ['a * b * c', 'a * b * c'],
  ['**粗体**，*斜体*。', '粗体，斜体。'],
  ['请看**粗体**和*斜体*的词', '请看粗体和斜体的词'],
  ['x**2 + y**2 = z**2', 'x**2 + y**2 = z**2'],
  ['src/**/*.ts, COUNT(*) and SUM(*)', 'src/**/*.ts, COUNT(*) and SUM(*)'],
])('%s', (text, plain) => {
  expect(unmark(text)).toBe(plain)
})

test('takes a hostile text in linear time', () => {
  for (const piece of ['**', '*a', '`', '[', '[a](https:', '~~', '# ']) {
    const startedMs = performance.now()
    unmark(piece.repeat(20_000))
    expect(performance.now() - startedMs).toBeLessThan(1500)
  }
})

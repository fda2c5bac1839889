// Facts about Markdown for Discord: nothing said is lost, no link hides its target, nothing becomes a sign that was none, parts fit.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitMarkdown } from '#adapters/markup/split.ts'
import { escapeDiscord, toDiscord } from '#adapters/markup/to-discord.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { runs } from '#test/rig/property-runs.ts'
import { isSubsequence, markdown, wordsOf } from './markdown-samples.ts'

test.each([
  ['**bold** and _italic_', '**bold** and *italic*'],
  ['~~gone~~ but 5~10 stays', String.raw`~~gone~~ but 5\~10 stays`],
  ['`code`', '`code`'],
  ['`` a ` b ``', '`` a ` b ``'],
  ['# Title', '# Title'],
  ['#### Deep', '**Deep**'],
  ['> quoted\n> > deeper', '> quoted\n> deeper'],
  ['```js\nlet a\n```', '```js\nlet a\n```'],
  ['- a\n- b\n  - c', '- a\n- b\n  - c'],
  ['3. x\n4. y', '3. x\n4. y'],
  ['- [x] done\n- [ ] open', '☑ done\n☐ open'],
  ['one  \ntwo\nthree', 'one\ntwo\nthree'],
  ['a\n\n---\n\nb', 'a\n\n———\n\nb'],
  ['| a | 中文 |\n|---|---|\n| 1 | 2 |', '```\na │ 中文\n──┼─────\n1 │ 2\n```'],
  ['||not a spoiler||', String.raw`\|\|not a spoiler\|\|`],
  ['\\# no title\n\\- no item', '\\# no title\n\\- no item'],
  ['1986\\. A great year.', '1986\u200b. A great year.'],
  ['3.14 is pi', '3.14 is pi'],
  ['so:\n192.168.1.1', 'so:\n192.168.1.1'],
  ['2.0.1', '2.0.1'],
  ['12.5%', '12.5%'],
  ['- 3.14 x', '- 3.14 x'],
  ['> 3.14 x', '> 3.14 x'],
  ['3\\.', '3\u200b.'],
  ['-# not small', String.raw`\-# not small`],
  ['<t:1700000000:R> <id:customize> </help:1>', String.raw`\<t:1700000000:R\> id:customize \</help:1\>`],
])('renders %j', (source, wanted) => {
  expect(toDiscord(source)).toBe(wanted)
})

test.each([
  ['[read on](https://a.example/x?k=1)', 'read on (<https://a.example/x?k=1>)'],
  ['[https://bank.example](https://evil.example/x)', String.raw`https://bank.example (<https://evil.example/x>)`],
  ['https://a.example/_x_/*y*/z', '<https://a.example/_x_/*y*/z>'],
  ['"www.a.example/b_c_d"', '"<http://www.a.example/b_c_d>"'],
  ['[https://a.example/b_c_d]', String.raw`\[<https://a.example/b_c_d>\]`],
  ['ask b_c_d@a.example', String.raw`ask b\_c\_d@a.example`],
  ['![a cat](https://a.example/cat.png)', 'a cat (<https://a.example/cat.png>)'],
  ['[run](javascript:alert)', 'run (javascript:alert)'],
  ['[](https://a.example/)', '<https://a.example/>'],
])('shows where %j leads', (source, wanted) => {
  expect(toDiscord(source)).toBe(wanted)
})

test.each(['@everyone', 'hi @here!', '<@123456789012345678>', '<@&123456789012345678>', '<#123456789012345678>'])(
  'makes no mention of %s',
  (source) => {
    const text = toDiscord(source)
    expect(text).not.toMatch(/@(everyone|here)/)
    expect(text).not.toMatch(/(?<!\\)<[@#]/)
  },
)

test('an escaped text begins no list, and keeps its numbers', () => {
  expect(escapeDiscord('3.14\n 1. a\n2) b\n3.\n> c\n- d')).toBe('3.14\n 1\u200b. a\n2\u200b) b\n3\u200b.\n\\> c\n\\- d')
})

test.each(['\r', '\u2028', ' ', '1', '#'])('escapes many of %j at once', (sign) => {
  const begunAtMs = processorMs()
  escapeDiscord(`a${sign.repeat(20_000)}b`)
  expect(processorMs() - begunAtMs).toBeLessThan(200)
})

test.each([
  ['a long rule', '-'.repeat(50), '———'],
  ['a drawn table', `\`\`\`\n+${'-'.repeat(50)}+\n\`\`\``, `\`\`\`\n+${'-'.repeat(50)}+\n\`\`\``],
  ['a line of plus signs', '+'.repeat(50), `\\${'+'.repeat(50)}`],
])('formats what stands beside %s', (_, source, wanted) => {
  expect(toDiscord(`**Here:**\n\n${source}\n\n[docs](https://a.example/x)`)).toBe(
    `**Here:**\n\n${wanted}\n\ndocs (<https://a.example/x>)`,
  )
})

test.each(['>'.repeat(5000), '> '.repeat(5000), '- '.repeat(5000), '1. '.repeat(5000)])(
  'leaves %.5s… as it stands, at once',
  (marks) => {
    const begunAtMs = Date.now()
    expect(toDiscord(`${marks}word`)).toContain('word')
    expect(Date.now() - begunAtMs).toBeLessThan(1000)
  },
)

test('a fence inside a code block does not end it', () => {
  const text = toDiscord('````\n```\ninner\n```\n````')
  expect(text.match(/```/g)).toHaveLength(2)
  expect(text).toContain('inner')
})

test('never says nothing', () => {
  for (const source of ['', ' ', '\n', '#', '> ', '- ', '****', '\u200d', '```\n```']) {
    expect(toDiscord(source).trim()).not.toBe('')
    expect(escapeDiscord('x')).toBe('x')
  }
})

test('property: nothing said is lost, fences are balanced, and nothing hides or pings', () => {
  fc.assert(
    fc.property(markdown, (source) => {
      const text = toDiscord(source)
      expect(isSubsequence(wordsOf(source), wordsOf(text.replaceAll('\u200b', '')))).toBe(true)
      expect((text.match(/```/g) ?? []).length % 2).toBe(0)
      const said = text.replaceAll(/```[\s\S]*?```|`[^`]*`/g, '')
      expect(said).not.toMatch(/@(everyone|here)/)
      expect(said).not.toMatch(/(?<!\\)\]\(/)
      expect(text.isWellFormed()).toBe(true)
    }),
    runs(500),
  )
})

test('property: parts of any text fit and have balanced fences', () => {
  const limit = { limit: 200, measure: (part: string) => toDiscord(part).length }
  fc.assert(
    fc.property(fc.array(markdown, { minLength: 1, maxLength: 12 }), (sources) => {
      for (const part of splitMarkdown(sources.join('\n\n'), limit)) {
        const text = toDiscord(part)
        expect(text.length).toBeLessThanOrEqual(200)
        expect((text.match(/```/g) ?? []).length % 2).toBe(0)
      }
    }),
    runs(150),
  )
})

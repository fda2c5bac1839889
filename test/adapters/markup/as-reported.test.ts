// Texts that other bots were reported to spoil, on every channel: addresses with brackets or in emphasis, ranges, fences, long lines.
import { expect, test } from 'vitest'
import { readBlocks } from '#adapters/markup/read-blocks.ts'
import { splitMarkdown } from '#adapters/markup/split.ts'
import { toDiscord } from '#adapters/markup/to-discord.ts'
import { channels } from './shown.ts'

test.each([
  [
    '[Rust](https://en.wikipedia.org/wiki/Rust_(programming_language)), a language',
    'https://en.wikipedia.org/wiki/Rust_(programming_language)',
  ],
  [
    'see https://en.wikipedia.org/wiki/Rust_(programming_language).',
    'https://en.wikipedia.org/wiki/Rust_(programming_language)',
  ],
  ['(see https://example.com/a_(b)_c)', 'https://example.com/a_(b)_c'],
  ['**Docs:** **https://example.com/x_y**', 'https://example.com/x_y'],
  ['**Read https://example.com/x**\nmore', 'https://example.com/x'],
])('an address stays whole: %s', (source, url) => {
  expect(JSON.stringify(readBlocks(source))).toContain(`"url":"${url}"`)
})

test.each(['大约10~20元，也可能30~40元', '3~5 days, ~7 at most', '在9~10点，或14~15点'])(
  'a range keeps its signs: %s',
  (source) => {
    for (const [channel, show] of channels) {
      const digits = (text: string): string => text.replaceAll(/[^\d~～]/g, '').replaceAll('～', '~')
      expect(digits(show(source)), channel).toBe(digits(source))
    }
  },
)

test.each([
  ['four backticks', '````md\n```js\nx\n```\n````'],
  ['tildes', '~~~md\n```js\nx\n```\n~~~'],
  ['a list with code between', '1. one\n\n   ```js\n   x\n   ```\n\n2. two'],
  ['backticks of the same length', '```markdown\n# t\n```json\nx\n```\n```'],
])('a fence within a fence loses no word: %s', (_, source) => {
  for (const [channel, show] of channels) expect(show(source), channel).toContain('x')
  expect((toDiscord(source).match(/^\s*(?:`{3,}|~{3,})/gm) ?? []).length % 2).toBe(0)
})

test.each([
  'x'.repeat(10_000),
  'let x = 1; '.repeat(900),
  '数'.repeat(9000),
  `${'a'.repeat(5000)}\n${'b'.repeat(5000)}`,
])('a long line of code is cut between signs, and each part is code (%#)', (code) => {
  const parts = splitMarkdown(`\`\`\`ts\n${code}\n\`\`\``, { limit: 2000, measure: (part) => part.length })
  expect(parts.every((part) => part.startsWith('```') && part.trimEnd().endsWith('```'))).toBe(true)
  const inner = parts.map((part) => part.replace(/^```ts\n/, '').replace(/\n```$/, '')).join('')
  expect(inner.replaceAll(/\s/g, '')).toBe(code.replaceAll(/\s/g, ''))
})

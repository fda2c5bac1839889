// Reading Markdown: emphasis beside Chinese punctuation on every channel, links in Chinese sentences, and texts made to take for ever.
import { expect, test } from 'vitest'
import { finishIn } from '#queues/finish-in.ts'
import { parseMarkdown } from '#adapters/markup/markdown.ts'
import { readBlocks } from '#adapters/markup/read-blocks.ts'
import { toDiscord } from '#adapters/markup/to-discord.ts'
import { toEntities } from '#adapters/markup/to-entities.ts'
import { toRich } from '#adapters/markup/to-rich.ts'

const strong = (said: string) => ({ kind: 'strong', phrases: [{ kind: 'text', value: said }] })
const text = (value: string) => ({ kind: 'text', value })

test.each([
  ['**注意：**请看', [strong('注意：'), text('请看')]],
  ['请看**“这里”**的说明', [text('请看'), strong('“这里”'), text('的说明')]],
  ['これは**重要。**です', [text('これは'), strong('重要。'), text('です')]],
  ['한국어**(강조)**는', [text('한국어'), strong('(강조)'), text('는')]],
])('reads the emphasis of %s', (source, phrases) => {
  expect(readBlocks(source)).toEqual([{ kind: 'paragraph', phrases }])
})

test('shows emphasis and strike-through beside Chinese punctuation on every channel', () => {
  const source = '**注意：**请看，~~删除：~~保留'
  expect(toEntities(source)).toEqual({
    text: '注意：请看，删除：保留',
    entities: [
      { type: 'bold', offset: 0, length: 3 },
      { type: 'strikethrough', offset: 6, length: 3 },
    ],
  })
  expect(toDiscord(source)).toBe(source)
  const [paragraph] = toRich(`${source}\n\n| a |\n| - |\n| b |`, 4096) ?? []
  expect(JSON.stringify(paragraph)).toContain('{"type":"bold","text":"注意："}')
  expect(JSON.stringify(paragraph)).toContain('{"type":"strikethrough","text":"删除："}')
})

test('what GFM says of emphasis holds for other scripts', () => {
  for (const source of ['**note:**see', 'snake_case_name', '5~10 and 6~12', '2 * 3 * 4']) {
    expect(readBlocks(source)).toEqual([{ kind: 'paragraph', phrases: [text(source)] }])
  }
})

test.each([
  ['请看https://a.example/x，然后回来', 'https://a.example/x', '，然后回来'],
  ['（见 www.a.example/b）。', 'http://www.a.example/b', '）。'],
  ['https://a.example/中文/路径。', 'https://a.example/中文/路径', '。'],
])('ends a bare link before Chinese punctuation: %s', (source, url, rest) => {
  const [paragraph] = readBlocks(source)
  const phrases = paragraph?.kind === 'paragraph' ? paragraph.phrases : []
  const at = phrases.findIndex(({ kind }) => kind === 'link')
  expect(phrases[at]).toMatchObject({ url, phrases: [{ value: url.replace(/^http:\/\/www/, 'www') }] })
  expect(phrases[at + 1]).toEqual(text(rest))
})

test('a link that is written as one keeps its address', () => {
  const [paragraph] = readBlocks('[https://a.example/，x](https://a.example/，x)')
  expect(paragraph).toMatchObject({ phrases: [{ kind: 'link', url: 'https://a.example/，x' }] })
})

test.each(['a\n-\n', '> a\n\n', '- a\n', '*a_ ', '[a]: b\n', '| a |\n|-|\n', '# a '])(
  'is done with %j repeated to 120,000 characters, as it stands where reading took too long',
  (unit) => {
    const source = unit.repeat(120_000 / unit.length)
    const { children } = parseMarkdown(source)
    expect(children.at(-1)?.position?.end.offset).toBeGreaterThan(source.length - unit.length - 2)
  },
  10_000,
)

test('work that would not end is interrupted, also within a regular expression, and the next runs', () => {
  expect(finishIn(20, () => /^(a+)+$/.test(`${'a'.repeat(60)}b`))).toBeUndefined()
  expect(finishIn(5000, () => finishIn(10_000, () => 'inner'))).toBe('inner')
  expect(() =>
    finishIn(5000, () => {
      throw new RangeError('its own')
    }),
  ).toThrow('its own')
  expect(finishIn(5000, () => [1, 2])).toEqual([1, 2])
})

// Facts about splitting Markdown: every part fits once rendered, borders are kept where they can be, nothing is lost.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Nodes } from 'mdast'
import { parseMarkdown } from '#adapters/markup/markdown.ts'
import { readBlocks } from '#adapters/markup/read-blocks.ts'
import { splitBody } from '#adapters/markup/split-body.ts'
import { splitMarkdown } from '#adapters/markup/split.ts'
import { toDiscord } from '#adapters/markup/to-discord.ts'
import { toEntities } from '#adapters/markup/to-entities.ts'
import { runs } from '#test/rig/property-runs.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { isSubsequence, markdown, wordsOf } from './markdown-samples.ts'

const within = (limit: number) => ({ limit, measure: (part: string) => toEntities(part).text.length })

test('leaves alone what fits', () => {
  expect(splitMarkdown('short **text**', within(20))).toEqual(['short **text**'])
})

test('cuts between blocks where it can', () => {
  const source = ['a'.repeat(30), 'b'.repeat(30), 'c'.repeat(30)].join('\n\n')
  expect(splitMarkdown(source, within(70))).toEqual([`${'a'.repeat(30)}\n\n${'b'.repeat(30)}`, 'c'.repeat(30)])
})

test('cuts a list between its items', () => {
  const items = Array.from({ length: 6 }, (_, i) => `- item ${i} ${'x'.repeat(20)}`)
  for (const part of splitMarkdown(items.join('\n'), within(70))) expect(part).toMatch(/^- item/)
})

test('closes a code fence and opens it again with its language', () => {
  const lines = Array.from({ length: 20 }, (_, i) => `const line${i} = ${i}`)
  const parts = splitMarkdown(`\`\`\`js\n${lines.join('\n')}\n\`\`\``, within(100))
  expect(parts.length).toBeGreaterThan(2)
  for (const part of parts) {
    expect(toEntities(part).entities).toMatchObject([{ type: 'pre', language: 'js', offset: 0 }])
  }
  expect(parts.map((part) => toEntities(part).text).join('\n')).toBe(lines.join('\n'))
})

test('repeats the header of a table', () => {
  const rows = Array.from({ length: 20 }, (_, i) => `| key ${i} | value ${i} |`)
  const parts = splitMarkdown(`| name | what |\n|---|---|\n${rows.join('\n')}`, within(150))
  expect(parts.length).toBeGreaterThan(2)
  for (const part of parts) expect(toEntities(part).text).toMatch(/^name/)
})

test('cuts a long paragraph between words, and Chinese after punctuation', () => {
  for (const part of splitMarkdown('lorem ipsum '.repeat(40), within(100))) expect(part).toMatch(/^lorem .*ipsum$/)
  for (const part of splitMarkdown('这是一句话。'.repeat(40), within(100))) expect(part).toMatch(/。$/)
})

test('does not cut through bold text when there is room beside it', () => {
  const source = `${'word '.repeat(15)}**${'bold '.repeat(5)}end** ${'more '.repeat(15)}`
  for (const part of splitMarkdown(source, within(90))) expect(toEntities(part).text).not.toContain('*')
})

test('never cuts an emoji in two', () => {
  for (const part of splitMarkdown('😀'.repeat(100), within(33))) expect(part.isWellFormed()).toBe(true)
})

test.each([
  ['a paragraph', 'b'.repeat(50)],
  ['a list', ['- one', '- two', '- three'].map((item) => item + ' x'.repeat(7)).join('\n')],
  ['code', `\`\`\`js\n${'let x = 1\n'.repeat(6)}\`\`\``],
  ['a table', `| a | b |\n|---|---|\n${'| one | two |\n'.repeat(3)}`.trimEnd()],
])('a heading goes with %s that it heads', (_, block) => {
  const source = `${'a'.repeat(40)}\n\n## Two\n\nwith *words*\n===\n\n${block}`
  const [first, second = '', ...more] = splitMarkdown(source, within(90))
  expect(first).toBe('a'.repeat(40))
  expect(second).toBe(source.slice(42))
  expect(more).toEqual([])
})

test('a heading that begins a part takes as much along as fits', () => {
  const [first = '', second = ''] = splitMarkdown(`# Plan\n\n## Days\n\n${'word '.repeat(30).trim()}`, within(90))
  expect(first).toMatch(/^# Plan\n\n## Days\n\nword .*word$/)
  expect(second).toMatch(/^word/)
})

const code = Array.from({ length: 14 }, (_, i) => `  const v${i} = ${i} // a comment`)
const fence = ['```ts', ...code, '```']
const table = ['| a | b |', '|---|---|', ...code.map((text, i) => `| ${i} | ${text.trim()} |`)]
const marked = (first: string, others: string, lines: readonly string[]): string =>
  [`${first}${lines[0]}`, ...lines.slice(1).map((text) => others + text)].join('\n')

test.each([
  ['a quote', '> ', '> '],
  ['a list', '- ', '  '],
  ['a numbered list', '10. ', '    '],
  ['a quote in a list', '- > ', '  > '],
  ['a list in a quote', '> - ', '>   '],
])('a fence and a table in %s are cut with its marks', (_, first, others) => {
  for (const [lines, kind] of [
    [fence, 'code'],
    [table, 'table'],
  ] as const) {
    const parts = splitMarkdown(`${marked(first, others, lines)}\n\nAfter **all**.`, within(200))
    expect(parts.length).toBeGreaterThan(2)
    const blocks = parts.map(readBlocks)
    for (const block of blocks) expect(JSON.stringify(block)).toContain(`"kind":"${kind}"`)
    expect(blocks.at(-1)?.at(-1)).toMatchObject({ kind: 'paragraph', phrases: [{}, { kind: 'strong' }, {}] })
    const said = JSON.stringify(blocks)
    for (const text of code) expect(said).toContain(kind === 'code' ? text : text.trim())
    // Nothing but what was written: no marks of the quote, no more indent.
    expect(said).not.toMatch(/\\n>|"> ?"|\\n {3,}const/)
  }
})

test('a line that is cut inside a quoted fence goes on as code', () => {
  const parts = splitMarkdown(`> \`\`\`\n> ${'x'.repeat(500)}\n> \`\`\`\n\nAfter.`, within(200))
  const values = parts.map((part) => JSON.stringify(readBlocks(part)).match(/x+/)?.[0] ?? '')
  expect(values.join('')).toBe('x'.repeat(500))
  for (const part of parts) expect(JSON.stringify(readBlocks(part))).toContain('"kind":"code"')
})

const line = fc.integer({ min: 1, max: 12 }).map((count) => 'word '.repeat(count).trim())
const lines = fc.array(line, { minLength: 1, maxLength: 6 })
const headings = fc.array(
  line.map((text) => text.slice(0, 14)).chain((text) => fc.constantFrom(`## ${text}`, `${text}\n---`)),
  { maxLength: 2 },
)
const body = fc.oneof(
  lines.map((texts) => texts.join('\n')),
  lines.map((texts) => texts.map((text) => `- ${text}`).join('\n')),
  lines.map((texts) => texts.map((text) => `> ${text}`).join('\n')),
)
const section = fc.tuple(headings, body).map(([above, below]) => [...above, below].join('\n\n'))

test('no part but the last ends with a heading, and the parts are the whole text', () => {
  fc.assert(
    fc.property(
      fc.array(section, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 120, max: 200 }),
      (sections, limit) => {
        let count = 0
        const source = sections.join('\n\n').replaceAll('word', () => `w${(count += 1)}`)
        const parts = splitMarkdown(source, within(limit))
        expect(parts.map((part) => part.replaceAll(/[\s>]/g, '')).join('')).toBe(source.replaceAll(/[\s>]/g, ''))
        for (const part of parts.slice(0, -1)) expect(part).not.toMatch(/(?:^|\n)## [^\n]*$|\n---$/)
      },
    ),
    runs(100),
  )
}, 60_000)

test('every part fits, and no word is lost, whatever the marks', () => {
  fc.assert(
    fc.property(
      fc.array(markdown, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 40, max: 200 }),
      (sources, limit) => {
        const source = sources.join('\n')
        const parts = splitMarkdown(source, within(limit))
        const texts = parts.map((part) => toEntities(part).text)
        expect(texts.every((text) => text.length <= limit)).toBe(true)
        expect(isSubsequence(wordsOf(source).replaceAll(/\D/g, ''), texts.join('\n'))).toBe(true)
      },
    ),
    runs(500),
  )
}, 60_000)

test('what is far too long is cut a few parts at a time, and comes out whole', async () => {
  const text = Array.from({ length: 8000 }, (_, i) => `Line ${i} of a very long record.`).join('\n\n')
  let rest = toBody(text, { answers: ['a'] })
  const sent: string[] = []
  for (;;) {
    let read = 0
    const parts = await splitBody(rest, { limit: 2000, measure: (part) => ((read += part.length), part.length) })
    expect(parts.length).toBeLessThanOrEqual(9)
    // Each part is read a few times, the rest not at all.
    expect(read).toBeLessThan(9 * 2000 * 3)
    const texts = parts.flatMap((part) => (part.kind === 'send' ? [part.text] : []))
    if (texts.length < 2) break
    sent.push(...texts.slice(0, -1))
    rest = { ...rest, text: texts.at(-1) ?? '' }
  }
  expect([...sent, rest.text].join('\n\n')).toBe(text)
})

test('what takes long to cut is cut one part at a time, and comes out the same', async () => {
  const text = Array.from({ length: 900 }, (_, i) => `Line ${i} of a record.`).join('\n\n')
  const limit = { limit: 2000, measure: (part: string) => part.length }
  let rest = toBody(text, { answers: ['a'] })
  let nowMs = 0
  const sent: string[] = []
  for (;;) {
    const split = await splitBody(rest, limit, () => (nowMs += 1000))
    const parts = split.flatMap((part) => (part.kind === 'send' ? [part] : []))
    if (parts.length < 2) break
    expect(parts).toHaveLength(2)
    sent.push(parts[0]?.text ?? '')
    rest = { ...rest, text: parts[1]?.text ?? '' }
  }
  expect([...sent, rest.text]).toEqual(splitMarkdown(text, limit))
})

test.each(['<!--', '*', '[a][b', '\u0001*', 'word_ '])(
  'to cut a text of %j, which grows, few parts are measured',
  (unit) => {
    let looks = 0
    const measure = (part: string): number => (looks++, toDiscord(part).length)
    const parts = splitMarkdown(unit.repeat(10_000).slice(0, 10_000), { limit: 2000, measure })
    expect(looks / parts.length).toBeLessThan(4)
  },
)

test.each(['a\n---\n', '- a\n', '-\n', '> a\n\n', '# a\n', '1. a\n', '***\n', '- - a\n', '[a](b) ', '\n\na'])(
  'thousands of %j are read as text, since each block costs',
  (unit) => {
    const count = (node: Nodes): number =>
      'children' in node ? node.children.reduce((sum, child) => sum + count(child), 1) : 1
    expect(count(parseMarkdown(unit.repeat(3000).slice(0, 8192)))).toBeLessThan(1000)
    const few = count(parseMarkdown(unit.repeat(20)))
    if (unit.trim() !== '-') expect(few).toBeGreaterThan(15)
  },
)

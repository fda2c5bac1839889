// Pages of files and of their list: each is short enough for a prompt, says how to read on, and together they are the whole.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listPage } from '#services/tasks/files/list-page.ts'
import { readPage } from '#services/tasks/files/read-page.ts'
import { runs } from '#test/rig/property-runs.ts'
import { treeOf } from './trees.ts'

const mostChars = 3900

test('a page has the lines that are asked for, with their numbers', () => {
  const text = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`).join('\n')
  expect(readPage('a.md', text, { offset: 3, limit: 2 })).toBe(
    '["a.md", lines 3 to 4 of 12; offset 5 goes on]\n3\tline 3\n4\tline 4',
  )
  expect(readPage('a.md', text, { offset: 12 })).toBe('["a.md", lines 12 to 12 of 12]\n12\tline 12')
  expect(readPage('a.md', text, { offset: 13 })).toBe('"a.md" has 12 lines.')
  expect(readPage('a.md', '', {})).toBe('"a.md" is empty.')
  expect(readPage('a.md', '\n', {})).toBe('["a.md", lines 1 to 1 of 1]\n1\t')
  expect(readPage('a.md', '\ufeffa\r\nb\r\n', {})).toBe('["a.md", lines 1 to 2 of 2]\n1\ta\n2\tb')
  expect(readPage('a.md', 'abcdef', { column: 4 })).toBe('["a.md", lines 1 to 1 of 1]\n1\tdef')
})

/** Reads as the model would, page by page, until nothing goes on. */
function readAll(text: string): string {
  const lines: string[] = []
  let place = { offset: 1, column: 1 }
  for (let pages = 0; pages < 1000; pages++) {
    const page = readPage('a.md', text, place)
    expect(page.length).toBeLessThan(mostChars)
    const [head = '', ...shown] = page.split('\n')
    for (const [at, line] of shown.entries()) {
      const [number = '', ...said] = line.split('\t')
      const isSame = at === 0 && place.column > 1
      lines[Number(number) - 1] = (isSame ? (lines[Number(number) - 1] ?? '') : '') + said.join('\t')
    }
    const [, offset, column = '1'] = /offset (\d+)(?:, column (\d+))?/.exec(head) ?? []
    if (offset === undefined) return lines.join('\n')
    place = { offset: Number(offset), column: Number(column) }
  }
  throw new Error('It does not end.')
}

test('all pages together are the whole text', () => {
  const line = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b ', '长', '🎉', '\t'), maxLength: 80 }),
    fc.integer({ min: 1, max: 4000 }).map((count) => '🎉长'.repeat(count)),
  )
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 60 }), (lines) => {
      const text = lines.join('\n')
      fc.pre(text !== '' && !text.endsWith('\n'))
      expect(readAll(text) === text).toBe(true)
    }),
    runs(200),
  )
  const long = 'x'.repeat(262_144)
  expect(readAll(long) === long).toBe(true)
  const halves = '🎉'.repeat(60_000)
  expect(readAll(`a${halves}`) === `a${halves}`).toBe(true)
})

test('a list of 200 files is shown in pages, each file once', () => {
  const names = Array.from({ length: 200 }, (_, at) => `notes/${1000 + at}-${'长'.repeat(50)}.md`)
  const tree = treeOf(Object.fromEntries(names.map((name) => [name, 'text'])))
  const found: string[] = []
  let offset: number | undefined = 1
  while (offset !== undefined) {
    const page = listPage(tree, offset)
    expect(page.length).toBeLessThan(mostChars)
    found.push(...page.split('\n').slice(1))
    const [, next] = /offset (\d+) goes on/.exec(page) ?? []
    offset = next === undefined ? undefined : Number(next)
  }
  expect(found).toEqual(names.map((name) => `${name} (4 bytes)`))
  expect(listPage(tree, 201)).toBe('There are 200 files.')
})

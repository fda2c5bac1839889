// Files are written, edited and taken out: what is refused says why, and nothing has changed; line ends and a byte order mark stay.
import fc from 'fast-check'
import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { editFile, editText } from '#services/tasks/files/edit-file.ts'
import {
  contentName,
  contentOf,
  emptyTree,
  findFile,
  mostFileBytes,
  readTree,
  toTreeText,
  totalBytes,
  type Tree,
} from '#services/tasks/files/tree.ts'
import { removeFile, writeFile } from '#services/tasks/files/write-file.ts'
import { runs } from '#test/rig/property-runs.ts'
import { done, expectRefused, treeOf, whyOf } from './trees.ts'

const edit = (text: string, old: string, more: string, all?: boolean): string => {
  const edited = editText(text, { path: 'a.md', old, new: more, all })
  return edited.kind === 'done' ? edited.content.text : edited.why
}

test.each(['../a', '/a', 'a\0', 'a'.repeat(4000), 'pаypal', 'A.md', 'a.md/b'])(
  'a bad name writes nothing: %j',
  (path) => {
    const tree = treeOf({ 'a.md': 'text' })
    for (const change of [
      (from: Tree) => writeFile(from, { path, text: 'x' }),
      (from: Tree) => editFile(from, 'text', { path, old: 't', new: 'x', all: true }),
      (from: Tree) => removeFile(from, path),
    ])
      expectRefused(tree, change, 'is refused: ')
  },
)

test('a file of 256 KB is written, and a byte more is refused by name', () => {
  const whole = 'a'.repeat(mostFileBytes)
  expect(totalBytes(done(writeFile(emptyTree, { path: 'a.md', text: whole })).tree)).toBe(mostFileBytes)
  expectRefused(
    emptyTree,
    (tree) => writeFile(tree, { path: 'long.md', text: `${whole}a` }),
    'The file "long.md" is not written: it would have 262145 bytes, and may have 262144.',
  )
  expectRefused(emptyTree, (tree) => writeFile(tree, { path: 'long.md', text: '长'.repeat(90_000) }), '270000 bytes')
})

test('the 201st file is refused, and writing over one of the 200 is not', () => {
  const names = Array.from({ length: 200 }, (_, at) => `${at}.md`)
  const tree = treeOf(Object.fromEntries(names.map((name) => [name, name])))
  expectRefused(tree, (from) => writeFile(from, { path: 'one more.md', text: '' }), 'there are 200 files already')
  expect(done(writeFile(tree, { path: '7.md', text: 'anew' })).tree).toHaveLength(200)
  const { tree: less } = done(removeFile(tree, '7.md'))
  expect(done(writeFile(less, { path: 'one more.md', text: '' })).tree).toHaveLength(200)
})

test('1 GB in pieces ends at 4 MB, and the file that is written over does not count', () => {
  const piece = 'x'.repeat(mostFileBytes)
  let tree = emptyTree
  let refused = 0
  for (let at = 0; at < 4096; at++) {
    const changed = writeFile(tree, { path: `${at}.md`, text: piece })
    if (changed.kind === 'done') tree = changed.tree
    else {
      refused += 1
      expect(changed.why).toContain(`all files together would have ${17 * mostFileBytes} bytes, and may have 4194304`)
    }
  }
  expect([tree.length, refused]).toEqual([16, 4080])
  expect(done(writeFile(tree, { path: '3.md', text: piece })).tree).toEqual(tree)
}, 30_000)

test('what is not there is neither edited nor taken out', () => {
  const tree = treeOf({ 'a.md': 'text' })
  for (const change of [
    (from: Tree) => editFile(from, 'text', { path: 'b.md', old: 't', new: 'x' }),
    (from: Tree) => removeFile(from, 'b.md'),
  ])
    expectRefused(tree, change, 'There is no file "b.md". file_list shows those that are there.')
})

test('words are replaced where they are once, and everywhere where that is asked for', () => {
  expect(edit('one two three', 'two', '2')).toBe('one 2 three')
  expect(edit('a b a', 'a', '$&')).toContain('"old" is in it 2 times. Give more of the words around it')
  expect(edit('a b a', 'a', '$&', true)).toBe('$& b $&')
  expect(edit('aaaa', 'aa', 'b', true)).toBe('bb')
  expect(edit('one', 'two', 'x')).toContain('"old" is not in it. Read it with file_read')
  expect(edit('one', '', 'x')).toContain('"old" is empty')
  expect(edit('one', 'one', 'one')).toContain('"old" and "new" are the same')
  expect(edit('one', 'one', '')).toBe('')
  expect(edit('', 'one', '')).toContain('is not in it')
  expect(edit('a\ufffdb', '\ud800', 'x')).toBe('axb')
})

test.each([
  ['CRLF', 'one\r\ntwo\r\nthree\r\n', 'one\ntwo', 'a\nb\nc', 'a\r\nb\r\nc\r\nthree\r\n'],
  ['CRLF, written so', 'one\r\ntwo\r\n', 'one\r\ntwo', 'a\r\nb', 'a\r\nb\r\n'],
  ['LF', 'one\ntwo\n', 'one\r\ntwo', 'a\r\nb', 'a\nb\n'],
  ['both', 'one\r\ntwo\nthree', 'two\nthree', 'a\r\nb', 'one\r\na\r\nb'],
  ['none', 'one', 'one', 'a\r\nb', 'a\r\nb'],
  ['a byte order mark', '\ufeffone\r\ntwo', 'one\n', 'a\n', '\ufeffa\r\ntwo'],
  ['a byte order mark, written too', '\ufeffone', '\ufeffone', '\ufefftwo', '\ufefftwo'],
])('line ends and marks of the file stay: %s', (_, text, old, more, wanted) => {
  expect(edit(text, old, more)).toBe(wanted)
})

test('an edit beyond the bound is refused before it is made', () => {
  const text = 'ab'.repeat(100_000)
  const beganAt = performance.now()
  expect(edit(text, 'a', 'x'.repeat(200_000), true)).toContain('more than 262144 bytes')
  expect(performance.now() - beganAt).toBeLessThan(500)
  const tree = treeOf({ 'a.md': 'a' })
  expectRefused(
    tree,
    (from) => editFile(from, 'a', { path: 'a.md', old: 'a', new: '长'.repeat(100_000) }),
    '300000 bytes',
  )
})

test('words that fit nearly everywhere take no longer than others', () => {
  const text = 'a'.repeat(262_000)
  const beganAt = performance.now()
  expect(edit(text, `${'a'.repeat(130_000)}b`, 'x')).toContain('not in it')
  expect(edit(text, `b${'a'.repeat(130_000)}`, 'x')).toContain('not in it')
  expect(edit(text, `${'a'.repeat(65_000)}b${'a'.repeat(65_000)}`, 'x')).toContain('not in it')
  expect(performance.now() - beganAt).toBeLessThan(1000)
})

/** What somebody would do without trees. */
type Step =
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'edit'; readonly path: string; readonly old: string; readonly more: string; readonly all: boolean }
  | { readonly do: 'remove'; readonly path: string }
const paths = fc.constantFrom('a.md', 'A.md', 'b', 'b/c.md', 'b/d.md', '计划.md', '../a', 'cafe\u0301', 'caf\u00e9')
const words = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '长', '\ud83d\ude00'), maxLength: 8 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path: paths, text: words }),
  fc.record({ do: fc.constant('edit' as const), path: paths, old: words, more: words, all: fc.boolean() }),
  fc.record({ do: fc.constant('remove' as const), path: paths }),
)

/** The same by a Map, for the paths above. */
function doNaively(files: Map<string, string>, one: Step): void {
  const path = one.path.normalize('NFC')
  const isFree = [...files.keys()].every(
    (there) =>
      there === path ||
      !(there.toLowerCase() === path.toLowerCase() || there.startsWith(`${path}/`) || path.startsWith(`${there}/`)),
  )
  if (path.startsWith('..') || !isFree) return
  const text = files.get(path)
  if (one.do === 'write') files.set(path, one.text)
  else if (one.do === 'remove') files.delete(path)
  else if (text !== undefined) files.set(path, editNaively(text, one))
}

function editNaively(text: string, { old, more, all }: Extract<Step, { do: 'edit' }>): string {
  const lone = text.replaceAll('\r\n', '').includes('\n')
  const both = text.includes('\r\n')
  const toEnds = (said: string): string =>
    lone === both ? said : said.replaceAll('\r\n', '\n').replaceAll('\n', both ? '\r\n' : '\n')
  const [from, to] = [toEnds(old), toEnds(more)]
  const parts = from === '' || from === to ? [text] : text.split(from)
  return parts.length === 2 || (parts.length > 2 && all) ? parts.join(to) : text
}

function take(tree: Tree, texts: Map<string, string>, one: Step): Tree {
  const there = findFile(tree, one.path.normalize('NFC'))
  const now = there ? (texts.get(contentOf(there)) ?? 'lost') : ''
  const changed =
    one.do === 'write'
      ? writeFile(tree, one)
      : one.do === 'remove'
        ? removeFile(tree, one.path)
        : editFile(tree, now, { path: one.path, old: one.old, new: one.more, all: one.all })
  if (changed.kind === 'refused') {
    expect(whyOf(changed)).toMatch(/\.$/)
    return tree
  }
  if (changed.content) texts.set(changed.content.name, changed.content.text)
  return changed.tree
}

test('2,000 rows of writes, edits and removals end as they would without trees', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const texts = new Map<string, string>()
      const files = new Map<string, string>()
      let tree = emptyTree
      for (const one of steps) {
        tree = take(tree, texts, one)
        doNaively(files, one)
        expect(readTree(toTreeText(tree))).toEqual(tree)
      }
      expect(new Map(tree.map((file) => [file.path, texts.get(contentOf(file))]))).toEqual(files)
      for (const [path, text] of files) expect(findFile(tree, path)).toMatchObject({ bytes: Buffer.byteLength(text) })
      for (const [name, text] of texts) expect(contentName(text)).toBe(name)
    }),
    runs(2000),
  )
}, 60_000)

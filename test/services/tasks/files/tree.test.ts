// A tree and its text: the same tree has the same name, what was written is read again, and nothing else is read.
import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BotError } from '#shared/errors.ts'
import { artifactName, mostArtifactBytes } from '#shared/run/artifact.ts'
import {
  contentName,
  contentOf,
  emptyTree,
  readTree,
  toContent,
  toTreeText,
  treeName,
} from '#services/tasks/files/tree.ts'
import { runs } from '#test/rig/property-runs.ts'
import { done, treeOf } from './trees.ts'
import { removeFile, writeFile } from '#services/tasks/files/write-file.ts'

const codeOf = (text: string): string => {
  try {
    readTree(text)
    return 'read'
  } catch (error) {
    return error instanceof BotError ? error.code : String(error)
  }
}
const line = (path: string, bytes = '1', digits = 'a'.repeat(64)): string => `${digits} ${bytes} ${path}\n`

test('a tree is named by its text, whatever the order in which it was written', () => {
  const one = treeOf({ 'b.md': 'two', 'a.md': 'one', '计划.md': '三' })
  const other = treeOf({ '计划.md': '三', 'a.md': 'one', 'b.md': 'two' })
  expect(treeName(one)).toBe(treeName(other))
  expect(treeName(one)).toBe(`tree-${hash('sha256', toTreeText(one))}`)
  expect(toTreeText(one)).toBe(
    `tree 1\n${[
      ['a.md', 'one'],
      ['b.md', 'two'],
      ['计划.md', '三'],
    ]
      .map(([path, text = '']) => line(path ?? '', `${Buffer.byteLength(text)}`, hash('sha256', text)))
      .join('')}`,
  )
  expect(treeName(done(writeFile(one, { path: 'a.md', text: 'more' })).tree)).not.toBe(treeName(one))
})

test('names of trees and texts are names of artifacts, and the longest tree is an artifact', () => {
  const letters = '计划'.repeat(40)
  let tree = emptyTree
  for (let nth = 100; nth < 300; nth++)
    tree = done(writeFile(tree, { path: `${letters}/${letters}/${nth}${'长'.repeat(35)}`, text: '' })).tree
  expect(Buffer.byteLength(toTreeText(tree))).toBeLessThan(mostArtifactBytes)
  expect(readTree(toTreeText(tree))).toEqual(tree)
  expect(artifactName.safeParse(treeName(tree)).success).toBe(true)
  expect(artifactName.safeParse(contentName('a')).success).toBe(true)
})

test('the same text twice is one artifact, and half of a character is mended before it is named', () => {
  const tree = treeOf({ 'a.md': 'same', 'b.md': 'same' })
  expect(new Set(tree.map(contentOf))).toEqual(new Set([contentName('same')]))
  const half = toContent('a\ud800b')
  expect(half).toEqual({ name: contentName('a\ufffdb'), text: 'a\ufffdb', bytes: 5 })
  expect(contentName('a\ud800b')).toBe(half.name)
})

test('an empty tree and an empty file are read again', () => {
  expect(readTree(toTreeText(emptyTree))).toEqual([])
  const tree = treeOf({ 'a.md': '' })
  expect(readTree(toTreeText(tree))).toEqual(tree)
  expect(treeName(done(removeFile(tree, 'a.md')).tree)).toBe(treeName(emptyTree))
})

test.each([
  ['nothing', ''],
  ['no first line', line('a')],
  ['a first line of another shape', `tree x\n${line('a')}`],
  ['a line that is cut', `tree 1\n${line('a').slice(0, -1)}`],
  ['a hash that is none', `tree 1\n${line('a', '1', 'A'.repeat(64))}`],
  ['a length that is none', `tree 1\n${line('a', '01')}`],
  ['a file that is too long', `tree 1\n${line('a', '262145')}`],
  ['a path that leads out', `tree 1\n${line('../a')}`],
  ['a path that is not in its form', `tree 1\n${line('cafe\u0301')}`],
  ['two lines of one path', `tree 1\n${line('a')}${line('a')}`],
  ['paths that differ by case', `tree 1\n${line('A')}${line('a')}`],
  ['a file that is a folder', `tree 1\n${line('a')}${line('a/b')}`],
  ['lines in another order', `tree 1\n${line('b')}${line('a')}`],
  ['an empty line', `tree 1\n\n${line('a')}`],
  ['201 files', `tree 1\n${Array.from({ length: 201 }, (_, at) => line(`a${1000 + at}`)).join('')}`],
  [
    '17 files that are too long together',
    `tree 1\n${Array.from({ length: 17 }, (_, at) => line(`a${100 + at}`, '262144')).join('')}`,
  ],
  ['a text without an end', `tree 1\n${'a'.repeat(300_000)}`],
])('%s is no tree', (_, text) => {
  expect(codeOf(text)).toBe('store-corrupt')
})

test('what a newer release wrote is left to it', () => {
  expect(codeOf(`tree 2\n${line('a')}`)).toBe('store-newer')
})

test('whatever is read as a tree is written as it was', () => {
  const part = fc.oneof(
    fc.constantFrom('tree 1\n', line('a'), line('b'), line('a/b'), line('计划'), 'x', '\n', ' '),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const text = parts.join('')
      if (codeOf(text) === 'read') expect(toTreeText(readTree(text))).toBe(text)
      else expect(codeOf(text)).toMatch(/^store-(corrupt|newer)$/)
    }),
    runs(1000),
  )
})

// Other programs read what the workspace gives away: archives of files, and differences between texts. Needs Python, unzip and patch.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { diffText } from '#services/tasks/files/diff.ts'
import { toZip } from '#services/tasks/files/zip.ts'
import { runs } from '#test/rig/property-runs.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const files = [
  { path: 'notes/plan.md', text: 'one two three\n'.repeat(1000) },
  { path: 'a.md', text: 'short' },
  { path: 'empty.md', text: '' },
  { path: '文档/第一章 🎉.md', text: '温室建于一八七三年。\r\n' },
]

function store(name: string, bytes: Uint8Array | string): string {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
}

test('Python reads every file of an archive as it was', () => {
  const script =
    'import sys, json, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(json.dumps({i.filename: [z.read(i).decode(), list(i.date_time), i.external_attr >> 16] for i in z.infolist()}))'
  const read = (of: typeof files): unknown =>
    JSON.parse(execFileSync('python3', ['-c', script, store('python.zip', toZip(of))], { encoding: 'utf8' }))
  expect(read(files)).toEqual(
    Object.fromEntries(files.map((one) => [one.path, [one.text, [1980, 1, 1, 0, 0, 0], 0o100644]])),
  )
  expect(read([])).toEqual({})
})

test('unzip takes it, and what it unpacks is what was packed', () => {
  const to = path.join(folder, 'unpacked')
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  execFileSync('unzip', ['-q', store('unzip.zip', toZip(files)), '-d', to], { env })
  for (const one of files) expect(readFileSync(path.join(to, one.path), 'utf8')).toBe(one.text)
})

test('patch makes the one text of the other by their diff', () => {
  const lines = fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'long\r\n', '长\n'), { maxLength: 40 })
    .map((all) => all.join(''))
  fc.assert(
    fc.property(lines, lines, fc.boolean(), (one, other, isOpen) => {
      const [before, after] = isOpen ? [`${one}end`, `${other}end of it`] : [one, other]
      const { text } = diffText(before, after)
      // The program takes an empty text for a file that is gone.
      if (text === '' || after === '') return
      const file = store('a.txt', before)
      execFileSync('patch', ['--binary', '--quiet', '--fuzz=0', file], { input: `--- a.txt\n+++ a.txt\n${text}` })
      expect(readFileSync(file, 'utf8')).toBe(after)
    }),
    runs(300),
  )
})

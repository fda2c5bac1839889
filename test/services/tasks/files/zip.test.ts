// Files as a zip archive: other programs read it, whatever the names, and the same files give the same bytes.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { afterAll, expect, test } from 'vitest'
import { toZip } from '#services/tasks/files/zip.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'zip-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const files = [
  { path: 'notes/plan.md', text: 'one two three\n'.repeat(1000) },
  { path: 'a.md', text: 'short' },
  { path: 'empty.md', text: '' },
  { path: '文档/第一章 🎉.md', text: '温室建于一八七三年。\r\n' },
]

function store(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
}

test('Python reads every file of it as it was', () => {
  const file = store('python.zip', toZip(files))
  const script =
    'import sys, json, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(json.dumps({i.filename: [z.read(i).decode(), list(i.date_time), i.external_attr >> 16] for i in z.infolist()}))'
  const read: unknown = JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }))
  expect(read).toEqual(Object.fromEntries(files.map((one) => [one.path, [one.text, [1980, 1, 1, 0, 0, 0], 0o100644]])))
})

test('unzip takes it, and what it unpacks is what was packed', () => {
  const file = store('unzip.zip', toZip(files))
  const to = path.join(folder, 'unpacked')
  execFileSync('unzip', ['-q', file, '-d', to], { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  for (const one of files) expect(readFileSync(path.join(to, one.path), 'utf8')).toBe(one.text)
})

test('the same files in another order give the same bytes, and other files others', () => {
  expect(toZip(files.toReversed())).toEqual(toZip(files))
  expect(toZip(files.slice(1))).not.toEqual(toZip(files))
})

test('an archive of nothing is one', () => {
  const script = 'import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))'
  const said = execFileSync('python3', ['-c', script, store('nothing.zip', toZip([]))], { encoding: 'utf8' })
  expect(said.trim()).toBe('0')
})

test('a whole workspace of 4 MB is packed while nobody waits, and takes less room than it had', () => {
  const words = Array.from({ length: 26_000 }, (_, at) => `word${(at * 7919) % 5000}`)
    .join(' ')
    .slice(0, 262_144)
  const all = Array.from({ length: 16 }, (_, at) => ({ path: `${at}.md`, text: `${at} ${words}` }))
  const beganAt = performance.now()
  const bytes = toZip(all)
  expect(performance.now() - beganAt).toBeLessThan(1000)
  expect(bytes.byteLength).toBeLessThan(2_000_000)
})

// The file of the SQLite index: several processes use it at once, and one that is missing or broken is made anew.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteEngine, type SqliteEngine } from '#infra/search/sqlite-engine.ts'
import { createMemoryIndex } from '#services/memory/search/memory-search.ts'
import { ann, entry, find, talk } from '#test/contracts/memory-search-world.ts'

let folder: string
let file: string
let told: string[]
let engines: SqliteEngine[]
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'flotilla-sqlite-'))
  file = path.join(folder, 'deep', 'index.sqlite')
  told = []
  engines = []
})
afterEach(() => {
  for (const engine of engines) engine.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(patienceMs?: number) {
  const engine = openSqliteEngine({
    path: file,
    onNew: (reason) => told.push(reason),
    ...(patienceMs !== undefined && { patienceMs }),
  })
  engines.push(engine)
  return createMemoryIndex(engine)
}
function closeAll(): void {
  for (const engine of engines.splice(0)) engine.close()
}

test('makes the file and its folder, says so once, and finds everything after a restart', async () => {
  await open().put([entry('I live in Lyon.')])
  expect(told).toEqual([
    expect.stringMatching(/is not there yet\. It is made anew, empty; the reflection process fills it/),
  ])
  closeAll()
  expect(await find(open(), 'Lyon')).toEqual(['I live in Lyon.'])
  expect(told).toHaveLength(1)
})

test.each([
  ['text', () => Buffer.from('This is no database, but it is long enough to be taken for one. '.repeat(100))],
  ['the first half of a database', () => readFileSync(file).subarray(0, 6000)],
  ['a database whose middle is written over', () => Buffer.from(readFileSync(file)).fill(0xa7, 5000, 90_000)],
])('makes a file anew that holds %s', async (_, toBytes) => {
  const first = open()
  await first.put(talk(ann, 400))
  closeAll()
  writeFileSync(file, toBytes())
  const index = open()
  expect(await find(index, 'Who painted the garden in Lyon?')).toEqual([])
  expect(told.at(-1)).toMatch(/is broken \(.+\)\. It is made anew, empty/)
  await index.put([entry('I live in Lyon.')])
  expect(await find(index, 'Lyon')).toEqual(['I live in Lyon.'])
})

test('goes on with a new file where somebody takes the old one away', async () => {
  const [index, other] = [open(), open()]
  await index.put([entry('I live in Lyon.')])
  rmSync(path.dirname(file), { recursive: true })
  expect(await find(other, 'Lyon')).toEqual([])
  await index.put([entry('I live in Oslo.')])
  expect(await find(other, 'live')).toEqual(['I live in Oslo.'])
  expect(told).toHaveLength(2)
})

test('leaves the file of a newer release alone, and one of something else', () => {
  open()
  closeAll()
  const database = new DatabaseSync(file)
  database.exec('PRAGMA user_version = 99')
  database.close()
  expect(() => open()).toThrow(expect.objectContaining({ code: 'store-newer' }))
  rmSync(file)
  const other = new DatabaseSync(file)
  other.exec('CREATE TABLE cats (name TEXT)')
  other.close()
  expect(() => open()).toThrow(expect.objectContaining({ code: 'config' }))
  expect(existsSync(file)).toBe(true)
})

test('says which file it cannot use', () => {
  writeFileSync(path.join(folder, 'deep'), 'a file where the folder should be')
  expect(() => open()).toThrow(
    expect.objectContaining({ code: 'store-unavailable', message: expect.stringContaining(file) }),
  )
})

test('waits for a writer without holding the loop, and gives up in the end', async () => {
  const [index, hasty] = [open(), open(100)]
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  await expect(hasty.put([entry('I live in Oslo.')])).rejects.toMatchObject({
    code: 'store-unavailable',
    retry: { afterMs: 1000 },
  })
  expect(await find(hasty, 'Lyon')).toEqual([])
  const writing = index.put([entry('I live in Lyon.')])
  let turns = 0
  for (; turns < 5; turns++) await new Promise((resolve) => setTimeout(resolve, 1))
  other.exec('COMMIT')
  other.close()
  await writing
  expect(turns).toBe(5)
  expect(await find(hasty, 'Lyon')).toEqual(['I live in Lyon.'])
})

test('opens what is there while another process stands still in the middle of its writing', async () => {
  await open().put([entry('I live in Lyon.')])
  const frozen = new DatabaseSync(file)
  frozen.exec('BEGIN IMMEDIATE')
  const begunMs = performance.now()
  expect(await find(open(), 'Lyon')).toEqual(['I live in Lyon.'])
  expect(performance.now() - begunMs).toBeLessThan(2000)
  frozen.close()
})

test('ends a drop only when readers of the old text are gone', async () => {
  const index = open()
  const [secret] = [entry('My locker says quetzalcoatlus.')]
  await index.put([secret])
  const reader = new DatabaseSync(file)
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM entries').get()
  let isDone = false
  const dropping = index.drop([secret]).then(() => (isDone = true))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isDone).toBe(false)
  reader.exec('COMMIT')
  reader.close()
  await dropping
  expect(statSync(`${file}-wal`).size).toBe(0)
  expect(readFileSync(file).includes('quetzal')).toBe(false)
})

test('loses nothing of what several processes write at once, while this one reads', { timeout: 60_000 }, async () => {
  const names = ['ann', 'bob', 'cleo']
  const writers = names.map((name) =>
    spawn(process.execPath, ['test/rig/writing-process.ts', file, name, '60'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  const ended = Promise.all(writers.map(async (writer) => await once(writer, 'exit')))
  const index = open(30_000)
  while (writers.some(({ exitCode }) => exitCode === null)) {
    await find(index, 'who wrote number7', { scopes: ['global'] })
    await nextTurn()
  }
  expect((await ended).map(([code]) => Number(code))).toEqual([0, 0, 0])
  for (const name of names)
    expect((await find(index, `${name} number59`, { scopes: ['global'], limit: 1 }))[0]).toBe(`${name} wrote number59`)
  expect(await find(index, 'wrote', { scopes: ['global'], limit: 1000 })).toHaveLength(180)
})

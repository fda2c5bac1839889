// Memory search by meaning, over every engine: other words and the other language are found, for the same people; equal texts cost one call; what is
// forgotten leaves no vector behind.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteEngine } from '#infra/search/sqlite-engine.ts'
import { toBytes } from '#infra/search/vector-bytes.ts'
import { createMeaning } from '#services/memory/search/meaning.ts'
import { createMemoryIndex } from '#services/memory/search/memory-search.ts'
import { createNearIndex } from '#services/memory/search/near.ts'
import { createTwinEmbedder } from '#test/twins/memory-search.ts'
import { toVector } from '#test/simulators/model/embeddings.ts'
import {
  ann,
  bob,
  entry,
  find,
  openMeiliNear,
  openSqliteNear,
  openWholeNear,
  talk,
  type IndexWorld,
} from './memory-search-world.ts'

let world: IndexWorld
const { signal } = new AbortController()
const asked = (): readonly string[] => world.near?.embedder.asked ?? []
const findNear = async (text: string, scopes = [ann]) => {
  const near = await world.near?.findNear({ scopes, text }, signal)
  return near?.found.map((one) => [one.entry.text, one.score]) ?? []
}

describe.each([
  ['in memory', openWholeNear],
  ['SQLite', openSqliteNear],
  ['Meilisearch', openMeiliNear],
])('search by meaning, %s', (name, open) => {
  beforeEach(async () => {
    world = await open()
  })
  afterEach(() => world.close())

  test('finds what is said in other words and in the other language, and nothing where nothing is near', async () => {
    await world.index.put([entry('Ann lives in Lyon.'), entry('我的狗叫旺财。'), entry('The invoice is paid.')])
    expect(await find(world.index, 'Where is my home?')).toEqual(['Ann lives in Lyon.'])
    expect(await find(world.index, '她的住址')).toEqual(['Ann lives in Lyon.'])
    expect(await find(world.index, 'my puppy')).toEqual(['我的狗叫旺财。'])
    expect(await find(world.index, 'zeppelins above the castle')).toEqual([])
  })

  test('finds it among many, too', async () => {
    await world.index.put([entry('Ann lives in Lyon.'), ...talk(ann, 600)])
    expect((await find(world.index, 'Where is my home?'))[0]).toBe('Ann lives in Lyon.')
    expect((await find(world.index, 'my address please, ka ten sol'))[0]).toBe('Ann lives in Lyon.')
  })

  test('reads only the scopes that it is given', async () => {
    await world.index.put([entry('Bob lives in Oslo.', { scope: bob }), entry('tea')])
    expect(await findNear('home')).toEqual([])
    expect(await findNear('home', [ann, bob])).toEqual([['Bob lives in Oslo.', 1]])
    await expect(world.near?.findNear({ scopes: [], text: 'home' }, signal)).rejects.toMatchObject({ code: 'internal' })
  })

  test('asks the model for nothing where a question says nothing', async () => {
    await world.index.put([entry('Ann lives in Lyon.')])
    const before = asked().length
    expect(await findNear('what did you do?')).toEqual([])
    expect(asked().length).toBe(before)
  })

  test('makes one vector of equal texts and one of an equal question', async () => {
    await world.index.put([entry('Ann lives in Lyon.'), entry('Ann  lives in Ｌyon.')])
    await world.index.put([entry('Ann lives in Lyon.', { scope: bob })])
    await findNear('home')
    await findNear('home', [bob])
    const said = asked().filter((text) => /Lyon|home/.test(text))
    expect(said).toEqual(name === 'in memory' ? expect.any(Array) : ['Ann lives in Lyon.', 'home'])
  })

  test('another text has another vector, and one that is dropped has none', async () => {
    const one = entry('Ann lives in Lyon.')
    await world.index.put([one])
    await world.index.put([{ ...one, firm: true }])
    expect(await findNear('home')).toHaveLength(1)
    await world.index.put([{ ...one, text: 'Ann sails.' }])
    expect(await findNear('home')).toEqual([])
    await world.index.put([one])
    await world.index.drop([one])
    expect(await findNear('home')).toEqual([])
  })

  test('gives twenty at most, the nearest first', async () => {
    await world.index.put(Array.from({ length: 60 }, (_, i) => entry(i === 30 ? 'home' : `home and number ${i}`)))
    const found = await findNear('house')
    expect(found).toHaveLength(20)
    expect(found[0]).toEqual(['home', 1])
  })
})

test('what is dropped leaves no byte of its vector in the file of SQLite', async () => {
  const sqlite = await openSqliteNear()
  try {
    const one = entry('quetzalcoatlus kept in a locker')
    await sqlite.index.put([one, ...talk(ann, 300)])
    const bytes = Buffer.from(toBytes(Float32Array.from(toVector(one.text, 1024))))
    const trace = bytes.subarray(bytes.findIndex((byte) => byte !== 0))
    expect(sqlite.readFiles().includes(trace)).toBe(true)
    await sqlite.index.drop([one])
    expect(sqlite.readFiles().includes(trace)).toBe(false)
  } finally {
    await sqlite.close()
  }
})

test('in SQLite words that are put alone keep the vector of the same text, for every process, and take away that of another', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-near-'))
  const engine = openSqliteEngine({ path: path.join(folder, 'index.sqlite'), onNew: () => undefined })
  const openNear = () => {
    const embedder = createTwinEmbedder()
    const meaning = createMeaning({ embedder, weight: 0.7, nowMs: Date.now })
    return { ...createNearIndex(engine, meaning), embedder }
  }
  try {
    const words = createMemoryIndex(engine)
    const [first, second] = [openNear(), openNear()]
    const one = entry('Ann lives in Lyon.')
    await first.vectors.put([one])
    await words.put([{ ...one, firm: true }])
    expect((await second.findNear({ scopes: [ann], text: 'home' }, signal)).found).toHaveLength(1)
    await second.vectors.put([{ ...one, scope: bob }])
    expect(second.embedder.asked).not.toContain(one.text)
    await words.put([{ ...one, text: 'Ann lives in Oslo.' }])
    expect((await second.findNear({ scopes: [ann], text: 'home' }, signal)).found).toEqual([])
    await first.vectors.put([{ ...one, text: 'Ann lives in Oslo.' }])
    expect((await second.findNear({ scopes: [ann], text: 'home' }, signal)).found).toHaveLength(1)
  } finally {
    engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('vectors of another model, or of another length, count nothing until they are made anew', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-near-'))
  const engine = openSqliteEngine({ path: path.join(folder, 'index.sqlite'), onNew: () => undefined })
  try {
    const openNear = (dimensions: number) =>
      createNearIndex(engine, createMeaning({ embedder: createTwinEmbedder(dimensions), weight: 0.7, nowMs: Date.now }))
    const one = entry('Ann lives in Lyon.')
    await openNear(1024).vectors.put([one])
    const other = openNear(512)
    expect((await other.findNear({ scopes: [ann], text: 'home' }, signal)).found).toEqual([])
    await other.vectors.put([one])
    expect((await other.findNear({ scopes: [ann], text: 'home' }, signal)).found).toHaveLength(1)
  } finally {
    engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

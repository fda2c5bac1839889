// The contract of a memory index: what is found and what is not, for whom, and that hostile texts are texts.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rankPrepared, rankWhole, toQueryTokens } from '#services/memory/search/rank.ts'
import type { FoundEntry } from '#shared/memory/entry.ts'
import { createPrepared } from '#services/memory/search/prepare.ts'
import { describeHistories } from './memory-search-histories.ts'
import {
  ann,
  bob,
  entry,
  find,
  questions,
  talk,
  todayMs,
  type IndexWorld,
  type OpenIndex,
} from './memory-search-world.ts'

let world: IndexWorld
const { signal } = new AbortController()

export function describeMemoryIndex(name: string, open: OpenIndex): void {
  describe(`a memory index, ${name}`, () => {
    beforeEach(async () => {
      world = await open()
    })
    afterEach(() => world.close())
    describeFinding()
    describeExactTokens()
    describeWriting()
    describeHostileTexts()
    describeSameAnswers()
    describeHistories(open)
  })
}

function describeFinding(): void {
  test('finds what was said, in whatever form of the words', async () => {
    await world.index.put([
      entry('I live in Lyon.'),
      entry('We went to Oslo by train.'),
      entry('My sister has two children.'),
    ])
    expect(await find(world.index, 'Where do I live?')).toEqual(['I live in Lyon.'])
    expect(await find(world.index, 'who lives in Lyon')).toEqual(['I live in Lyon.'])
    expect(await find(world.index, 'Did we go somewhere by trains?')).toEqual(['We went to Oslo by train.'])
    expect(await find(world.index, 'the child')).toEqual(['My sister has two children.'])
  })

  test('finds Chinese by its characters, simplified or not', async () => {
    await world.index.put([entry('我住在里昂。'), entry('妹妹喜歡喝烏龍茶。'), entry('周五下午开会。')])
    expect(await find(world.index, '谁住里昂？')).toEqual(['我住在里昂。'])
    expect(await find(world.index, '喜欢什么茶')).toEqual(['妹妹喜歡喝烏龍茶。'])
  })

  test.each(['Where is the zeppelin?', 'what did you do?', '什么时候？', '', '   ', '?!…'])(
    'finds nothing where nothing is known of it: %j',
    async (text) => {
      await world.index.put([entry('I live in Lyon.'), entry('我住在里昂。'), ...talk(ann, 20)])
      expect(await find(world.index, text)).toEqual([])
    },
  )

  test('finds an answer by the question before it', async () => {
    const said = (text: string, ordinal: number) => entry(text, { kind: 'episode', session: '2026-05-31', ordinal })
    await world.index.put([
      said('How is the violin sounding?', 0),
      said('Awful, honestly.', 1),
      said('Bread is out.', 5),
    ])
    expect(await find(world.index, 'violin')).toEqual(['How is the violin sounding?', 'Awful, honestly.'])
  })

  test('prefers who is named, and what tells a time where it is asked when', async () => {
    await world.index.put([
      entry('The piano lesson was hard.', { speaker: 'Bob' }),
      entry('The piano lesson was easy.', { speaker: 'Ann' }),
      entry('The dentist called.'),
      entry('The dentist comes tomorrow.'),
    ])
    expect((await find(world.index, "Bob's piano lesson"))[0]).toBe('The piano lesson was hard.')
    expect((await find(world.index, 'When does the dentist come?'))[0]).toBe('The dentist comes tomorrow.')
  })

  test('shows notes after facts, and prefers what is new, unless the old is confirmed', async () => {
    await world.index.put([
      entry('The gate code is 4711.', { kind: 'note' }),
      entry('The gate code was changed.'),
      entry('Old boat colour: green.', { atMs: 0 }),
      entry('New boat colour: white.', { atMs: todayMs }),
    ])
    expect(await find(world.index, 'gate code')).toEqual(['The gate code was changed.', 'The gate code is 4711.'])
    const query = { scopes: [ann], text: 'boat colour', limit: 2, nowMs: todayMs }
    const texts = (found: readonly FoundEntry[]) => found.map((one) => one.entry.text)
    expect(texts(await world.index.find(query, signal))).toEqual(['New boat colour: white.', 'Old boat colour: green.'])
  })

  test('gives no more than it is asked for, with everything of an entry', async () => {
    const one = entry('Lyon harbour', { session: 's', ordinal: 3, firm: true, kind: 'preference' })
    await world.index.put([one, ...Array.from({ length: 9 }, (_, i) => entry(`Lyon ${i}`))])
    expect(await find(world.index, 'Lyon', { limit: 3 })).toHaveLength(3)
    const found = await world.index.find({ scopes: [ann], text: 'harbour', limit: 1 }, signal)
    expect(found).toEqual([{ entry: one, score: expect.any(Number) }])
  })

  test('reads only the scopes that it is given, and is refused without one', async () => {
    await world.index.put([
      entry('Ann likes tea.'),
      entry('Bob likes tea.', { scope: bob }),
      entry('Tea!', { scope: 'global' }),
    ])
    expect(await find(world.index, 'tea', { scopes: [bob] })).toEqual(['Bob likes tea.'])
    expect((await find(world.index, 'tea', { scopes: [ann, 'global', ann] })).toSorted()).toEqual([
      'Ann likes tea.',
      'Tea!',
    ])
    expect(await find(world.index, 'tea', { scopes: ['chat:web:none'] })).toEqual([])
    await expect(world.index.find({ scopes: [], text: 'tea', limit: 5 }, signal)).rejects.toMatchObject({
      code: 'internal',
    })
  })

  test('stops where the reader has stopped waiting', async () => {
    await world.index.put([entry('I live in Lyon.')])
    await expect(world.index.find({ scopes: [ann], text: 'Lyon', limit: 5 }, AbortSignal.abort())).rejects.toThrow(
      /abort/i,
    )
  })
}

function describeExactTokens(): void {
  test.each([
    ['ERR_CONN_RESET', 'It failed with ERR_CONN_RESET.', 'It failed with ERR_CONN_REFUSED.'],
    ['where is /etc/hosts.d/x', 'See /etc/hosts.d/x for it.', 'See /etc/hosts for it.'],
    ['E-1042', 'The part is E-1042.', 'The part is E-1043.'],
    ['错误 0x80070005', '报错 0x80070005，重启', '报错 0x80070006，重启'],
    ['getUserById', 'getUserById is slow.', 'getUserByName is slow.'],
    ['v1.2.3', 'It broke in v1.2.3', 'It broke in v1.2.4'],
    ['C++', 'She writes C++ daily.', 'She writes C# daily.'],
    ['42', 'Room 42', 'Rooms 4 and 2'],
  ])('finds %s before its like', async (text, right, like) => {
    await world.index.put([entry(like), entry(right)])
    expect((await find(world.index, text))[0]).toBe(right)
  })
}

function describeWriting(): void {
  test('replaces what has the same scope and id', async () => {
    const one = entry('I live in Lyon.')
    await world.index.put([one, { ...one, scope: bob, text: 'Bob is in Lyon.' }])
    await world.index.put([
      { ...one, text: 'never read' },
      { ...one, text: 'I live in Oslo.' },
    ])
    expect(await find(world.index, 'Lyon')).toEqual([])
    expect(await find(world.index, 'Oslo')).toEqual(['I live in Oslo.'])
    expect(await find(world.index, 'Lyon', { scopes: [bob] })).toEqual(['Bob is in Lyon.'])
  })

  test('drops entries, and their text stands in no file', async () => {
    const secret = entry('My locker says quetzalcoatlus, 翼龙密码, in PATH_QUETZ/9.')
    await world.index.put([secret, ...talk(ann, 300)])
    await world.index.put([{ ...secret, text: `${secret.text} Twice.` }])
    expect(await find(world.index, 'quetzalcoatlus')).toHaveLength(1)
    await world.index.drop([secret, { scope: ann, id: 'unknown' }, { scope: 'user:web:none', id: secret.id }])
    expect(await find(world.index, 'quetzalcoatlus')).toEqual([])
    const bytes = world.readFiles()
    const traces = ['quetzalco', '翼龙', 'u7ffc', 'b7ffc9f99', Buffer.from('path_quetz').toString('hex')]
    expect(traces.filter((trace) => bytes.includes(trace))).toEqual([])
  })

  test('takes nothing, and refuses an id that is none', async () => {
    await world.index.put([])
    await world.index.drop([])
    expect(await find(world.index, 'Lyon')).toEqual([])
  })
}

const hostile: readonly (readonly [string, string])[] = [
  ['a filter', '" OR scope:user:web:bob OR "'],
  ['a statement', "'; DROP TABLE entries; --"],
  ['operators', 'tea* NEAR(tea, 5) AND NOT tea'],
  ['a column', '{terms} : tea ^tea -tea + tea'],
  ['a quote', '"'],
  ['backslashes', String.raw`\" \\ ' ${'`'} %00 \u0000`],
  ['a zero', 'tea\0tea'],
  ['lone surrogates', 'lone \ud800 tea \udc00'],
  ['half a sign', '\ud83d'],
  ['a tower of accents', `tea${'\u0301'.repeat(5000)}`],
  ['signs that stand for others', 'ﷺ Ⅷ ① ﬁ tea'],
  ['many scripts', 'чай شاي चाय 차 茶 ชา τσάι ჩაი թեյ'],
  ['a word of 5,000 letters', `${'x'.repeat(5000)} tea`],
]

function describeHostileTexts(): void {
  test.each(hostile)('takes for a text, wherever it stands, %s', async (_, text) => {
    await world.index.put([
      entry(text, { scope: `user:${text}`, id: text.slice(0, 100), speaker: text, session: text, ordinal: 0 }),
      entry('Ann likes tea.'),
      entry('Bob likes tea.', { scope: bob }),
    ])
    const words = await find(world.index, text)
    expect(words.filter((one) => one !== 'Ann likes tea.')).toEqual([])
    expect(await find(world.index, `tea ${text}`, { scopes: [`user:${text}`] })).toHaveLength(
      toQueryTokens(text).length > 0 ? 1 : 0,
    )
    await world.index.drop([{ scope: `user:${text}`, id: text.slice(0, 100) }])
    expect(await find(world.index, `tea ${text}`, { scopes: [`user:${text}`] })).toEqual([])
  })

  test('holds scopes apart that look alike', async () => {
    const scopes = [
      'user:web:ann',
      'user:web:ANN',
      ' user:web:ann',
      'user:web:ann ',
      'ｕser:web:ann',
      'user:web:ánn',
      'user:web:ann\0',
    ]
    await world.index.put(scopes.map((scope, i) => entry(`tea ${i}`, { scope, id: 'same' })))
    for (const [i, scope] of scopes.entries())
      expect(await find(world.index, 'tea', { scopes: [scope] })).toEqual([`tea ${i}`])
  })

  test('finds a text of 1 MB by its beginning, and takes one as a question', async () => {
    const long = `zeppelin ${'lorem ipsum 中文 '.repeat(70_000)}`
    await world.index.put([entry(long), entry('The zeppelin is grey.')])
    expect(await find(world.index, 'zeppelin grey')).toEqual(['The zeppelin is grey.', long])
    expect((await find(world.index, long)).length).toBe(2)
  })
}

function describeSameAnswers(): void {
  test('answers as memory does, of a scope that is read whole', async () => {
    const all = talk(ann, 150)
    await world.index.put(all)
    for (const text of questions) {
      const query = { scopes: [ann], text, limit: 10, nowMs: todayMs }
      const near = await world.near?.findNear(query, signal)
      const best = rankWhole(all, { ...query, ...(near && { near }) })
      expect(toNames(await world.index.find(query, signal))).toEqual(toNames(best))
    }
  })

  test('answers as well as memory does, of a scope of which the engine proposes candidates', async () => {
    const all = [...talk(ann, 1500), ...talk(bob, 700)]
    await world.index.put(all)
    const prepared = createPrepared(all.filter(({ scope }) => scope === ann))
    let [mine, best] = [0, 0]
    for (const text of questions) {
      const query = { scopes: [ann], text, limit: 5, nowMs: todayMs }
      const near = await world.near?.findNear(query, signal)
      const ranked = rankPrepared(prepared, { ...query, limit: all.length, ...(near && { near }) })
      const scores = new Map(ranked.map(({ entry: { id }, score }) => [id, score]))
      const found = await world.index.find(query, signal)
      mine += sum(found.map((one) => scores.get(one.entry.id) ?? 0))
      best += sum(ranked.slice(0, 5).map(({ score }) => score))
    }
    expect(mine / best).toBeGreaterThan(0.97)
  })
}

const sum = (scores: readonly number[]): number => scores.reduce((all, one) => all + one, 0)
const toNames = (found: readonly FoundEntry[]): readonly string[] =>
  found.map(({ entry: one }) => `${one.scope} ${one.id}`)

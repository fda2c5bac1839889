// The ranking of memory search over entries in memory; the contract of the index says what every engine shares.
import { expect, test } from 'vitest'
import { createPrepared } from '#services/memory/search/prepare.ts'
import { rankPrepared, rankWhole } from '#services/memory/search/rank.ts'
import { ann, bob, entry, questions, talk, todayMs } from '#test/contracts/memory-search-world.ts'

const dayMs = 86_400_000
const textsOf = (entries: Parameters<typeof rankWhole>[0], text: string): readonly string[] =>
  rankWhole(entries, { scopes: [ann], text, limit: 5, nowMs: todayMs }).map((one) => one.entry.text)

test('ranks entries that were made ready before as it ranks them at once, in whatever order they come', () => {
  const all = talk(ann, 150)
  const prepared = createPrepared(all.toReversed())
  for (const text of questions) {
    const query = { scopes: [ann], text, limit: 10, nowMs: todayMs }
    expect(rankPrepared(prepared, query)).toEqual(rankWhole(all, query))
  }
})

test('never finds what stands in another scope, also of entries made ready for several', () => {
  const prepared = createPrepared([entry('Ann likes tea.'), entry('Bob likes tea.', { scope: bob })])
  const found = rankPrepared(prepared, { scopes: [bob], text: 'tea', limit: 5 })
  expect(found.map((one) => one.entry.text)).toEqual(['Bob likes tea.'])
  expect(() => rankPrepared(prepared, { scopes: [], text: 'tea', limit: 5 })).toThrow(
    expect.objectContaining({ code: 'internal' }),
  )
})

test('an entry without a session is found by its own words alone', () => {
  expect(textsOf([entry('I live in Lyon.'), entry('My boat is white.')], 'Lyon')).toEqual(['I live in Lyon.'])
})

test('an answer gains more by a question than a sentence by the one before it', () => {
  const say = (speaker: string, text: string, ordinal: number, session: string) =>
    entry(text, { speaker, ordinal, session, kind: 'episode' })
  const entries = [
    say('Ann', 'Where did you buy the violin?', 0, 'talk'),
    say('Bob', 'At the corner shop.', 1, 'talk'),
    say('Ann', 'A violin needs new strings.', 0, 'text'),
    say('Ann', 'Bread is on the table.', 1, 'text'),
  ]
  const found = textsOf(entries, 'violin')
  expect(found.indexOf('At the corner shop.')).toBeLessThan(found.indexOf('Bread is on the table.'))
})

test('age weighs a little, on what nobody confirmed', () => {
  const old = { atMs: todayMs - 300 * dayMs }
  const found = rankWhole(
    [entry('The boat is old.', old), entry('The boat is firm.', { ...old, firm: true }), entry('The boat is new.')],
    { scopes: [ann], text: 'boat', limit: 5, nowMs: todayMs },
  )
  expect(found.map((one) => one.entry.text).at(-1)).toBe('The boat is old.')
  const [best = 0, worst = 0] = [found[0]?.score, found.at(-1)?.score]
  expect(worst / best).toBeGreaterThan(0.8)
})

test('a scope of 200 records, made ready, is ranked in less than the blink of a turn', () => {
  const prepared = createPrepared(talk(ann, 200))
  const times = Array.from({ length: 200 }, (_, i) => {
    const startedMs = performance.now()
    rankPrepared(prepared, { scopes: [ann], text: questions[i % questions.length] ?? '', limit: 5, nowMs: todayMs })
    return performance.now() - startedMs
  })
  expect(times.toSorted((a, b) => a - b)[100]).toBeLessThan(10)
})

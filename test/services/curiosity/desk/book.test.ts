// What the book of a desk allows.
import { expect, test } from 'vitest'
import {
  bring,
  end,
  ignore,
  mayAsk,
  mayBring,
  putOff,
  retiredKinds,
  toHash,
  wake,
  type Book,
} from '#services/curiosity/desk/book.ts'

const fresh: Book = { v: 1, asked: [], cards: [], never: [], ignored: 0 }
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const at = (book: Book, day: number, ...keys: string[]): Book =>
  bring(
    book,
    { id: `card-${day}`, at: day * dayMs, cold: false, keys, in: 'telegram:1' },
    keys.map(() => 'words' as const),
  )
const cold = (book: Book, day: number): Book =>
  bring(book, { id: `card-${day}`, at: day * dayMs, cold: true, keys: [`k${day}`], in: 'telegram:1' }, ['words'])
const may = (book: Book, day: number, isCold = false): boolean =>
  mayBring(book, { nowMs: day * dayMs, isQuiet: false, isCold, perWeek: 2 })

test('one card a day, whatever brings it', () => {
  expect(may(fresh, 1)).toBe(true)
  const one = at(fresh, 1, 'a')
  expect(may(one, 1.9)).toBe(false)
  expect(may(one, 1.9, true)).toBe(false)
  expect(may(one, 2)).toBe(true)
})

test('two a week come by themselves', () => {
  const two = cold(cold(fresh, 1), 3)
  expect(may(two, 5, true)).toBe(false)
  expect(may(two, 5)).toBe(true)
  expect(may(two, 8, true)).toBe(true)
})

test('half as often after each that nobody touched, and none by itself after the fourth', () => {
  let book = fresh
  const gaps = []
  for (let day = 1; book.ignored < 4;) {
    book = ignore(at(book, day, `k${day}`), [`k${day}`])
    const last = day
    while (!may(book, day) && day - last < 40) day += 0.5
    gaps.push(day - last)
  }
  expect(gaps).toEqual([2, 4, 8, 40])
  expect(may(book, 400)).toBe(false)
  expect(may(wake(book), 400)).toBe(true)
})

test('nothing comes in the quiet hours', () => {
  expect(mayBring(fresh, { nowMs: dayMs, isQuiet: true, isCold: false, perWeek: 2 })).toBe(false)
})

test('nothing is asked twice, but what was put off', () => {
  const book = at(fresh, 1, 'a', 'b', 'c')
  expect(mayAsk(book, 'a')).toBe(false)
  expect(mayAsk(end(book, 'a', 'answered'), 'a')).toBe(false)
  expect(mayAsk(end(book, 'a', 'skipped'), 'a')).toBe(false)
  expect(mayAsk(ignore(book, ['a']), 'a')).toBe(false)
  const rest = putOff(end(book, 'a', 'answered'), ['a', 'b', 'c'])
  expect(['a', 'b', 'c'].map((key) => mayAsk(rest, key))).toEqual([false, true, true])
})

test('what is never to be asked is not asked when the list of what was asked has run over', () => {
  let book = end(at(fresh, 1, 'never'), 'never', 'never')
  for (let n = 0; n < 500; n++) book = at(book, 2 + n, `k${n}`)
  expect(book.asked.length).toBeLessThanOrEqual(400)
  expect(book.cards.length).toBeLessThanOrEqual(20)
  expect(mayAsk(book, 'never')).toBe(false)
})

test('an answer says that somebody is there', () => {
  const book = ignore(at(fresh, 1, 'a'), ['a'])
  expect(book.ignored).toBe(1)
  expect(end(at(book, 5, 'b'), 'b', 'skipped').ignored).toBe(0)
  expect(end(at(book, 5, 'b'), 'b', 'gone').ignored).toBe(1)
})

test('a clock that was a year ahead for a moment silences nobody', () => {
  expect(may(at(fresh, 366, 'a'), 2)).toBe(true)
})

test('a question is known by a hash of its meaning', () => {
  expect(toHash('slot/retro')).toMatch(/^[\w-]{16}$/)
  expect(toHash('slot/retro')).not.toBe(toHash('slot/standup'))
})

test('never about this is never about its topic: half of what a question is about, and two words', () => {
  const never = toHash('long retro slot')
  const book = end(at(fresh, 1, never), never, 'never')
  expect(JSON.stringify(book)).not.toMatch(/retro|slot/)
  for (const key of ['long retro slot', 'retro slot', 'late long retro slot', 'retro'])
    expect(mayAsk(book, toHash(key)), key).toBe(false)
  for (const key of ['door', 'online retro', 'colour door retro', 'audience note read', 'memory said:telegram:1:7'])
    expect(mayAsk(book, toHash(key)), key).toBe(true)
  const [han, other] = [toHash('会议 多长 议有 有多'), toHash('会议 几点 议几')]
  expect(mayAsk(end(at(fresh, 1, han), han, 'never'), other)).toBe(true)
  expect(mayAsk(end(at(fresh, 1, han), han, 'never'), toHash('会议 多长'))).toBe(false)
  // Whoever skips a question says nothing of its topic.
  expect(mayAsk(end(at(fresh, 1, never), never, 'skipped'), toHash('retro slot'))).toBe(true)
})

test('who puts off twice in a row is asked half as often, and as before once they answer', () => {
  let book = putOff(at(fresh, 1, 'a'), ['a'])
  expect(may(book, 2)).toBe(true)
  book = putOff(at(book, 2, 'b'), ['b'])
  expect(may(book, 3)).toBe(false)
  expect(may(book, 4)).toBe(true)
  book = putOff(at(book, 4, 'c'), ['c'])
  expect(may(book, 7)).toBe(false)
  expect(may(book, 8)).toBe(true)
  book = putOff(end(at(book, 8, 'd', 'e'), 'd', 'answered'), ['e'])
  expect(may(book, 9)).toBe(true)
  expect(may(wake(putOff(at(putOff(at(fresh, 1, 'a'), ['a']), 2, 'b'), ['b'])), 3)).toBe(true)
})

test('a kind of which fewer than one in five of twenty were answered is asked no more', () => {
  let book = fresh
  for (let n = 0; n < 20; n++) {
    expect(retiredKinds(book).size).toBe(0)
    book = end(at(book, n, `k${n}`), `k${n}`, n < 3 ? 'answered' : 'skipped')
  }
  expect([...retiredKinds(book)]).toEqual(['words'])
  // Those that were answered count on.
  for (let n = 20; n < 24; n++) book = end(at(book, n, `k${n}`), `k${n}`, 'answered')
  expect(retiredKinds(book).size).toBe(0)
})

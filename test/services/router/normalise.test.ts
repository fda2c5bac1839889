// How a message is made comparable, and what of it is not the sender's own words.
import { expect, it } from 'vitest'
import { fold, isLongerThan, normalise, type NormalText } from '#services/router/normalise.ts'

const read = (raw: string): NormalText => normalise(raw, (text) => text)
const clausesOf = (raw: string): readonly string[] =>
  read(raw).clauses.map(({ text, question }) => (question ? `${text}?` : text))

it('keeps the case beside a text in lower case, in which words are spelt as they were meant', () => {
  const { cased, text } = normalise('Gimme THIS', (given) => given.replace('gimme', 'give me'))
  expect({ cased, text }).toEqual({ cased: 'Gimme THIS', text: 'give me this' })
})

it.each([
  ['３点', '3点'],
  ['說話', '说话'],
  ['it’s `ok` it´s', "it's `ok` it's"],
  ['x\u200by\u202ez\ufeff', 'xyz'],
  ['a\u0007b\tc\nd', 'ab\tc\nd'],
  ['half \ud800 sign', 'half  sign'],
  ['sooooo', 'so'],
  ['loooong', 'loong'],
  ['sooo5', 'so5'],
  ['good', 'good'],
  ['哈哈哈', '哈哈哈'],
  ['  hello  ', 'hello'],
])('writes %j as %j', (raw, folded) => {
  expect(fold(raw)).toBe(folded)
})

it.each([
  ['see `code` here', 'see □ here'],
  ['run ```a\nb``` now', 'run □ now'],
  ['run ```a\nb', 'run □'],
  ['open https://a.b/c?d=e ok', 'open □ ok'],
  ['he said "no" and “yes”', 'he said □ and □'],
  ['看「一」『二』《三》', '看□□□'],
  ["the 'word' here", 'the □ here'],
  ["don't and can't", "don't and can't"],
  ['翻译：今天天气不错', '翻译:□'],
])('what is quoted, linked or given as material in %j does not count as said', (raw, bare) => {
  expect(read(raw).bare).toBe(bare)
})

it('a text that is one quotation altogether keeps its words', () => {
  expect(read('“写一首诗”').clauses).toEqual([{ text: '“写一首诗”', question: false }])
})

it.each([
  ['Hello, World! How are you?', ['hello', 'world', 'how are you?']],
  ['你好。在吗？', ['你好', '在吗?']],
  ['今天 天气 ok fine', ['今天', '天气 ok fine']],
  ['pi is 3.14: yes', ['pi is 3.14', 'yes']],
  ['a😀b', ['a', 'b']],
  ['wait… what? ', ['wait', 'what?']],
  ['really?', ['really?']],
  ['what is it', ['what is it?']],
  ['，。！', []],
  ['', []],
])('cuts %j into %j', (raw, clauses) => {
  expect(clausesOf(raw)).toEqual(clauses)
})

it('of many clauses the first 48 and the last 12 are read', () => {
  const all = Array.from({ length: 61 }, (_, n) => `c${n}`)
  expect(clausesOf(all.slice(0, 60).join(', '))).toEqual(all.slice(0, 60))
  expect(clausesOf(all.join(', '))).toEqual([...all.slice(0, 48), ...all.slice(-12)])
})

it('of a long text the first 2000 characters and the last 400 are read', () => {
  const exact = `${'a b '.repeat(500)}${'c d '.repeat(99)}end.`
  expect(exact).toHaveLength(2400)
  expect(read(exact).text).toBe(exact)
  const longer = `${'a b '.repeat(500)}MIDDLE${'c d '.repeat(99)}end.`
  expect(read(longer).text).not.toContain('middle')
  expect(read(longer).text).toBe(`${'a b '.repeat(500)}\n${'c d '.repeat(99)}end.`)
})

it('counts characters, and looks at no more of them than it must', () => {
  expect(isLongerThan('x'.repeat(5), 5)).toBe(false)
  expect(isLongerThan('x'.repeat(6), 5)).toBe(true)
  expect(isLongerThan('😀'.repeat(5), 5)).toBe(false)
  expect(isLongerThan('😀'.repeat(6), 5)).toBe(true)
})

// A long result cut by what was asked, whatever stands in it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutResult, mostResultChars } from '#services/executor/context/cut-result.ts'
import { addressesIn } from '#test/rig/addresses-in.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { runs } from '#test/rig/property-runs.ts'

const cut = (text: string, asked = '') => cutResult(text, { asked, artifact: 'a', isCut: false })
const end = (text: string): string => `[Only a part. All ${text.length} characters: artifact_read {"name":"a"}]`

test('without anything in common its beginning stands', () => {
  const text = Array.from({ length: 500 }, (_, i) => `line ${i} of it`).join('\n')
  const read = cut(text, 'xyz')
  expect(read.startsWith('line 0 of it\nline 1 of it\n')).toBe(true)
  expect(read).toContain('line 200 of it')
  expect(read).not.toContain('line 300 of it')
  expect(read.endsWith(end(text))).toBe(true)
})

test('a rare word says more than one that stands everywhere', () => {
  const lines = Array.from({ length: 400 }, (_, i) => `The city of Lisbon has many streets, and this is number ${i}.`)
  lines[399] = 'In Lisbon the aqueduct was finished late.'
  expect(cut(lines.join('\n\n'), 'What of the aqueduct of Lisbon?')).toContain('aqueduct was finished')
})

test('words are found with other endings, and in any letters', () => {
  const filler = 'nothing\n\n'.repeat(1000)
  expect(cut(`${filler}Their PRICES are high.\n\n${filler}`, 'What is the price?')).toContain('PRICES')
  expect(cut(`${filler}Sie öffnen um neun.\n\n${filler}`, 'Wann öffnen sie?')).toContain('öffnen um neun')
})

test('headings fill no more than their share', () => {
  const text = `${'## Another heading that says nothing\n'.repeat(500)}\nThe answer is forty-two.`
  expect(cut(text, 'What is the answer?')).toContain('forty-two')
})

test('an address stands whole or not at all', () => {
  const links = Array.from({ length: 300 }, (_, i) => `- place ${i} <https://example.org/${'x'.repeat(20)}/${i}>`)
  const text = `${'word '.repeat(500)}\n\n${links.join('\n')}`
  const known = new Set(addressesIn(text))
  const found = addressesIn(cut(text, 'Where is place 250?'))
  expect(found).toContain(`https://example.org/${'x'.repeat(20)}/250`)
  expect(found.filter((address) => !known.has(address))).toEqual([])
})

test('whatever it is, it has some four thousand characters at most, and says how long it is', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('\n', '\n\n', '# ', '## heading\n', '长'.repeat(700), 'x'.repeat(5000), ' ', '🙂'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 100 }), fc.string({ unit: 'binary' }), (pieces, asked) => {
      const text = pieces.join('').toWellFormed()
      const read = cut(text, asked)
      expect(read.length).toBeLessThan(mostResultChars + 100)
      expect(read.endsWith(end(text))).toBe(true)
      expect(read.isWellFormed()).toBe(true)
    }),
    runs(100),
  )
})

test.each([
  ['words that were asked for, each alone', 'price\n\nx\n\n'.repeat(20_000)],
  ['headings, each alone', '# a\n\nx\n\n'.repeat(20_000)],
])('marks of what was left out count: %s', (_, text) => {
  expect(cut(text, 'What is the price?').length).toBeLessThan(mostResultChars + 100)
})

test.each([
  ['one word', 'x'.repeat(262_144)],
  ['one run of Chinese', '长'.repeat(87_000)],
  ['empty lines', '\n'.repeat(262_144)],
  ['headings', '# a\n'.repeat(65_000)],
  ['short words', 'ab1 '.repeat(65_000)],
])('256 KB of %s take no time to speak of', (_, text) => {
  const at = processorMs()
  cut(text, text.slice(0, 10_000))
  expect(processorMs() - at).toBeLessThan(1000)
})

// Normal forms of hostile texts: rows of accents are cut, so that what takes the square of their length has none; what people write stays.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanText } from '#shared/chat/clean-text.ts'
import { toNormalForm, withFewMarks } from '#shared/chat/normal-form.ts'
import { toReadable } from '#adapters/markup/markdown.ts'
import { runs } from '#test/rig/property-runs.ts'

/** The longest row of signs that combine, in the normal form in which they are put in order. */
const longestRow = (text: string): number =>
  Math.max(0, ...[...text.normalize('NFKD').matchAll(/\p{M}+/gu)].map(([row]) => [...row].length))

// Also signs that are no marks, and become some in a normal form: of Thai, Lao and half-width Japanese.
const marks = [
  '\u0301',
  '\u0316',
  '\u0345',
  '\u0344',
  '\u0591',
  '\u0327',
  '\uff9e',
  '\uff9f',
  '\u0e33',
  '\u0eb3',
  '\ufe0f',
]

test('no row of signs that combine is long, whatever it is made of', () => {
  const row = fc
    .array(fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...marks) }, fc.constantFrom('a', '中', ' ', 'ﾊ')), {
      maxLength: 400,
    })
    .map((signs) => signs.join(''))
  fc.assert(
    fc.property(row, (text) => {
      // One sign becomes three at most.
      for (const cut of [withFewMarks(text), cleanText(text).text, toReadable(text)])
        expect(longestRow(cut)).toBeLessThanOrEqual(90)
      expect(withFewMarks(withFewMarks(text))).toBe(withFewMarks(text))
    }),
    runs(300),
  )
})

test('every sign that becomes a combining one is known', () => {
  const unknown: string[] = []
  for (let code = 0; code < 0x110000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue
    const sign = String.fromCodePoint(code)
    if (/^\p{M}/u.test(sign.normalize('NFKD')) && withFewMarks(sign.repeat(40)) === sign.repeat(40))
      unknown.push(code.toString(16))
  }
  expect(unknown).toEqual([])
})

test.each([
  'Việt Nam, ǘ, Ā́, e\u0301\u0327',
  'กำลังทำน้ำแข็ง ປີ້ງ',
  'हिन्दी में कैसे लिखें, क्षत्रिय',
  'שָׁלוֹם עֲלֵיכֶם',
  'ﾊﾞﾋﾟ ば゙',
  '👩🏽‍🚀👨‍👩‍👧‍👦 1️⃣',
])('leaves %s as it is written', (text) => {
  expect(withFewMarks(text)).toBe(text)
  expect(toNormalForm(text, 'NFC')).toBe(text.normalize('NFC'))
})

test.each(['\u0301\u0316', '\uff9e\u0301', '\u0316\u0e33', '\u0301\u0327\u0316\u0591'])(
  'a million signs of %j take no longer than as many letters',
  (row) => {
    const startedMs = performance.now()
    toNormalForm(`a${row.repeat(1_000_000 / row.length)}`, 'NFKC')
    // Without the cut it would be a quarter of an hour.
    expect(performance.now() - startedMs).toBeLessThan(3000)
  },
)

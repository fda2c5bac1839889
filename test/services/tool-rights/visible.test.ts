// Arguments as people are shown them: what is read is what is run, whatever hides in it.
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { mostLevels } from '#shared/model/call-arguments.ts'
import { toBlock, toSpan, toVisible, type Visible } from '#services/tool-rights/visible.ts'
import { runs } from '#test/rig/property-runs.ts'

const left = (chars: number): string => `[${chars} left out]`
const most = 120_000
function see(given: string): Visible {
  const visible = toVisible(given, most)
  if (!visible) throw new Error('It is longer than a card can show.')
  return visible
}
const shown = (value: unknown): string => toBlock(see(JSON.stringify(value)), left)

test.each([
  ['an override of direction', 'a\u202Egpj.exe', String.raw`a\u202egpj.exe`],
  ['an isolate', 'a\u2066b\u2069', String.raw`a\u2066b\u2069`],
  ['what has no width', 'pay\u200Bpal', String.raw`pay\u200bpal`],
  ['a byte order mark', '\uFEFFx', String.raw`\ufeffx`],
  ['an invisible letter', 'a\u3164b', String.raw`a\u3164b`],
  ['a tag', 'a\u{E0041}', String.raw`a\udb40\udc41`],
  ['a variation selector', 'a\uFE0F', String.raw`a\ufe0f`],
  ['a space that does not break', 'a\u00A0b', String.raw`a\u00a0b`],
  ['a Cyrillic letter in a Latin word', 'pаypal.com', String.raw`p\u0430ypal.com`],
  ['a word of letters that all look Latin', 'АВС', String.raw`\u0410\u0412\u0421`],
  ['a Latin letter that passes for another', 'ɡoogle.com', String.raw`\u0261oogle.com`],
  ['a wide letter', 'ａpi', String.raw`\uff41pi`],
  ['a stroke that is none', 'a.com\u2215b', String.raw`a.com\u2215b`],
  ['what would end the fence', 'x\n```\n**Once**', String.raw`x\n\u0060\u0060\u0060\n**Once**`],
  ['a long way to the right', `a${' '.repeat(3)}b`, String.raw`a\u0020\u0020\u0020b`],
  ['a control character', 'a\u0007', String.raw`a\u0007`],
])('%s is seen', (_, hidden, seen) => {
  expect(shown({ to: hidden })).toBe(`\`\`\`json\n{\n  "to": "${seen}"\n}\n\`\`\``)
})

test.each(['你好，世界！', 'café 12 €', 'привет мир', 'こんにちは', 'https://example.org/a?b=1#c', '👍'])(
  'ordinary words stay as they are: %s',
  (text) => {
    expect(shown({ text })).toContain(`"${text}"`)
  },
)

test('of two fields of one name the one is shown that is run, and numbers as they are read', () => {
  expect(see('{"to":"shop","to":"evil","n":12345678901234567890}').whole).toBe(
    '{\n  "to": "evil",\n  "n": 12345678901234567000\n}',
  )
})

test('what is long is shown by its head and its tail, and says how much is left out', () => {
  const visible = see(JSON.stringify({ text: 'x'.repeat(5000), to: 'evil' }))
  const { whole, isCut } = visible
  const block = toBlock(visible, left)
  expect(isCut).toBe(true)
  expect(block).toContain(`[${whole.length - 1000} left out]`)
  expect(block).toContain('"to": "evil"')
  expect(block.length).toBeLessThan(1200)
})

test('whatever the arguments, what is shown means them, in plain sight, in a fence that stays closed', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 200 }), (value, text) => {
      // Arguments with that name are shown as the text that they came as.
      fc.pre(!JSON.stringify(value).includes('__proto__'))
      const given = JSON.stringify({ value, text })
      const { whole } = see(given)
      expect(JSON.parse(whole)).toEqual(JSON.parse(given))
      expect(whole).not.toMatch(/(?!\n)\p{C}|[\u2066-\u2069\u202a-\u202e]|```/u)
    }),
    runs(100),
  )
})

test('words of anybody stand as code on one line', () => {
  expect(toSpan('a`b\n# [x](y)', 80)).toBe('`a’b # [x](y)`')
})

test('what takes more signs than a card has is not written to its end, however deep or full it is', () => {
  const deep = `${'['.repeat(mostLevels - 2)}1${']'.repeat(mostLevels - 2)}`
  const many = JSON.stringify({ body: Array.from({ length: 150 }, () => JSON.parse(deep) as unknown) })
  const text = JSON.stringify({ text: '\u200b'.repeat(30_000) })
  for (const given of [many, text]) {
    expect(toVisible(given, most)).toBeUndefined()
    expect(toVisible(given, 10 * most)?.whole.length).toBeGreaterThan(most)
  }
})

test('it reads as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ unit: 'grapheme-ascii' }).filter((name) => !/ {3}|`{3}/.test(name)),
        fc.array(fc.option(fc.nat())),
      ),
      (value) => {
        fc.pre(!Object.hasOwn(value, '__proto__'))
        expect(see(JSON.stringify(value)).whole).toBe(JSON.stringify(value, null, 2))
      },
    ),
    runs(100),
  )
})

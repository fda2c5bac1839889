// No sign of a number, a name or a formula is lost on any channel, in answers as models write them, alone and one after the other.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMarkdown } from '#adapters/markup/markdown.ts'
import { splitMarkdown } from '#adapters/markup/split.ts'
import { runs } from '#test/rig/property-runs.ts'
import { realAnswers } from '#test/adapters/markup/answers/all.ts'
import { expectInOrder, readTexts, toSourceTokens } from './read-texts.ts'
import { channels } from './shown.ts'

test('there are at least two hundred answers', () => {
  expect(new Set(realAnswers.map(([answer]) => answer)).size).toBeGreaterThanOrEqual(200)
})

test.each(realAnswers.map(([answer, ...kept]) => ({ answer, kept })))('$answer', ({ answer, kept }) => {
  const texts = readTexts(parseMarkdown(answer))
  const words = toSourceTokens(answer)
  for (const [channel, show] of channels) {
    const shown = show(answer)
    for (const said of kept) expect(shown, channel).toContain(said)
    expectInOrder(texts, shown, `${channel}, texts of the tree`)
    expectInOrder(words, shown, `${channel}, words of the source`)
  }
})

test('the parts of an answer that is too long for a message hold its words and formulas, in order', () => {
  const limit = 300
  for (const [answer] of realAnswers) {
    if (answer.length <= limit) continue
    const texts = readTexts(parseMarkdown(answer))
    for (const [channel, show] of channels.slice(0, 4)) {
      const parts = splitMarkdown(answer, { limit, measure: (text) => show(text).length })
      expect(parts.length, channel).toBeGreaterThan(0)
      expectInOrder(texts, parts.map(show).join('\n'), `${channel}, in parts: ${answer}`)
    }
  }
})

/** Everything a person may read in the tree: text, code and formulas. */
function textsOf(node: { readonly type: string }): string {
  if ('value' in node) return String(node.value)
  if ('children' in node && Array.isArray(node.children)) return node.children.map(textsOf).join(' ')
  return ' '
}
test('however answers follow each other, the text nodes of their tree hold every number, name and formula', () => {
  const some = fc.array(fc.constantFrom(...realAnswers), { minLength: 1, maxLength: 6 })
  const between = fc.constantFrom('\n\n', '\n\n---\n\n', '\n\n## Next\n\n')
  fc.assert(
    fc.property(some, between, (answers, gap) => {
      const shown = textsOf(parseMarkdown(answers.map(([answer]) => answer).join(gap)))
      for (const [, ...kept] of answers) {
        for (const said of kept) if (/[\d_*\\$]/.test(said) && !said.includes(' ')) expect(shown).toContain(said)
      }
    }),
    runs(60),
  )
})

const piece = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 })).map(([a, b]) => `${a}*${b}=${a * b}`),
  fc
    .tuple(fc.constantFrom('a', 'x1', 'len', 'ß', 'д'), fc.constantFrom('b', 'y2'))
    .map(([a, b]) => `${a}*${b}**2*${a}`),
  fc.constantFrom('__init__', '__main__.py', 'snake_case_x', 'MAX_N_1', 'src/**/*.ts', 'COUNT(*)', '$5', '$10'),
  fc.constantFrom('\\(x_1*y_1\\)', '$a_i*b_i$', '$\\{1\\}$', '$$\\sum_{i} x_i*y_i$$', '\\[ a_1 = \\{b\\} \\]'),
)
const words = [
  'so',
  '**bold**',
  '*slanted*',
  '`code_x`',
  '因此',
  '**注意：**',
  'and',
  'سلام',
  '_also_',
  '[x](https://a.example/y_z)',
]

test('numbers, names and formulas stay among emphasis, links and code, in any order, on every channel', () => {
  const sentence = fc.array(fc.oneof(piece, fc.constantFrom(...words)), { minLength: 1, maxLength: 12 })
  const frame = fc.constantFrom('', '- ', '> ', '1. ', '## ')
  fc.assert(
    fc.property(sentence, frame, (parts, start) => {
      const source = start + parts.join(' ')
      for (const [channel, show] of channels) {
        const shown = show(source)
        for (const said of parts) if (!words.includes(said)) expect(shown, `${channel}: ${source}`).toContain(said)
      }
    }),
    runs(150),
  )
})

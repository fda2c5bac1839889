// No text makes the classifier take long: of what its expressions repeat every tenth is said over and over, and all that was slow once.
import { expect, test } from 'vitest'
import { findRepeated, findSlowText, inputs, toTexts } from './hostile-words.ts'

const repeated = await findRepeated()
const texts = toTexts(repeated.filter((_, i) => i % 10 === 0))

test('sees every group that is repeated, in both languages', () => {
  const pumps = new Set(repeated.map(([, pump]) => pump))
  for (const one of ['哪', '我', '都', 'more ', 'be ', 'to', ' please']) expect(pumps, one).toContain(one)
  expect(texts.length).toBeGreaterThan(50)
})

test.each(inputs)(
  'a word over and over is classified at once as %s',
  (_, toInput) => {
    expect(findSlowText(texts, toInput)).toBeUndefined()
  },
  120_000,
)

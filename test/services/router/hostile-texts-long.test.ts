// No text makes the classifier take long: whatever its expressions repeat is said over and over, as message and as the bot's reply.
import { expect, test } from 'vitest'
import { findRepeated, findSlowText, inputs, toTexts } from './hostile-words.ts'

const texts = toTexts(await findRepeated())

test.each(inputs)(
  'a word over and over is classified at once as %s',
  (_, toInput) => {
    expect(findSlowText(texts, toInput)).toBeUndefined()
  },
  120_000,
)

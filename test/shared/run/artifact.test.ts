// What is kept of a text that is too long to be kept whole.
import { expect, test } from 'vitest'
import { mostArtifactBytes, toKeptText } from '#shared/run/artifact.ts'

test('a text is kept whole up to 256 KB of UTF-8', () => {
  const text = 'a'.repeat(mostArtifactBytes)
  expect(toKeptText(text)).toEqual({ text, cut: false })
  expect(toKeptText(`${text}b`)).toEqual({ text, cut: true })
})

test.each([
  ['two', 'ü'],
  ['three', '长'],
  ['four', '🙂'],
])('a sign of %s bytes is not cut within', (_, sign) => {
  for (const before of ['', 'a', 'ab', 'abc']) {
    const { text, cut } = toKeptText(before + sign.repeat(mostArtifactBytes))
    expect(cut).toBe(true)
    expect(text.replaceAll(sign, '')).toBe(before)
    const bytes = Buffer.byteLength(text)
    expect(bytes).toBeLessThanOrEqual(mostArtifactBytes)
    expect(bytes).toBeGreaterThan(mostArtifactBytes - 4)
  }
})

test('half a character is mended', () => {
  expect(toKeptText('a\ud83d').text).toBe('a\ufffd')
})

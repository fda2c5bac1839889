// The estimate against the real vocabularies. gpt-tokenizer is a development dependency: it costs 50 MB, so never at run time.
import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as encodeO200k } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { oneTokenCharacters, oneTokenWords } from '#shared/model/token-tables.ts'
import { sampleKinds, seededRandom } from './token-samples.ts'

const samplesPerKind = 400

/** Mean error to o200k_base that the docstring states, per kind of natural text, in percent. */
const statedErrors: Record<string, number> = { chinese: 6, english: 5, code: 13, json: 15, markdown: 9, mixed: 8 }

type Measured = { readonly text: string; readonly o200k: number; readonly most: number }

const measured = new Map<string, readonly Measured[]>()

/** Samples of a kind with what they really cost, which takes long to count. */
function measure({ name, make }: (typeof sampleKinds)[number]): readonly Measured[] {
  const random = seededRandom(404)
  const found =
    measured.get(name) ??
    Array.from({ length: samplesPerKind }, () => {
      const text = make(random)
      const o200k = encodeO200k(text).length
      return { text, o200k, most: Math.max(o200k, encodeCl100k(text).length) }
    })
  measured.set(name, found)
  return found
}

describe('estimateTokens', () => {
  it('bounds at least 99.9 % of samples from above, hostile ones included', () => {
    let broken = 0
    for (const kind of sampleKinds) {
      for (const { text, most } of measure(kind)) if (estimateTokens(text).upperBound < most) broken++
    }
    expect(broken).toBeLessThanOrEqual((sampleKinds.length * samplesPerKind) / 1000)
  })

  it('keeps the bound within 2.2 times the real count of natural text', () => {
    for (const kind of sampleKinds.filter((each) => each.natural)) {
      const long = measure(kind).filter((each) => each.most >= 100)
      const bound = long.reduce((sum, each) => sum + estimateTokens(each.text).upperBound, 0)
      expect(bound / long.reduce((sum, each) => sum + each.o200k, 0), kind.name).toBeLessThan(2.2)
    }
  })

  it('has the mean error that its documentation states', () => {
    for (const [name, percent] of Object.entries(statedErrors)) {
      const kind = sampleKinds.find((each) => each.name === name)
      if (!kind) throw new Error(`no samples named ${name}`)
      const long = measure(kind).filter((each) => each.o200k >= 20)
      const errors = long.map((each) => Math.abs(estimateTokens(each.text).tokens - each.o200k) / each.o200k)
      expect((100 * errors.reduce((sum, each) => sum + each, 0)) / errors.length, name).toBeLessThan(percent)
    }
  })

  it('lists only characters and words that really are one token', () => {
    for (const character of oneTokenCharacters) {
      expect(Math.max(encodeO200k(character).length, encodeCl100k(character).length), character).toBe(1)
    }
    for (const word of oneTokenWords) {
      const text = ` ${word}`
      expect(Math.max(encodeO200k(text).length, encodeCl100k(text).length), word).toBe(1)
    }
  })

  it('takes the empty text, lone surrogates and a megabyte', () => {
    expect(estimateTokens('')).toEqual({ tokens: 0, upperBound: 0 })
    expect(estimateTokens('\ud83d').upperBound).toBeGreaterThanOrEqual(3)
    expect(estimateTokens('消息'.repeat(500_000)).tokens).toBeGreaterThan(500_000)
  })
})

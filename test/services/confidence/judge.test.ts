// The judge against labelled answers and in its properties. `first` was written before any rule; each of the others but `rare` was scored once
// before the rules saw it (accuracy/macro-F1): second 0.82/0.82, third 0.87/0.87, fourth 0.80/0.79, fifth 0.78/0.79, sixth 0.85/0.85.
// `rare` has what they do not: a case for each further verdict.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { judge, verdicts } from '#services/confidence/judge.ts'
import { confidences, type Confidence } from '#services/confidence/verdict.ts'
import { runs } from '#test/rig/property-runs.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

const labelled = z.object({
  question: z.string(),
  answer: z.string(),
  tools: z.array(z.object({ name: z.string(), ok: z.boolean() })),
  facts: z.array(z.string()).optional(),
  label: z.enum(confidences),
})
type Labelled = z.infer<typeof labelled>
const sets = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'rare'] as const
const loadSet = (name: string): readonly Labelled[] =>
  readFileSync(new URL(`labelled/${name}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => labelled.parse(JSON.parse(line)))

type Result = { readonly wanted: Confidence; readonly got: Confidence; readonly told: string }
const judgeAll = (cases: readonly Labelled[]): readonly Result[] =>
  cases.map(({ label: wanted, ...given }) => {
    const { confidence: got, rule } = judge(given)
    return { wanted, got, told: `${given.question} | ${given.answer} → ${got} (${rule}), wanted ${wanted}` }
  })

const accuracyOf = (results: readonly Result[]): number =>
  results.filter(({ wanted, got }) => wanted === got).length / results.length

function macroF1Of(results: readonly Result[]): number {
  const f1 = confidences.map((level) => {
    const count = (fits: (result: Result) => boolean): number => results.filter(fits).length
    const right = count(({ wanted, got }) => wanted === level && got === level)
    return (2 * right) / (count(({ wanted }) => wanted === level) + count(({ got }) => got === level))
  })
  return f1.reduce((sum, one) => sum + one, 0) / f1.length
}

describe('labelled answers', () => {
  it.each(sets)('are judged as their labels say in %s', (name) => {
    const results = judgeAll(loadSet(name))
    const misses = results.filter(({ wanted, got }) => wanted !== got).map(({ told }) => told)
    expect(accuracyOf(results), misses.join('\n')).toBeGreaterThanOrEqual(0.92)
    expect(macroF1Of(results), misses.join('\n')).toBeGreaterThanOrEqual(0.9)
  })

  it('are at least 120, in both languages evenly, none twice, a third of them misleading in their words', () => {
    const cases = sets.flatMap(loadSet)
    expect(cases.length).toBeGreaterThanOrEqual(120)
    const zh = cases.filter(({ question }) => /\p{Script=Han}/u.test(question)).length
    expect(Math.abs(zh / cases.length - 0.5)).toBeLessThan(0.05)
    expect(new Set(cases.map((one) => JSON.stringify(one))).size).toBe(cases.length)
  })
})

describe('the verdicts', () => {
  it('each have a name of their own and say in a sentence why', () => {
    expect(new Set(verdicts.map(({ rule }) => rule)).size).toBe(verdicts.length)
    expect(verdicts.filter(({ reason }) => !/^[A-Z].{10,}\.$/u.test(reason))).toEqual([])
  })

  it('are each needed by a labelled answer', () => {
    const met = new Set(sets.flatMap(loadSet).map((one) => judge(one).rule))
    expect(verdicts.map(({ rule }) => rule).filter((rule) => !met.has(rule))).toEqual([])
  })
})

describe('properties', () => {
  const words = fc.constantFrom(
    '可能',
    '我不知道',
    'maybe ',
    '失败',
    'done',
    '？',
    '“',
    '`',
    '（',
    'I ',
    '\ud800',
    '9 点',
    ' ',
  )
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 40 }).map((all) => all.join('')),
  )
  const anyTool = fc.record({ name: anyText, ok: fc.boolean() })

  it('never throws, says one of three, and the same twice', () => {
    const any = fc.record({
      question: anyText,
      answer: anyText,
      tools: fc.array(anyTool, { maxLength: 5 }),
      facts: fc.array(anyText, { maxLength: 5 }),
    })
    fc.assert(
      fc.property(any, (given) => {
        const once = judge(given)
        expect(confidences).toContain(once.confidence)
        expect(judge(given)).toEqual(once)
      }),
      runs(300),
    )
  })

  it('never calls high what rests on a tool that failed, unless the person had confirmed it', () => {
    fc.assert(
      fc.property(anyText, anyText, (question, answer) => {
        expect(judge({ question, answer, tools: [{ name: 'mail_send', ok: false }] }).confidence).not.toBe('high')
      }),
      runs(300),
    )
  })

  it.each([
    'a',
    '可能',
    '😀',
    '“',
    '`',
    '(',
    '？',
    'I am not sure. ',
    'as you told me ',
    '9 ',
    '> ',
    '```\n',
    "'x",
    '. ',
  ])('takes little time for 256 KB of %j, wherever it stands', (unit) => {
    const text = unit.repeat(Math.ceil(256_000 / unit.length))
    const facts = Array.from({ length: 100 }, () => text)
    judge({ question: 'warm', answer: 'up', tools: [] })
    const beganMs = processorMs()
    judge({ question: text, answer: text, tools: [], facts })
    expect(processorMs() - beganMs).toBeLessThan(200)
  })
})

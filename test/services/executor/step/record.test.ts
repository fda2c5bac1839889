// What is kept of a turn that ends: bounded whatever people wrote and models answered, and readable again.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordTurn, recordWork } from '#services/executor/step/record.ts'
import { aboutOf, taintOf, type OpenTurn } from '#services/executor/run/open-turn.ts'
import { mostRecordBytes, turnRecord, workRecord } from '#shared/run/record.ts'
import { message, wonPress } from '#test/rig/events.ts'
import { started, toBody, toRow, wrote } from '#test/rig/journal-entries.ts'
import { runs } from '#test/rig/property-runs.ts'

const session = { id: 's1', startedAt: 0, lastAt: 0 }
const record = (asked: string, answer: string, more: Partial<OpenTurn> = {}, context: readonly string[] = []) => {
  const turn: OpenTurn = { start: started(), entries: [started(), wrote('x')], ...more }
  const parts = context.map((name) => ({ name, source: 'own' as const, text: 'long', reason: name.repeat(200) }))
  const events = [message({ messageId: '7' })]
  const facts = { turn, events, about: aboutOf(turn, events), taint: taintOf(turn), language: 'en' } as const
  const kept = recordTurn({ session, context: parts }, { facts, ending: 'answered', endedAt: 2000, asked, answer })
  if (kept.kind !== 'turn') throw new Error('It is no turn.')
  return kept
}
const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

test('what is short is kept whole, with the messages that it came of', () => {
  const kept = record('why?', 'so')
  expect(kept.about).toEqual(['7'])
  expect(kept.record).toMatchObject({ asked: 'why?', answer: 'so', begunAt: 1000, endedAt: 2000, model: 'm' })
})

test('it says which messages are its own where its prompt was given others', () => {
  expect(record('why?', 'so').record).not.toHaveProperty('own')
  const turn: OpenTurn = { start: started(), entries: [started(), wrote('x')] }
  const facts = { turn, events: [message({ messageId: '7' })], about: ['1', '7'], taint: [], language: 'en' } as const
  const said = { ending: 'answered', endedAt: 2000, asked: 'why?', answer: 'so' } as const
  expect(recordTurn({ session }, { facts, ...said })).toMatchObject({ about: ['1', '7'], record: { own: ['7'] } })
})

test('of what is long head and tail are kept; a short question leaves its room to the answer', () => {
  const [asked, answer] = [`begin ${'长'.repeat(9000)} end`, `first ${'x'.repeat(50_000)} last`]
  const both = record(asked, answer).record
  for (const [text, head, tail] of [
    [both.asked, 'begin 长', '长 end'],
    [both.answer, 'first x', 'x last'],
  ] as const) {
    expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
    expect(text.length).toBeGreaterThan(600)
  }
  expect(record('why?', answer).record.answer.length).toBeGreaterThan(1.3 * both.answer.length)
})

test('property: a record has 8 KB at most and can be read again, whatever is in it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20_000 }),
    fc.nat(30_000).map((n) => '\u0001'.repeat(n)),
    fc.nat(30_000).map((n) => '\ud800'.repeat(n)),
    fc.nat(30_000).map((n) => '\u{1f600}'.repeat(n)),
  )
  const names = fc.array(fc.string({ maxLength: 40 }), { maxLength: 100 })
  fc.assert(
    fc.property(text, text, names, names, (asked, answer, tools, context) => {
      const toolCalls = tools.map((name, i) => ({ id: `c${i}`, name, arguments: '{}' }))
      const entries = [started(), wrote('x', { toolCalls, model: 'm'.repeat(300) })]
      const kept = record(asked, answer, { entries }, context).record
      expect(bytes(kept)).toBeLessThanOrEqual(mostRecordBytes)
      expect(turnRecord.parse(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
    }),
    runs(100),
  )
})

test('a record with many tools and parts of the prompt that are told in long words has 8 KB at most, and room for its texts', () => {
  const toolCalls = Array.from({ length: 50 }, (_, i) => ({ id: `c${i}`, name: 'x'.repeat(64), arguments: '{}' }))
  const entries = [started(), wrote('x', { toolCalls })]
  for (const [asked, answer] of [
    ['hi', 'ho'],
    ['好'.repeat(5000), '好'.repeat(5000)],
  ] as const) {
    const parts = Array.from({ length: 20 }, () => '好')
    const kept = record(asked, answer, { entries }, parts).record
    expect(bytes(kept)).toBeLessThanOrEqual(mostRecordBytes)
    expect(kept.answer.length).toBeGreaterThanOrEqual(Math.min(answer.length, 300))
    expect(kept.asked.length).toBeGreaterThanOrEqual(Math.min(asked.length, 300))
    expect(Math.min(kept.tools.length, kept.context.length)).toBeGreaterThan(4)
  }
})

test('what a feature did about an answer is kept with the choice and what was said', () => {
  const done = { work: 'e3-x', feature: 'notes', principal: 'web:ann', about: ['7'], taint: [], atMs: 9 }
  const event = wonPress({ choice: 'yes', about: 'notes.keep' })
  const kept = recordWork(event, { ...done, rows: [toRow('e3-x-0', toBody('y'.repeat(20_000)))] })
  expect(kept).toMatchObject({
    kind: 'work',
    about: ['7'],
    record: { what: 'notes.keep', choice: 'yes', ended: 'answer' },
  })
  if (kept.kind !== 'work') throw new Error('It is no work.')
  expect(bytes(kept.record)).toBeLessThanOrEqual(mostRecordBytes)
  expect(workRecord.parse(kept.record)).toEqual(kept.record)
})

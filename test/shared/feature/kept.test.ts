// What is kept of anybody's words goes with all that is known of where they come from. A feature that would forget it does not compile: each line
// below an `@ts-expect-error` is one that somebody might write, and the type check fails when one of them passes.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  keeper,
  keepWhole,
  keptOf,
  ours,
  peek,
  peekHash,
  readRetold,
  retell,
  rework,
  tell,
  toOurs,
  type Kept,
} from '#shared/feature/kept.ts'
import type { Given } from '#shared/feature/context-part.ts'
import { storable, type Slice } from '#shared/feature/slice.ts'
import type { ToolContext, ToolResult } from '#shared/model/tool.ts'
import { toolContext } from '#test/rig/tool-context.ts'
import { runs } from '#test/rig/property-runs.ts'

const [ann, bob] = ['web:ann', 'web:bob']
const byAnn = keeper({ by: ann, about: ['m1'] })
const byBob = keeper({ by: bob, about: ['m2'] })
const tainted = keeper({ by: ann, taint: ['page'], about: ['m3'] })
const read = (kept: readonly Kept[], principal = ann) =>
  readRetold(retell(kept, { principal }, (texts) => texts.join(' ')))

test('words are a person’s own for that person alone, and only where nothing of others is in them', () => {
  expect(read([byAnn('a'), byAnn('b')])).toEqual({ text: 'a b', source: 'person', taint: [], about: ['m1'] })
  expect(read([byAnn('a')], bob)).toMatchObject({ source: 'others', taint: ['another member'] })
  expect(read([byAnn('a'), byBob('b')])).toEqual({
    text: 'a b',
    source: 'others',
    taint: ['another member'],
    about: ['m1', 'm2'],
  })
  expect(read([byAnn('a'), tainted('b')])).toMatchObject({ source: 'others', taint: ['page'], about: ['m1', 'm3'] })
  expect(read([])).toMatchObject({ source: 'own', taint: [] })
})

test('where the bot’s words are among them it is nobody’s order, and taint stays', () => {
  const said = keeper({ source: 'own', taint: ['page'], about: ['m4'] })
  expect(read([said('a')])).toMatchObject({ source: 'own', taint: ['page'] })
  expect(read([byAnn('a'), said('b')])).toMatchObject({ source: 'own', taint: ['page'] })
  expect(read([keeper({ source: 'others', about: [] })('a')])).toMatchObject({ source: 'others' })
})

test('a message that tells of them goes with theirs', () => {
  expect(tell([byAnn('a'), tainted('b')], (texts) => texts.join(' and '))).toEqual({
    kind: 'send',
    text: 'a and b',
    about: ['m1', 'm3'],
    taint: ['page'],
  })
})

test('what is made of kept words is as much theirs, and goes with their messages', () => {
  expect(rework(tainted('a'), (text) => ({ text, more: 1 })).toJSON()).toEqual({
    ...tainted('a').toJSON(),
    value: { text: 'a', more: 1 },
  })
  const made = keepWhole([rework(byAnn('a'), (text) => `${text}!`)], { principal: ann }, ([text = '']) => ({
    name: 'a',
    text,
  }))
  expect(made).toEqual({ kind: 'artifact', name: 'a', text: 'a!', source: 'own', taint: [], about: ['m1'] })
  const compose = (): { name: string; text: string } => ({ name: 'a', text: 'b' })
  expect(keepWhole([tainted('a')], { principal: ann }, compose)).toMatchObject({ source: 'others', taint: ['page'] })
  expect(keepWhole([byAnn('a')], { principal: bob }, compose)).toMatchObject({
    source: 'others',
    taint: ['another member'],
  })
})

test('of kept words a hash may be looked at, and nothing that could be a word', () => {
  const name = `f-${'0a'.repeat(32)}`
  expect(peekHash(byAnn('a'), () => name)).toBe(name)
  expect(peekHash(byAnn('a'), () => undefined)).toBeUndefined()
  for (const text of ['a', `${name}a`, `F-${'0a'.repeat(32)}`, `${name}\n`])
    expect(() => peekHash(byAnn(text), (value) => value)).toThrow('What was looked at is no hash')
})

test('nothing of it is lost when it is stored and read again', () => {
  const origin = fc.record(
    {
      source: fc.constantFrom('own' as const, 'person' as const, 'others' as const),
      by: fc.constantFrom(ann, bob),
      taint: fc.array(fc.constantFrom('page', 'another member'), { minLength: 1, maxLength: 2 }),
      about: fc.array(fc.constantFrom('m1', 'm2', 'm3')),
    },
    { requiredKeys: ['about'] },
  )
  const schema = keptOf(z.object({ text: z.string() }))
  fc.assert(
    fc.property(origin, fc.string(), (from, text) => {
      const kept = keeper(from)({ text })
      const again = schema.parse(JSON.parse(JSON.stringify(kept)))
      expect(JSON.stringify(again)).toBe(JSON.stringify(kept))
      const tellAll = (one: Kept<{ text: string }>) =>
        readRetold(retell([one], { principal: ann }, ([each]) => each?.text ?? ''))
      expect(tellAll(again)).toEqual(tellAll(kept))
    }),
    runs(100),
  )
})

test('a text that only looks like one is none', () => {
  expect(readRetold({ text: 'x', source: 'person', taint: [], about: [] })).toBeUndefined()
  expect(readRetold('x')).toBeUndefined()
  expect(() => keptOf(z.string()).parse('x')).toThrow('expected object')
})

const note = z.object({ id: z.number(), text: z.string() })
const keptNote = z.object({ id: z.number(), who: ours, said: keptOf(z.string()) })
type Notes = { readonly notes: readonly z.infer<typeof keptNote>[] }
const context: ToolContext = toolContext
const [one] = [byAnn('secret')]

/** None of it is ever called. */
export const refused = {
  // @ts-expect-error a slice keeps no plain text
  aSlice: () => storable(z.object({ notes: z.array(note).readonly() })),
  // @ts-expect-error nor in an optional field, deep below
  anOption: () => storable(z.object({ a: z.object({ b: z.record(z.string(), z.string()).optional() }) })),
  // @ts-expect-error nor is a schema one of a slice by itself
  aSchema: (): Slice<Notes>['schema'] => z.object({ notes: z.array(keptNote) }),
  // @ts-expect-error an input is not kept as it came
  anInput: (text: string): Notes => ({ notes: [{ id: 1, who: toOurs(ann), said: text }] }),
  // @ts-expect-error what is kept is no text
  aText: (): string => one,
  // @ts-expect-error and has no value that could be taken out of it
  aValue: (): string => one.value,
  // @ts-expect-error so it cannot be given back as the bot's own words
  asOwn: (): ToolResult => ({ text: one, source: 'own' }),
  // @ts-expect-error nor can what was made of it be taken apart
  apart: (): ToolResult => ({ text: retell([one], context, ([text = '']) => text).text, source: 'own' }),
  // @ts-expect-error nor a message
  aMessage: (): string => tell([one], ([text = '']) => text).text,
  // @ts-expect-error a look tells no words
  aLook: (): string => peek([one], ([text = '']) => text),
  // @ts-expect-error nobody says by hand that a result is a person's
  asPerson: (): ToolResult => ({ text: 'x', source: 'person' }),
  // @ts-expect-error and a part of the prompt is given as it is known
  aPart: (): Given => ({ text: one, reason: 'known' }),
}

/** And so it is meant. */
export const allowed = {
  aSlice: (): Slice<Notes>['schema'] => storable(z.object({ notes: z.array(keptNote).readonly() })),
  anInput: (text: string): Notes => ({ notes: [{ id: 1, who: toOurs(ann), said: context.keep(text) }] }),
  aResult: (): ToolResult => ({ text: retell([one], context, ([text = '']) => text) }),
  aPart: (): Given => ({ text: retell([one], context, ([text = '']) => text), reason: 'known' }),
  aLook: (): boolean => peek([one], ([text]) => text === 'x'),
}

// How long what was found of a model holds: lost tools for an hour, held thoughts until an answer has none.
import { expect, test } from 'vitest'
import { widestDialect } from '#infra/models/dialects.ts'
import { createKnownDialects } from '#infra/models/known-dialects.ts'

test('tools that were refused are tried again after an hour, and all else stays', () => {
  let nowMs = 0
  const said: string[] = []
  const known = createKnownDialects({ now: () => nowMs, say: (what) => said.push(what) })
  known.keep('m', { ...widestDialect, systems: 'one', sendsTools: false })
  expect(known.of('m')).toMatchObject({ systems: 'one', sendsTools: false })
  nowMs += 3_600_001
  expect(known.of('m')).toMatchObject({ systems: 'one', sendsTools: true })
  known.keep('m', { ...known.of('m'), sendsTools: false })
  expect(known.of('m').sendsTools).toBe(false)
  expect(new Set(said).size).toBe(said.length)
  expect(known.of('other')).toEqual(widestDialect)
})

test('thoughts are held after two such answers in a row, until an answer has none', () => {
  const known = createKnownDialects()
  const note = (...all: readonly boolean[]): boolean => {
    for (const one of all) known.noteThoughts('m', one)
    return known.thinksAloud('m')
  }
  expect(note(true)).toBe(false)
  expect(note(false, true)).toBe(false)
  expect(note(true)).toBe(true)
  expect(known.thinksAloud('other')).toBe(false)
  expect(note(false)).toBe(false)
})

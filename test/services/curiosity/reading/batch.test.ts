// Which turns are read together: each once, three at most, and what is silent for long enough at once.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findBatch, hasAsked, silentMs } from '#services/curiosity/reading/batch.ts'
import { runs } from '#test/rig/property-runs.ts'

/** Turns that end so long after each other. */
function toTurns(gaps: readonly number[]) {
  let endedAt = 0
  return gaps.map((gap, n) => ({ turn: `t${n}`, endedAt: (endedAt += gap) }))
}
const read = (gaps: readonly number[]): readonly string[] =>
  toTurns(gaps).flatMap(({ turn }, _, all) => {
    const batch = findBatch(all, turn)
    return batch ? [batch.turns.map((one) => one.turn).join('')] : []
  })

test('three at once, the rest when they are silent', () => {
  expect(read([0, 1, 1, 1, 1])).toEqual(['t0t1t2', 't3t4'])
  expect(read([0, silentMs, 1, silentMs])).toEqual(['t0', 't1t2', 't3'])
  expect(findBatch(toTurns([0, 1, 1]), 't2')?.isFull).toBe(true)
  expect(findBatch(toTurns([0, 1]), 't1')?.isFull).toBe(false)
  expect(findBatch(toTurns([0, 1]), 'none')).toBeUndefined()
})

test('each turn is read once, whenever turns end', () => {
  const gap = fc.oneof(fc.integer({ min: 0, max: silentMs - 1 }), fc.integer({ min: silentMs, max: 10 * silentMs }))
  fc.assert(
    fc.property(fc.array(gap, { minLength: 1, maxLength: 30 }), (gaps) => {
      const all = toTurns(gaps).map(({ turn }) => turn)
      expect(read(gaps).join('')).toBe(all.join(''))
    }),
    runs(100),
  )
})

test('what was read when a turn was the last one is not read again with the next', () => {
  const before = toTurns([0, 1])
  const after = toTurns([0, 1, silentMs])
  expect(findBatch(before, 't1')?.turns).toHaveLength(2)
  expect(findBatch(after, 't2')?.turns.map(({ turn }) => turn)).toEqual(['t2'])
})

test.each([
  ['plan the retro', true],
  ['  ', false],
  ['/questions now', false],
  ['⟦reply to Ben; not the sender’s words⟧\n> plan the retro\n⟦end of quote⟧', false],
])('%j asks something: %s', (asked, has) => {
  expect(hasAsked({ asked })).toBe(has)
})

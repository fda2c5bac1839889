// MEMORY.md is read as it was printed, whatever is kept.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '#test/rig/property-runs.ts'
import { printedIsRead, sentBackChangesNothing, sentBackWithoutSigns } from './round-trip.ts'

test.each([
  ['what is printed is read as it was', printedIsRead],
  ['what is sent back as it was given changes nothing', sentBackChangesNothing],
  ['nor does it without the signs behind its lines', sentBackWithoutSigns],
])('over 1,000 random memories: %s', (_, property) => {
  expect(fc.check<unknown>(property, runs(1000))).toMatchObject({ failed: false, counterexample: null })
})

// The same at length.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '#test/rig/property-runs.ts'
import { printedIsRead, sentBackChangesNothing, sentBackWithoutSigns } from './round-trip.ts'

test.each([
  ['what is printed is read as it was', printedIsRead],
  ['what is sent back as it was given changes nothing', sentBackChangesNothing],
  ['nor does it without the signs behind its lines', sentBackWithoutSigns],
])('over 10,000 random memories: %s', { timeout: 300_000 }, (_, property) => {
  expect(fc.check<unknown>(property, runs(10_000))).toMatchObject({ failed: false, counterexample: null })
})

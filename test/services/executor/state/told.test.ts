// Which conversations were told of which messages: bounded however much is told, and always right about what was told last.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findTold, tell, toForeign, told, withoutTold, type Told } from '#services/executor/state/told.ts'
import { runs } from '#test/rig/property-runs.ts'

const rooms = Array.from({ length: 100 }, (_, nth) => `telegram:${String(nth).padStart(64, '9')}:${'t'.repeat(64)}`)
const letters = fc.array(
  fc.record({
    to: fc.constantFrom(...rooms),
    about: fc.uniqueArray(
      fc.nat(400).map((nth) => String(nth).padStart(64, 'm')),
      { maxLength: 200 },
    ),
  }),
  { minLength: 1, maxLength: 20 },
)

test('it stays small, can be stored, and knows all of the last letter', () => {
  fc.assert(
    fc.property(letters, (all) => {
      let now: Told = []
      for (const { to, about } of all) {
        now = tell(now, to, about)
        expect(JSON.stringify(now).length).toBeLessThan(20_000)
        expect(told.parse(JSON.parse(JSON.stringify(now)))).toEqual(now)
        expect(about.filter((id) => !findTold(now, id).includes(to))).toEqual([])
      }
    }),
    runs(30),
  )
})

test('a letter about very many messages leaves what others were about', () => {
  const many = Array.from({ length: 200 }, (_, i) => `many${i}`)
  expect(findTold(tell(tell([], 'web:a', ['one']), 'web:a', many), 'one')).toEqual(['web:a'])
})

test('a forgotten message was told to nobody, and what else was told stays', () => {
  const before = tell(tell(tell([], 'web:a', ['1', '2']), 'web:b', ['2']), 'web:a', ['3'])
  expect(findTold(before, '2')).toEqual(['web:b', 'web:a'])
  const after = withoutTold(before, '2')
  expect(after).toEqual([{ to: 'web:a', about: ['1', '3'] }])
  expect(findTold(after, '2')).toEqual([])
})

test('a message has one name elsewhere, which no other message has, and which stays as it goes on', () => {
  const name = toForeign('telegram:1', '7')
  expect(name).toMatch(/^~[\w-]{22}$/)
  expect(toForeign('telegram:1', '7')).toBe(name)
  expect(toForeign('telegram:2', '7')).not.toBe(name)
  expect(toForeign('telegram:1', '8')).not.toBe(name)
  expect(toForeign('telegram:2', name)).toBe(name)
})

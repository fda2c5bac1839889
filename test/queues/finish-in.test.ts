// Facts about work that is ended when it takes too long.
import { expect, test } from 'vitest'
import { boundClassify } from '#infra/processes/router.ts'
import { finishIn } from '#queues/finish-in.ts'
import type { Classify } from '#services/router/classify.ts'

/** Twice as long with each sign; with sixty it would not end in a lifetime. */
const runsAway = (): boolean => /^(?:a|a)*$/u.test(`${'a'.repeat(60)}!`)

test('ends a regular expression in the middle of its search, and works on', () => {
  expect(finishIn(20, runsAway)).toBeUndefined()
  expect(finishIn(10_000, () => 'fine')).toBe('fine')
})

test('throws what the work throws', () => {
  expect(() =>
    finishIn(10_000, () => {
      throw new TypeError('of its own')
    }),
  ).toThrow(TypeError)
})

test('a text that takes too long is an ordinary question, and the operator is told', () => {
  const told: string[] = []
  const slow: Classify = () => ({ ...ordinary, complex: runsAway() })
  const ordinary = { type: 'task', depth: 'deep', complex: false, rule: 'task.steps', confidence: 'high' } as const
  const classify = boundClassify(slow, (what) => told.push(what), 20)
  expect(classify({ text: 'anything' })).toEqual({
    type: 'query',
    depth: 'standard',
    complex: false,
    rule: 'query.unread',
    confidence: 'low',
  })
  expect(told).toEqual([expect.stringContaining('8 characters')])
  expect(
    boundClassify(
      () => ordinary,
      (what) => told.push(what),
    )({ text: 'anything' }),
  ).toEqual(ordinary)
  expect(told).toHaveLength(1)
})

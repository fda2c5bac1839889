// What is tried when a call failed: what may be repeated, each way once, in one order.
import { expect, test } from 'vitest'
import type { Tool } from '#shared/model/tool.ts'
import { nextTry, toCrashRule, toTry, type Tried } from '#services/executor/gateway/tries.ts'
import { look } from '#test/services/executor/stage.ts'

const call = { id: 'a', name: 'look', arguments: '{"n":9}' }
const other: Tool = { ...look, name: 'other' }
const whole: Tool = { ...look, insteadOf: 'other', smaller: () => ({ n: 1 }) }
const write: Tool = { ...whole, effect: 'write', onCrash: 'rerun-with-key' }
const had = (...hows: readonly Tried['how'][]): readonly Tried[] => hows.map((how) => ({ how, since: 'it broke' }))
const next = (tool: Tool, tried: readonly Tried[] = [], afterMs: number | undefined = 5, isApproved = false) =>
  nextTry({ call, tools: [tool, other], tried, failure: { afterMs }, isApproved })

test('first the same where it passes, then less, then the other tool, and then nothing', () => {
  expect(next(whole)).toEqual({ how: 'same', call })
  expect(next(whole, had('same'))).toEqual({ how: 'smaller', call: { ...call, arguments: '{"n":1}' } })
  expect(next(whole, had('same', 'smaller'))).toEqual({ how: 'instead', call: { ...call, name: 'other' } })
  expect(next(whole, had('same', 'smaller', 'instead'))).toBeUndefined()
})

test.each<[string, Tool, readonly Tried[], number | undefined, string | undefined]>([
  ['what does not say that it passes is not tried as it is', whole, [], undefined, 'smaller'],
  ['nor what asks for more patience than a turn has', whole, [], 60_000, 'smaller'],
  ['what has no less goes to the other tool', { ...whole, smaller: () => undefined }, had('same'), 5, 'instead'],
  ['so does what would be the same', { ...whole, smaller: (input) => input }, had('same'), 5, 'instead'],
  ['and what cannot say', { ...whole, smaller: () => Reflect.get({}, 'a').b }, had('same'), 5, 'instead'],
  ['a tool that is not there is none', { ...look, insteadOf: 'gone' }, had('same'), 5, undefined],
  ['nor is the tool itself', { ...look, insteadOf: 'look' }, had('same'), 5, undefined],
  ['a write goes by no other tool, which knows nothing of its key', write, had('same', 'smaller'), 5, undefined],
  ['a write with less needs a key that is honoured', { ...write, onCrash: 'rerun' }, had('same'), 5, undefined],
  ['what must not be repeated is not', { ...write, onCrash: 'ask' }, [], 5, undefined],
  ['nor where the call itself says so', { ...write, onCrash: () => 'ask' }, [], 5, undefined],
  [
    'what sends something out does not go by what sends otherwise',
    { ...whole, smaller: () => undefined, sends: { what: 'query', argument: 'q' } },
    had('same'),
    5,
    undefined,
  ],
])('%s', (_, tool, tried, afterMs, how) => {
  expect(nextTry({ call, tools: [tool, other], tried, failure: { afterMs }, isApproved: false })?.how).toBe(how)
})

test('a write with a key that is honoured is made with less', () => {
  expect(next(write, had('same'))?.how).toBe('smaller')
})

test('what a person approved is repeated as it is, and not made otherwise', () => {
  expect(next(whole, [], 5, true)?.how).toBe('same')
  expect(next(whole, had('same'), 5, true)).toBeUndefined()
})

test('a way that was journaled by a release whose tool had it is no way any more', () => {
  expect(toTry(call, 'instead', [look])).toBeUndefined()
  expect(toTry(call, 'same', [])).toBeUndefined()
})

test('arguments that cannot be judged are not sent again', () => {
  expect(toCrashRule({ onCrash: () => 'rerun' }, { arguments: '{' })).toBe('ask')
  expect(toCrashRule({ onCrash: () => 'rerun' }, { arguments: '' })).toBe('rerun')
  expect(toCrashRule({ onCrash: 'rerun' }, { arguments: '{' })).toBe('rerun')
})

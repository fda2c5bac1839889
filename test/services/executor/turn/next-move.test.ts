// What a turn does next, branch by branch.
import { expect, test } from 'vitest'
import { defaultLimits } from '#shared/run/turn-limits.ts'
import { mayJoin, nextMove, type Circumstances } from '#services/executor/turn/next-move.ts'
import { call, done, openTurn as turn, said, startedAtMs as startedAt } from '#test/rig/journal-entries.ts'

const calm: Circumstances = {
  interruption: undefined,
  nowMs: startedAt,
  limits: defaultLimits,
  joinable: [],
  reads: () => false,
}

test('the model is asked first, whatever waits but a correction', () => {
  expect(nextMove(turn(), calm)).toEqual({ kind: 'ask-model' })
  expect(mayJoin(turn(), false)).toBe(false)
  expect(mayJoin(turn(), true)).toBe(true)
  expect(nextMove(turn(), { ...calm, joinable: [2] })).toEqual({ kind: 'join', events: [2] })
})

test('its calls are made in order, each that has no result, before anything joins', () => {
  const two = [said(0, 'a', 'b')]
  expect(nextMove(turn(...two), { ...calm, joinable: [2] })).toEqual({ kind: 'tools', calls: [call('a')] })
  expect(nextMove(turn(...two, done(0, 'a')), { ...calm, joinable: [2] })).toEqual({
    kind: 'tools',
    calls: [call('b')],
  })
  expect(mayJoin(turn(...two, done(0, 'a')), true)).toBe(false)
})

test('a result of an earlier step with the same id is not that of this one', () => {
  expect(nextMove(turn(said(0, 'a'), done(0, 'a'), said(1, 'a')), calm)).toEqual({ kind: 'tools', calls: [call('a')] })
})

test('between two steps what waits joins, then the model is asked', () => {
  const between = turn(said(0, 'a'), done(0, 'a'))
  expect(mayJoin(between, false)).toBe(true)
  expect(nextMove(between, { ...calm, joinable: [2, 3] })).toEqual({ kind: 'join', events: [2, 3] })
  expect(nextMove(between, calm)).toEqual({ kind: 'ask-model' })
})

test.each([
  ['stopped', { kind: 'end', ending: 'stopped' }],
  ['left', { kind: 'leave' }],
  ['late', { kind: 'end', ending: 'limit:wall-time' }],
] as const)('an interruption goes before all else: %s', (interruption, move) => {
  expect(nextMove(turn(said(0, 'a')), { ...calm, interruption, joinable: [2] })).toEqual(move)
})

test.each([
  ['steps', { maxSteps: 1 }],
  ['tool-calls', { maxToolCalls: 1 }],
  ['tokens', { maxTokens: 15 }],
  ['identical-calls', { maxIdenticalCalls: 1 }],
] as const)('at the limit of %s it ends by name, below it goes on', (name, limit) => {
  const at = turn(said(0, 'a'))
  expect(nextMove(at, { ...calm, limits: { ...defaultLimits, ...limit } })).toEqual({
    kind: 'end',
    ending: `limit:${name}`,
  })
  const [[key, value] = ['', 0]] = Object.entries(limit)
  const above = { ...defaultLimits, [key]: value + 1 }
  expect(nextMove(at, { ...calm, limits: above })).toEqual({ kind: 'tools', calls: [call('a')] })
})

test('the limit of time counts from the start of the turn, whoever runs it', () => {
  const limits = { ...defaultLimits, maxWallMs: 100 }
  expect(nextMove(turn(), { ...calm, limits, nowMs: startedAt + 99 })).toEqual({ kind: 'ask-model' })
  expect(nextMove(turn(), { ...calm, limits, nowMs: startedAt + 100 })).toEqual({
    kind: 'end',
    ending: 'limit:wall-time',
  })
})

test('two calls that take turns are a circle too, twice as long; other arguments are none', () => {
  const limits = { ...defaultLimits, maxIdenticalCalls: 2 }
  const circle = ['a', 'b', 'a', 'b'].flatMap((id, step) => [said(step, id), done(step, id)])
  expect(nextMove(turn(...circle), { ...calm, limits })).toEqual({ kind: 'end', ending: 'limit:identical-calls' })
  expect(nextMove(turn(...circle.slice(0, -2)), { ...calm, limits })).toEqual({ kind: 'ask-model' })
  const others = ['a', 'b', 'c', 'd'].flatMap((id, step) => [said(step, id), done(step, id)])
  expect(nextMove(turn(...others), { ...calm, limits })).toEqual({ kind: 'ask-model' })
})

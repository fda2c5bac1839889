// A session ends by silence: what was said is gone from the prompt, what people set and what was counted stays.
import { expect, test } from 'vitest'
import { parseState, toSnapshot, touchSession } from '#services/executor/state.ts'
import { createStage, toCommand } from './stage.ts'

const hourMs = 3_600_000
const idleMs = 8 * hourMs
const startMs = Date.UTC(2026, 0, 2, 3, 4, 5)

test('a session is named by when it began, and goes on while people speak', () => {
  const state = parseState({}, startMs)
  expect(state.session.id).toBe('sess_20260102_030405')
  const later = touchSession(state, startMs + idleMs, idleMs)
  expect(later.session).toEqual({ ...state.session, lastAt: startMs + idleMs })
  expect(touchSession(later, startMs + 2 * idleMs, idleMs).session.id).toBe(state.session.id)
})

test('after longer silence a new one begins, empty, with what was set and counted', () => {
  const state = {
    ...parseState({}, startMs),
    history: [{ role: 'user', text: 'hello' } as const],
    fellOut: 3,
    depth: 'deep' as const,
    language: 'zh' as const,
    turns: 7,
  }
  const next = touchSession(state, startMs + idleMs + 1, idleMs)
  expect(next).toMatchObject({ history: [], depth: 'deep', language: 'zh', turns: 7 })
  expect(next.session).toEqual({
    id: 'sess_20260102_110405',
    startedAt: startMs + idleMs + 1,
    lastAt: startMs + idleMs + 1,
  })
  expect(next).not.toHaveProperty('fellOut')
})

test('what is left after long silence is what people set, and nothing when they set nothing', () => {
  const state = parseState({}, startMs)
  expect(toSnapshot(state).stored.rest).toBe('')
  expect(toSnapshot({ ...state, language: 'zh' }, 'zh').stored.rest, 'that of the fleet').toBe('')
  const { stored } = toSnapshot({ ...state, depth: 'deep', resize: false, lastText: 'secret' })
  expect(parseState({ snapshot: stored.rest ?? '' }, startMs)).toMatchObject({ depth: 'deep', resize: false })
  expect(stored.rest).not.toContain('secret')
})

test('a snapshot of an unknown shape is refused, not taken for an empty one', () => {
  for (const snapshot of ['{}', '{"v":2}', 'null', '', 'not json'])
    expect(() => parseState({ snapshot }, startMs), snapshot).toThrow('CORRUPT')
})

test('what a silent session said does not reach the model, and its depth still holds', async () => {
  const stage = createStage({ sessionIdleMs: 30 })
  await stage.ask('/depth deep', { as: toCommand('depth', 'deep') })
  await stage.ask('My name is Ann')
  await new Promise((resolve) => setTimeout(resolve, 40))
  await stage.ask('Who am I?')
  const [, second] = stage.requests
  expect(second?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'system'])
  expect(second?.metadata?.depth).toBe('deep')
})

test('/new ends a session at once; what was set stays', async () => {
  const stage = createStage()
  await stage.ask('/depth deep', { as: toCommand('depth', 'deep') })
  await stage.ask('My name is Ann')
  await stage.ask('/new', { as: toCommand('new') })
  await stage.ask('Who am I?')
  expect(stage.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'system'])
  expect((await stage.state()).depth).toBe('deep')
})

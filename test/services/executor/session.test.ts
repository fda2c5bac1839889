// A session ends by silence: what was said is gone from the prompt, what people set and what was counted stays.
import { storable } from '#shared/feature/slice.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createPreferences } from '#services/preferences/preferences.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import { touchSession } from '#services/executor/state/state.ts'
import { foldChange, sliceOf } from '#services/executor/state/slices.ts'
import { parseState, toStored } from '#services/executor/state/stored.ts'
import { deletion, edit, toApply, toCommand } from '#test/rig/events.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'
import { builtIn, createStage } from './stage.ts'

const hourMs = 3_600_000
const idleMs = 8 * hourMs
const startMs = Date.UTC(2026, 0, 2, 3, 4, 5)
const features = indexFeatures(builtIn)
const preferences = createPreferences(undefined)
const fresh = parseState(features, { parts: {} }, startMs)

test('a session is named by when it began, and goes on while people speak', () => {
  expect(fresh.session.id).toBe('sess_20260102_030405')
  const later = touchSession(features, fresh, { nowMs: startMs + idleMs, idleMs })
  expect(later.session).toEqual({ ...fresh.session, lastAt: startMs + idleMs })
  expect(touchSession(features, later, { nowMs: startMs + 2 * idleMs, idleMs }).session.id).toBe(fresh.session.id)
})

test('after longer silence a new one begins, empty, with what was set and counted', () => {
  const set = foldChange(features, fresh, preferences, { depth: 'deep', language: 'zh' })
  const state = { ...set, history: [{ role: 'user', source: 'person', text: 'hello' } as const], fellOut: 3, turns: 7 }
  const next = touchSession(features, state, { nowMs: startMs + idleMs + 1, idleMs })
  expect(next).toMatchObject({ history: [], prefers: { depth: 'deep', language: 'zh' }, turns: 7 })
  expect(next.session).toEqual({
    id: 'sess_20260102_110405',
    startedAt: startMs + idleMs + 1,
    lastAt: startMs + idleMs + 1,
  })
  expect(next.fellOut).toBeUndefined()
})

test('a feature says what a new session leaves of its slice', () => {
  const counting = {
    name: 'counting',
    slice: {
      schema: storable(z.number()),
      fresh: 0,
      fold: (n: number, more: number) => n + more,
      inNewSession: (n: number) => n / 2,
    },
  }
  const all = indexFeatures([counting, preferences])
  const state = foldChange(all, parseState(all, { parts: {} }, startMs), counting, 8)
  const next = touchSession(all, state, { nowMs: startMs + idleMs + 1, idleMs })
  expect(sliceOf(next, counting)).toBe(4)
})

test('what is left after long silence is what people set, and nothing when they set nothing', () => {
  expect(toStored(features, fresh).step.rest).toBe('')
  const set = foldChange(features, { ...fresh, lastText: 'secret' }, preferences, { depth: 'deep' })
  const { rest = '' } = toStored(features, set).step
  expect(parseState(features, { snapshot: rest, parts: {} }, startMs).prefers).toMatchObject({ depth: 'deep' })
  expect(rest).not.toContain('secret')
})

test('a step stores what it changed, and nothing else', () => {
  const first = toStored(features, { ...fresh, lastText: 'hello' })
  expect(Object.keys(first.step)).toEqual(['snapshot', 'parts', 'rest'])
  expect(toStored(features, first.state).step).toEqual({})
  const { snapshot = '', parts = {}, rest = '' } = first.step
  const again = parseState(features, { snapshot, parts, rest }, startMs)
  expect(toStored(features, again).step, 'also by another worker').toEqual({})
  const set = toStored(features, foldChange(features, again, preferences, { depth: 'light' }))
  expect(set.step).toEqual({ parts: { 'f.preferences': '{"depth":"light"}' }, rest: expect.stringContaining('light') })
  const later = toStored(features, { ...set.state, session: { ...fresh.session, lastAt: startMs + 1 } })
  expect(Object.keys(later.step.parts ?? {})).toEqual(['head'])
})

test('a snapshot of an unknown shape is refused, not taken for an empty one', () => {
  for (const snapshot of ['{}', '{"v":0}', 'null', '', 'not json'])
    expect(() => parseState(features, { snapshot, parts: {} }, startMs), snapshot).toThrow('CORRUPT')
  for (const parts of [{ head: '{}' }, { 'f.preferences': '{"depth":"deeper"}' }, { 'f.preferences': '' }])
    expect(() => parseState(features, { parts }, startMs), JSON.stringify(parts)).toThrow('CORRUPT')
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
  expect((await stage.state()).prefers.depth).toBe('deep')
})

test('over night only new words end a session: a command, a press, an edit and a deletion find it as it was', async () => {
  let nightMs = 0
  const stage = createStage({ now: () => Date.now() + nightMs })
  stage.answers('x'.repeat(500))
  await stage.ask('The word is zebra')
  nightMs = 9 * hourMs
  expect(await stage.ask('/export', { as: toCommand('export') })).not.toContain('empty')
  await stage.put(deletion('unknown'), toApply('delete'))
  await stage.put(edit('The word is giraffe'), toApply('edit'))
  await stage.work()
  await stage.press('Redo')
  expect(JSON.stringify(stage.requests.at(-1)?.messages)).toContain('The word is zebra')
  nightMs = 18 * hourMs
  await stage.ask('Which word?')
  expect(JSON.stringify(stage.requests.at(-1)?.messages)).not.toContain('zebra')
})

test('an answer of the next morning goes on with what the evening said', async () => {
  let nightMs = 0
  const stage = createStage({ features: [...builtIn, sampleFeature], now: () => Date.now() + nightMs })
  const calls = [
    { id: 'a', name: 'take_note', arguments: '{"text":"milk"}' },
    { id: 'b', name: 'ask_to_keep', arguments: '{}' },
  ]
  stage.answers({ toolCalls: calls })
  await stage.ask('Plan my shopping for Saturday')
  nightMs = 10 * hourMs
  await stage.press('Keep')
  expect(JSON.stringify(stage.requests.at(-1)?.messages)).toContain('for Saturday')
  expect(JSON.stringify((await stage.state()).slices.get('notes'))).toContain('milk')
})

test('a turn that another worker takes up stands in the session that it began', async () => {
  let nightMs = 0
  const stage = createStage({ now: () => Date.now() + nightMs })
  await stage.ask('The word is zebra')
  nightMs = 9 * hourMs
  await stage.say('Good morning')
  stage.loseAt(2, 'before')
  await stage.work()
  const { length } = stage.requests
  await stage.work()
  expect(stage.requests.length).toBeGreaterThan(length)
  for (const { messages } of stage.requests.slice(1)) expect(JSON.stringify(messages)).not.toContain('zebra')
  expect((await stage.state()).history.map(({ text }) => text)).toEqual(['Good morning', 'ok'])
})

test('what features make of an ended session, a deletion or a rest is read before it is kept', async () => {
  const told: string[] = []
  let nightMs = 0
  const odd = (): { n: number } => JSON.parse('{"n":"x"}')
  const own = z.object({ n: z.number() })
  const hooks = { inNewSession: odd, forget: odd, atRest: odd }
  const slice = { schema: storable(own), fresh: { n: 0 }, fold: (_: unknown, n: { n: number }) => n, ...hooks }
  const stage = createStage({
    features: [...builtIn, { name: 'odd', slice, prefers: () => JSON.parse('{"language":"tlh"}') }],
    now: () => Date.now() + nightMs,
    onFeatureFailed: (feature) => told.push(feature),
  })
  await stage.ask('hello')
  nightMs = 9 * hourMs
  expect(await stage.ask('Good morning')).toBe('ok')
  await stage.put(deletion('m2'), toApply('delete'))
  await stage.work()
  expect((await stage.state()).history.map(({ text }) => text)).toEqual(['[deleted]', '[deleted]'])
  expect((await stage.state()).prefers.language).toBeUndefined()
  expect(new Set(told)).toEqual(new Set(['odd']))
})

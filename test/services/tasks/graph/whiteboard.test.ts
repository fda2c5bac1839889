// The whiteboard of a task: always whole, bounded, and short enough for a prompt.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clear,
  get,
  loopEnd,
  loopStart,
  readWhiteboard,
  snapshot,
  update,
  withState,
} from '#services/tasks/graph/whiteboard.ts'
import type { Json, Whiteboard } from '#services/tasks/graph/whiteboard.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { runs } from '#test/rig/property-runs.ts'

const coreKeys = [
  'task_specification',
  'execution_plan',
  'current_state',
  'loop_counter',
  'completed_subtasks',
  'pending_subtasks',
  'intermediate_results',
  'content_registry',
  'checkpoint_data',
  'qmd_candidates',
]
const empty = readWhiteboard(undefined)
const candidate = {
  content: 'Tea at 80 °C',
  source: 'user',
  fact_checked: true,
  confidence_score: 0.9,
  verification_status: 'verified',
}

function write(board: Whiteboard, values: Readonly<Record<string, unknown>>): Whiteboard {
  return Object.entries(values).reduce((now, [key, value]) => {
    const updated = update(now, key, value)
    if (updated.kind === 'refused') throw new Error(updated.problem)
    return updated.board
  }, board)
}
function refusal(key: string, value: unknown, board = empty): string {
  const updated = update(board, key, value)
  return updated.kind === 'refused' ? updated.problem : ''
}

describe('what is read', () => {
  it('has the ten core fields, whatever was stored', () => {
    expect(Object.keys(empty)).toEqual(coreKeys)
    for (const stored of [null, 'x', [], { loop_counter: -1, current_state: 'LOST', completed_subtasks: {} }])
      expect(readWhiteboard(stored)).toEqual(empty)
  })
  it('keeps what fits and drops what does not', () => {
    const stored: unknown = JSON.parse(
      '{"loop_counter":3,"current_state":"EXECUTING","note":"x","__proto__":{"a":1},"constructor":1,"to string":2}',
    )
    expect(readWhiteboard(stored)).toEqual({ ...empty, loop_counter: 3, current_state: 'EXECUTING', note: 'x' })
  })
})

describe('what a model writes', () => {
  it('is there afterwards, and can be taken away', () => {
    const board = write(empty, {
      note: { a: [1] },
      草稿: 'x',
      qmd_candidates: [candidate],
      pending_subtasks: ['N-002'],
    })
    expect([get(board, 'note'), get(board, '草稿'), get(board, 'pending_subtasks')]).toEqual([
      { a: [1] },
      'x',
      ['N-002'],
    ])
    expect(get(write(board, { note: null }), 'note')).toBeUndefined()
    expect(get(board, 'toString')).toBeUndefined()
  })
  it.each<[string, unknown, string]>([
    ['__proto__', {}, 'A key'],
    ['constructor', 1, 'A key'],
    ['hasOwnProperty', 1, 'A key'],
    ['', 1, 'A key'],
    ['a b', 1, 'A key'],
    ['k'.repeat(41), 1, 'A key'],
    ['current_state', 'COMPLETED', 'is not written'],
    ['loop_counter', 99, 'is not written'],
    ['completed_subtasks', {}, 'is a list'],
    ['task_specification', [], 'is an object'],
    ['task_specification', null, 'is an object'],
    ['qmd_candidates', [{ content: 'x' }], 'confidence_score (0 to 1)'],
    ['qmd_candidates', [{ ...candidate, confidence_score: 2 }], 'confidence_score (0 to 1)'],
    ['note', 'x'.repeat(8000), 'at most 8000'],
    ['note', JSON.parse('{"a":{"__proto__":1}}'), 'plain JSON'],
    ['note', JSON.parse(`${'['.repeat(9)}${']'.repeat(9)}`), 'at most 8 levels'],
    ['note', undefined, 'plain JSON'],
    ['note', Number.NaN, 'plain JSON'],
    ['note', () => 1, 'plain JSON'],
  ])('is refused: %s', (key, value, said) => {
    expect(refusal(key, value)).toContain(said)
  })
  it('has twenty keys of its own, and sixty thousand characters in all', () => {
    const twenty = write(empty, Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key${at}`, at])))
    expect(refusal('key20', 1, twenty)).toContain('Take one away')
    expect(refusal('key19', 'other', twenty)).toBe('')
    const full = write(empty, Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`key${at}`, 'x'.repeat(7900)])))
    expect(refusal('more', 'x'.repeat(7000), full)).toContain('is full')
  })
})

it('counts loops, and keeps after one what the next one needs', () => {
  const board = write(withState(loopStart(empty), 'EXECUTING'), {
    task_specification: { task_id: 'c#3', goal: 'tea' },
    completed_subtasks: [{ id: 'N-001', summary: 's'.repeat(400), output: 'long', tool_calls: [1] }],
    pending_subtasks: ['N-002'],
    intermediate_results: { 'N-001': 'full text', risk_warnings: ['hot'] },
    content_registry: [{ id: 'a', content: 'whole' }],
    checkpoint_data: { milestone: 'M1' },
    key_decisions: ['green'],
    scratch: 'x',
  })
  expect(loopEnd(board)).toEqual({
    ...empty,
    current_state: 'EXECUTING',
    loop_counter: 1,
    task_specification: { task_id: 'c#3', goal: 'tea' },
    completed_subtasks: [{ id: 'N-001', summary: `${'s'.repeat(300)}…` }],
    pending_subtasks: ['N-002'],
    content_registry: [{ id: 'a' }],
    checkpoint_data: { milestone: 'M1', key_decisions: ['green'], risk_warnings: ['hot'] },
  })
  expect(clear(board, { preserveCore: true })).toEqual({ ...board, key_decisions: undefined, scratch: undefined })
  expect(Object.keys(clear(board, { preserveCore: true }))).toEqual(coreKeys)
  expect(clear(board, { preserveCore: false })).toEqual(empty)
})

describe('a snapshot', () => {
  const read = (board: Whiteboard): Readonly<Record<string, Json>> => JSON.parse(snapshot(board))
  it('is the whole where that is short', () => {
    const board = write(empty, { note: 'x', pending_subtasks: ['a'] })
    expect(read(board)).toEqual(board)
  })
  it('shortens notes and results first, and what the task is last', () => {
    const goal = 'g'.repeat(1200)
    const board = write(empty, {
      task_specification: { goal },
      scratch: 'x'.repeat(5000),
      intermediate_results: { a: 'y'.repeat(3000) },
      completed_subtasks: Array.from({ length: 40 }, (_, at) => ({ id: `N-${at}`, summary: 'z'.repeat(60) })),
    })
    const shown = read(board)
    expect(snapshot(board).length).toBeLessThanOrEqual(6000)
    expect(shown['task_specification']).toEqual({ goal })
    expect(JSON.stringify(shown['scratch']).length).toBeLessThan(2000)
    expect(JSON.stringify(shown['completed_subtasks'])).toContain('N-39')
  })
  it('is JSON with all core fields and at most 6,000 characters, whatever stands on the board', () => {
    const values = fc.oneof(
      fc.json({ maxDepth: 5 }).map((text): unknown => JSON.parse(text)),
      fc.string({ unit: 'binary', minLength: 2000, maxLength: 7000 }),
      fc.array(fc.string({ unit: 'binary' }), { minLength: 100, maxLength: 400 }),
    )
    const keys = fc.oneof(fc.constantFrom(...coreKeys, 'key_decisions', 'risk_warnings'), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(keys, fc.oneof(values, fc.record({ a: values, b: values }))), { maxLength: 25 }),
        (all) => {
          let board = empty
          for (const [key, value] of all) {
            const updated = update(board, key, value)
            if (updated.kind === 'updated') ({ board } = updated)
          }
          expect(readWhiteboard(JSON.parse(JSON.stringify(board)))).toEqual(board)
          const text = snapshot(board)
          expect(text.length).toBeLessThanOrEqual(6000)
          expect(Object.keys(JSON.parse(text))).toEqual(expect.arrayContaining(coreKeys))
          expect(Object.keys(loopEnd(board))).toEqual(coreKeys)
          expect(readWhiteboard(JSON.parse(JSON.stringify(loopEnd(board))))).toEqual(loopEnd(board))
        },
      ),
      runs(400),
    )
  }, 60_000)
  it('takes a moment', () => {
    const board = write(
      empty,
      Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`key${at}`, Array.from({ length: 3900 }, () => 1)])),
    )
    const from = processorMs()
    snapshot(board)
    expect(processorMs() - from).toBeLessThan(200)
  })
})

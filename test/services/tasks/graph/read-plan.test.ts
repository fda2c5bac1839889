// A plan as models write it, made a graph, and plans that are refused with a sentence that helps.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planBounds, type TaskGraph } from '#services/tasks/graph/graph.ts'
import { planParameters, readPlan } from '#services/tasks/graph/read-plan.ts'
import { findProblems } from '#services/tasks/graph/validate.ts'
import { toPlan } from '#test/services/tasks/graph/graphs.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { runs } from '#test/rig/property-runs.ts'

const signs = { on_success: '>', on_failure: '!', always: '*' } as const
const edgesOf = ({ edges }: TaskGraph): string =>
  edges
    .map(({ from, to, condition }) => `${Number(from.slice(2))}${signs[condition]}${Number(to.slice(2))}`)
    .toSorted()
    .join(' ')
const step = (more: object = {}): object => ({ title: 'Write', task: 'Write it.', ...more })
const problemsOf = (given: unknown): string => {
  const read = readPlan(given, planBounds)
  return read.kind === 'refused' ? read.problems.join('\n') : ''
}

describe('needs', () => {
  it.each<[string, readonly object[], string]>([
    ['a chain where none are named', [step(), step(), step()], '1>2 2>3'],
    ['a chain where all are empty', [step({ needs: [] }), step({ needs: [] }), step()], '1>2 2>3'],
    ['by number', [step(), step(), step({ needs: [1, 2] })], '1>2 1>3 2>3'],
    ['by number as text', [step(), step(), step({ needs: '1' })], '1>2 1>3'],
    ['several in one text', [step(), step({ needs: [] }), step({ needs: '1, 2' })], '1>3 2>3'],
    ['by words', [step(), step(), step({ needs: ['step 1', 'Step 02'] })], '1>2 1>3 2>3'],
    ['in Chinese', [step(), step(), step({ needs: ['第1步', '步骤2'] })], '1>2 1>3 2>3'],
    ['by our ids', [step(), step(), step({ needs: ['N-001', 'n-2'] })], '1>2 1>3 2>3'],
    ['by the model’s ids', [step({ id: 'read' }), step({ id: 'draw' }), step({ needs: ['READ'] })], '1>2 1>3'],
    ['by ids that count from 0', [step({ id: 0 }), step({ id: 1 }), step({ id: 2, needs: [0] })], '1>2 1>3'],
    ['by title', [step({ title: 'Read' }), step(), step({ needs: ['read'] })], '1>2 1>3'],
    ['by an output', [step({ outputs: ['draft'] }), step(), step({ needs: ['1.outputs.draft'] })], '1>2 1>3'],
    ['twice the same', [step(), step({ needs: ['1', 'N-001'] })], '1>2'],
    ['a condition', [step(), step({ when: 'always' }), step({ when: 'if it fails', needs: [1] })], '1!3 1*2'],
    ['what stands in for a failure', [step(), step({ when: 'on_failure' }), step()], '1!2 1>3 2>3'],
    ['later steps first', [step({ needs: [2] }), step({ needs: [] })], '1>2'],
  ])('%s', (_, steps, edges) => {
    expect(edgesOf(toPlan(steps))).toBe(edges)
  })

  it('puts each step behind those it waits for, and numbers them so', () => {
    const { nodes } = toPlan([
      step({ title: 'Last', needs: [3] }),
      step({ title: 'First', needs: [] }),
      step({ title: 'Second' }),
    ])
    expect(nodes.map(({ id, title }) => `${id} ${title}`)).toEqual(['N-001 First', 'N-002 Second', 'N-003 Last'])
  })

  it('reads what they make', () => {
    const { nodes } = toPlan([step({ outputs: ['draft', 'notes'] }), step(), step({ needs: [1, 2] })])
    expect(nodes.map(({ inputs }) => inputs.upstream_outputs)).toEqual([
      [],
      ['N-001.outputs.draft', 'N-001.outputs.notes'],
      ['N-001.outputs.draft', 'N-001.outputs.notes', 'N-002.outputs.summary'],
    ])
  })
})

describe('a step', () => {
  it('says all that a node needs', () => {
    const given = {
      title: ' Write\n it ',
      task: 'Write it.',
      outputs: 'draft',
      files: ['a.md'],
      tools: ['file_write'],
      writes_outside: 'yes',
      checkpoint: true,
      critical: 'false',
      minutes: '5',
    }
    const [node] = toPlan([given]).nodes
    expect(node).toEqual({
      id: 'N-001',
      title: 'Write it',
      task: 'Write it.',
      role: 'body',
      executor: { type: 'subagent', name: 'body' },
      inputs: { files: ['a.md'], context_refs: [], upstream_outputs: [] },
      constraints: { allowed_tools: ['file_write'], time_budget_sec: 300, token_budget: null },
      quality: { evidence_level_required: 'L0', checklist: [] },
      status: 'pending',
      retries: 0,
      outputs: {
        artifacts_dir: '',
        summary: '',
        patch_files: [],
        evidence: [],
        named: [{ name: 'draft', artifact: null }],
      },
      metrics: { cost_estimate: 0, actual_cost: 0, tokens: 0, started_at: null, finished_at: null },
      writes_outside: true,
      checkpoint: true,
      critical: false,
      reason: null,
      waives: [],
    })
  })
  it.each<[string, unknown, string, string]>([
    ['a text alone', 'Write the intro', 'Write the intro', 'Write the intro'],
    ['a title alone', { title: 'Write the intro' }, 'Write the intro', 'Write the intro'],
    ['a task alone', { task: 'Write the intro', title: null }, 'Write the intro', 'Write the intro'],
    ['a long title', { title: 'x'.repeat(200), task: 'y' }, `${'x'.repeat(119)}…`, 'y'],
    ['hidden signs', { title: 'a\u202eb\u0000', task: 'c\u202ed' }, 'ab', 'cd'],
  ])('may be %s', (_, given, title, task) => {
    expect(toPlan([given]).nodes[0]).toMatchObject({ title, task })
  })
})

it.each<[string, unknown]>([
  ['a list', [step(), step()]],
  ['JSON in a text', { steps: JSON.stringify([step(), step()]) }],
])('takes %s for the steps', (_, given) => {
  expect(readPlan(given, planBounds)).toMatchObject({ kind: 'plan', graph: { v: 1, status: 'created', last: 2 } })
})

it.each<[string, unknown, string]>([
  ['prose', 'First I will read, then I will write.', 'This is no plan'],
  ['nothing', undefined, 'This is no plan'],
  ['no steps', { steps: [] }, 'at least one step'],
  ['500 steps', { steps: Array.from({ length: 500 }, () => step()) }, '500 steps; at most 30'],
  ['a step that is none', { steps: [step(), 7] }, 'Step 2 is no object'],
  ['an empty step', { steps: [step(), {}] }, 'N-002 has neither "title" nor "task"'],
  ['needs that cannot be read', { steps: [step(), step({ needs: { a: 1 } })] }, 'Step 2: "needs"'],
  ['an unknown need', { steps: [step(), step({ needs: ['7'] })] }, 'needs "7", and there is no such step'],
  ['step 0', { steps: [step(), step({ needs: [0] })] }, 'from 1'],
  [
    'an unknown output',
    { steps: [step(), step({ needs: ['1.outputs.patch'] })] },
    'does not name that among its "outputs"',
  ],
  ['an unknown condition', { steps: [step(), step({ when: 'at noon' })] }, 'give on_success, on_failure or always'],
  ['two of one id', { steps: [step({ id: 'a' }), step({ id: 'A' })] }, 'Two steps have the id "a"'],
  ['a need of itself', { steps: [step(), step({ needs: [2] })] }, 'N-002 waits for itself'],
  ['a circle', { steps: [step({ needs: [2] }), step({ needs: [1] })] }, 'N-001 → N-002 → N-001'],
  ['a step that stands alone', { steps: [step(), step({ needs: [1] }), step({ needs: [] })] }, 'N-003 stands alone'],
  ['a long task', { steps: [step({ task: 'x'.repeat(1001) })] }, '1001 characters; at most 1000'],
  ['too many minutes', { steps: [step({ minutes: 20 }), step({ minutes: 11 })] }, '31 minutes together; at most 30'],
])('refuses %s', (_, given, said) => {
  expect(problemsOf(given)).toContain(said)
})

it('describes itself in few words', () => {
  expect(JSON.stringify(planParameters).length).toBeLessThan(1600)
})

it('makes a sound graph or says what is wrong, of whatever it is given', () => {
  const name = fc.constantFrom<unknown>('1', 2, 3, 'N-001', '__proto__', 'a', '', null, 'step 2', '9')
  const anyStep = fc.record(
    {
      id: name,
      title: fc.string({ unit: 'binary', minLength: 1 }),
      task: fc.oneof(name, fc.string({ unit: 'binary' })),
      needs: fc.oneof(name, fc.constantFrom([1], ['2'], [])),
      when: fc.constantFrom('on_failure', 'always', null),
      outputs: fc.oneof(name, fc.array(name, { maxLength: 3 })),
      minutes: fc.oneof(name, fc.double()),
      checkpoint: fc.oneof(fc.boolean(), fc.string(), fc.anything()),
    },
    { requiredKeys: ['title'] },
  )
  let sound = 0
  fc.assert(
    fc.property(fc.oneof(fc.record({ steps: fc.array(anyStep, { maxLength: 6 }) }), fc.anything()), (given) => {
      const read = readPlan(given, planBounds)
      if (read.kind === 'plan') {
        sound += 1
        expect(findProblems(read.graph, planBounds)).toEqual([])
        const places = new Map(read.graph.nodes.map(({ id }, at) => [id, at]))
        for (const { from, to } of read.graph.edges) expect(places.get(from)).toBeLessThan(places.get(to) ?? -1)
      } else {
        expect(read.problems.length).toBeGreaterThan(0)
        expect(read.problems.length).toBeLessThanOrEqual(10)
        for (const line of read.problems) expect(line.length).toBeLessThan(400)
      }
    }),
    runs(3000),
  )
  expect(sound).toBeGreaterThan(100)
}, 60_000)

it('reads the greatest plan in a moment', () => {
  const from = processorMs()
  const needs = Array.from({ length: 5000 }, (_, at) => `${' '.repeat(at % 50)}第${at}步`)
  readPlan(
    {
      steps: Array.from({ length: 30 }, () => step({ needs, task: 'x'.repeat(200_000), title: 'y '.repeat(100_000) })),
    },
    planBounds,
  )
  readPlan({ steps: '['.repeat(200_000) }, planBounds)
  expect(processorMs() - from).toBeLessThan(3000)
})

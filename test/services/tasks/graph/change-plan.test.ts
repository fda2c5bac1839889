// A plan that changes while its task is at work: what was done stays, and what comes out is sound.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { planBounds, toId, type TaskGraph } from '#services/tasks/graph/graph.ts'
import { changeParameters, changePlan } from '#services/tasks/graph/change-plan.ts'
import { begin, fail, finish, skip } from '#services/tasks/graph/progress.ts'
import { nextNodes } from '#services/tasks/graph/settle.ts'
import { findProblems } from '#services/tasks/graph/validate.ts'
import { soundGraphs, toGraph } from '#test/services/tasks/graph/graphs.ts'
import { runs } from '#test/rig/property-runs.ts'

const metrics = { costUsd: 0, tokens: 0, nowMs: 2 }
const done = (graph: TaskGraph, ...numbers: readonly number[]): TaskGraph =>
  numbers.reduce((now, number) => finish(begin(now, toId(number), 1), toId(number), { summary: 'ok', metrics }), graph)
const failed = (graph: TaskGraph, number: number): TaskGraph =>
  fail(begin(graph, toId(number), 1), toId(number), { text: 'no', isRetryable: false, metrics }).graph
const chain = toGraph(4, '1>2 2>3 3>4')
const signs = { on_success: '>', on_failure: '!', always: '*' } as const

/** Its edges, or what was said. */
function changed(graph: TaskGraph, asked: unknown): string {
  const result = changePlan(graph, asked, planBounds)
  if (result.kind === 'refused') return result.problems.join('\n')
  return result.graph.edges
    .map(({ from, to, condition }) => `${Number(from.slice(2))}${signs[condition]}${Number(to.slice(2))}`)
    .toSorted()
    .join(' ')
}
const step = (more: object = {}): object => ({ title: 'New', task: 'Do it.', ...more })

it.each<[string, unknown, string]>([
  ['one at the end', { add: [step()] }, '1>2 2>3 3>4 4>5'],
  ['one after another', { add: [step({ after: 'N-002' })] }, '1>2 2>5 3>4 5>3'],
  ['one by number, alone', { add: step({ after: 2 }) }, '1>2 2>5 3>4 5>3'],
  ['one at the start', { add: [step({ after: 'start' })] }, '1>2 2>3 3>4 5>1'],
  ['two behind the same, in their order', { add: [step({ after: 2 }), step({ after: 2 })] }, '1>2 2>5 3>4 5>6 6>3'],
  ['two at the end', { add: [step(), step()] }, '1>2 2>3 3>4 4>5 5>6'],
  ['a branch', { add: [step({ needs: [2], when: 'on_failure' })] }, '1>2 2!5 2>3 3>4'],
  ['one that follows a new one', { add: [step({ id: 'x' }), step({ needs: ['x', 1] })] }, '1>2 1>6 2>3 3>4 4>5 5>6'],
  ['one less', { remove: ['N-002'] }, '1>3 3>4'],
  ['the first one less', { remove: [1] }, '2>3 3>4'],
  ['two less', { remove: ['2', '3'] }, '1>4'],
  ['other needs', { change: [{ id: 4, needs: [1, 3] }] }, '1>2 1>4 2>3 3>4'],
  ['another condition', { change: [{ id: 'N-004', when: 'always' }] }, '1>2 2>3 3*4'],
  ['one in the place of another', { add: [step({ after: 2 })], remove: [3] }, '1>2 2>5 5>4'],
])('gives %s', (_, asked, edges) => {
  expect(changed(chain, asked)).toBe(edges)
})

it('changes words and what is said of a step, and keeps the rest', () => {
  const asked = { change: [{ id: '3', title: 'Other', minutes: 4, checkpoint: true, outputs: ['draft'] }] }
  const result = changePlan(done(chain, 1), asked, planBounds)
  const graph = result.kind === 'changed' ? result.graph : chain
  expect(graph.nodes[2]).toMatchObject({
    id: 'N-003',
    title: 'Other',
    task: 'Task 3',
    checkpoint: true,
    critical: false,
    status: 'pending',
  })
  expect(graph.nodes[3]?.inputs.upstream_outputs).toEqual(['N-003.outputs.draft'])
  expect(graph.nodes[0]?.status).toBe('done')
})

it('says what was added and removed, uses no number twice, and keeps steps in order', () => {
  const first = changePlan(chain, { add: [step({ after: 1 })], remove: [4] }, planBounds)
  expect(first).toMatchObject({ kind: 'changed', added: ['N-005'], removed: ['N-004'], graph: { last: 5 } })
  const graph = first.kind === 'changed' ? first.graph : chain
  expect(graph.nodes.map(({ id }) => id)).toEqual(['N-001', 'N-005', 'N-002', 'N-003'])
  const second = changePlan(graph, { remove: ['N-005'], add: [step()] }, planBounds)
  expect(second).toMatchObject({ added: ['N-006'], removed: ['N-005'] })
})

it('leaves what was done where it is: a step behind it goes before what is not done', () => {
  expect(changed(done(chain, 1, 2), { add: [step({ after: 1 })] })).toBe('1>2 1>5 2>3 3>4')
})

it('makes a failed step that is changed another try', () => {
  const result = changePlan(failed(chain, 1), { change: [{ id: 1, task: 'Another way' }] }, planBounds)
  const graph = result.kind === 'changed' ? result.graph : chain
  expect(graph.nodes.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending', 'pending'])
  expect(nextNodes(graph)).toEqual(['N-001'])
})

it.each<[string, TaskGraph, unknown, string]>([
  ['nothing', chain, {}, 'Nothing is changed'],
  ['prose', chain, 'add a step', 'Nothing is changed'],
  ['a step that is done', done(chain, 1), { remove: [1] }, 'N-001 is done and stays'],
  ['a step that runs', begin(chain, 'N-001', 1), { change: [{ id: 1, title: 'x' }] }, 'N-001 is running and stays'],
  [
    'a step that a person left out',
    skip(chain, 'N-004').graph,
    { change: [{ id: 4, title: 'x' }] },
    'N-004 is skipped and stays',
  ],
  ['an unknown step', chain, { remove: ['N-009'] }, 'There is no step "N-009"'],
  ['a change of no step', chain, { change: [{ title: 'x' }] }, 'names no step'],
  ['a place that is not there', chain, { add: [step({ after: '9' })] }, 'There is no step "9"'],
  ['a step without words', chain, { add: [{ title: ' ' }] }, 'Added step 1 has neither'],
  ['a circle', chain, { change: [{ id: 2, needs: [4] }] }, 'circle'],
  ['a step that would stand alone', chain, { change: [{ id: 4, needs: [] }] }, 'stands alone'],
  ['all of it', chain, { remove: [1, 2, 3, 4] }, 'no steps'],
  ['more than there is room for', chain, { add: Array.from({ length: 27 }, () => step()) }, '31 steps; at most 30'],
  ['a hundred changes', chain, { remove: Array.from({ length: 100 }, () => 1) }, 'at most 60'],
  ['a task that has ended', { ...chain, status: 'aborted' }, { add: [step()] }, 'has ended'],
])('refuses %s', (_, graph, asked, said) => {
  expect(changed(graph, asked)).toContain(said)
})

it('describes itself in few words', () => {
  expect(JSON.stringify(changeParameters).length).toBeLessThan(3200)
})

it('leaves every graph sound, and what was done as it was', () => {
  const name = fc.integer({ min: 1, max: 4 })
  const more = fc.record(
    {
      after: name,
      needs: fc.array(name, { maxLength: 3 }),
      when: fc.constantFrom('on_failure', 'always'),
      title: fc.constantFrom('New', 'Other'),
      id: name,
    },
    { requiredKeys: ['title'] },
  )
  const asks = fc.record(
    {
      add: fc.array(more, { maxLength: 2 }),
      remove: fc.array(name, { maxLength: 1 }),
      change: fc.array(more, { maxLength: 1 }),
    },
    { requiredKeys: [] },
  )
  const graphs = soundGraphs(6).filter((graph) => findProblems(graph, planBounds).length === 0)
  let count = 0
  fc.assert(
    fc.property(graphs, fc.nat({ max: 4 }), asks, (first, steps, asked) => {
      let graph = first
      for (let at = 0; at < steps; at++) {
        const [id] = nextNodes(graph)
        if (id !== undefined)
          graph = at % 3 === 2 ? failed(graph, Number(id.slice(2))) : done(graph, Number(id.slice(2)))
      }
      const result = changePlan(graph, asked, planBounds)
      if (result.kind === 'refused') {
        expect(result.problems.length).toBeGreaterThan(0)
        return
      }
      count += 1
      expect(findProblems(result.graph, planBounds)).toEqual([])
      for (const node of graph.nodes.filter(({ status }) => status === 'done'))
        expect(result.graph.nodes.find(({ id }) => id === node.id)).toMatchObject({
          status: 'done',
          outputs: node.outputs,
          task: node.task,
        })
    }),
    runs(3000),
  )
  expect(count).toBeGreaterThan(300)
}, 60_000)

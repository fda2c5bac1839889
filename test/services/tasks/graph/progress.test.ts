// How a graph goes on, what each step allows, and that no way of steps breaks it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BotError } from '#shared/errors.ts'
import { taskGraph, toId, type TaskGraph, type TaskNode } from '#services/tasks/graph/graph.ts'
import {
  begin,
  block,
  fail,
  finish,
  interrupt,
  lookAhead,
  retry,
  setAside,
  setStatus,
  skip,
  unblock,
} from '#services/tasks/graph/progress.ts'
import { nextNodes, settle } from '#services/tasks/graph/settle.ts'
import { soundGraphs, toGraph } from '#test/services/tasks/graph/graphs.ts'
import { runs } from '#test/rig/property-runs.ts'

const spent = { costUsd: 0.01, tokens: 100, nowMs: 2000 }
const done = (graph: TaskGraph, ...numbers: readonly number[]): TaskGraph =>
  numbers.reduce(
    (now, number) =>
      finish(begin(now, toId(number), 1000), toId(number), { summary: `Did ${number}.`, metrics: spent }),
    graph,
  )
const failed = (graph: TaskGraph, number: number, isRetryable = false) =>
  fail(begin(graph, toId(number), 1000), toId(number), { text: 'no luck', isRetryable, metrics: spent })
const marks = (graph: TaskGraph): string => graph.nodes.map(({ status }) => status.slice(0, 1)).join('')
const nodeOf = (graph: TaskGraph, number: number): TaskNode | undefined =>
  graph.nodes.find(({ id }) => id === toId(number))
const numbers = (ids: readonly string[]): string => ids.map((id) => Number(id.slice(2))).join(' ')
const next = (graph: TaskGraph): string => numbers(nextNodes(graph))
const expectRefused = (step: () => unknown): void => expect(step).toThrow(BotError)

describe('what comes next', () => {
  it('is a step behind another in a chain', () => {
    const chain = toGraph(3, '1>2 2>3')
    expect([next(chain), next(done(chain, 1)), next(done(chain, 1, 2)), next(done(chain, 1, 2, 3))]).toEqual([
      '1',
      '2',
      '3',
      '',
    ])
    expect(lookAhead(done(chain, 1, 2, 3))).toEqual({ kind: 'completed' })
  })
  it('is all that wait for nothing, and a join waits for each of its edges', () => {
    const fork = toGraph(4, '1>3 2>3 3>4')
    expect([next(fork), next(done(fork, 1)), next(done(fork, 1, 2))]).toEqual(['1 2', '2', '3'])
  })
  it('is the branch of how it ended, and the other is not needed', () => {
    const branch = toGraph(4, '1>2 1!3 2>4 3>4')
    expect(marks(done(branch, 1))).toBe('dpsp')
    expect(next(done(branch, 1, 2))).toBe('4')
    const other = failed(branch, 1).graph
    expect([marks(other), next(other), next(done(other, 3))]).toEqual(['fspp', '3', '4'])
    expect(lookAhead(done(other, 3, 4))).toEqual({ kind: 'completed' })
  })
  it('is nothing more where a failure is only cleaned up after', () => {
    const cleaned = done(failed(toGraph(4, '1>2 2>3 1!4'), 1).graph, 4)
    expect(lookAhead(cleaned)).toEqual({ kind: 'stuck', failed: [], blocked: ['N-002', 'N-003'] })
  })
  it('follows one that stood in for the one that failed', () => {
    const rescue = toGraph(3, '1!2 1>3 2>3')
    expect(next(done(rescue, 1))).toBe('3')
    const rescued = failed(rescue, 1).graph
    expect(next(rescued)).toBe('2')
    expect(next(done(rescued, 2))).toBe('3')
    expect(lookAhead(done(rescued, 2, 3))).toEqual({ kind: 'completed' })
  })
  it('comes always where it says so', () => {
    const always = toGraph(2, '1*2')
    expect([next(done(always, 1)), next(failed(always, 1).graph), next(skip(always, toId(1)).graph)]).toEqual([
      '2',
      '2',
      '2',
    ])
  })
  it('is nothing behind one that failed, and says that it is stuck and why', () => {
    const { graph } = failed(toGraph(3, '1>2 2>3'), 1)
    expect(lookAhead(graph)).toEqual({ kind: 'stuck', failed: ['N-001'], blocked: ['N-002', 'N-003'] })
    expect(nodeOf(graph, 3)?.reason).toEqual({ kind: 'upstream', nodes: ['N-002'] })
  })
})

describe('a step', () => {
  const chain = toGraph(3, '1>2 2>3')
  it('keeps what it brought, and adds up what it cost', () => {
    const again = failed(chain, 1, true).graph
    const graph = finish(begin(again, 'N-001', 5000), 'N-001', {
      summary: 'x'.repeat(1200),
      outputs: { named: [{ name: 'draft', artifact: 'n-001.draft' }], evidence: ['a'] },
      metrics: { ...spent, nowMs: 6000 },
    })
    const node = nodeOf(graph, 1)
    expect(node?.outputs).toMatchObject({
      named: [{ name: 'draft', artifact: 'n-001.draft' }],
      evidence: ['a'],
      patch_files: [],
    })
    expect(node?.outputs.summary).toHaveLength(1000)
    expect(node?.metrics).toEqual({
      cost_estimate: 0,
      actual_cost: 0.02,
      tokens: 200,
      started_at: 1000,
      finished_at: 6000,
    })
  })
  it('is tried five times more, then it has failed; a person may try it again', () => {
    let [graph, tries] = [chain, 0]
    for (let isRetried = true; isRetried; tries++) ({ graph, isRetried } = failed(graph, 1, true))
    expect([tries, nodeOf(graph, 1)?.status, nodeOf(graph, 1)?.retries]).toEqual([6, 'failed', 5])
    expect(nodeOf(graph, 1)?.reason).toEqual({ kind: 'failure', text: 'no luck' })
    expect([next(retry(graph, 'N-001')), nodeOf(retry(graph, 'N-001'), 1)?.retries]).toEqual(['1', 0])
  })
  it('that is left out blocks those behind it, and they go on when a person says so', () => {
    const left = skip(failed(chain, 1).graph, 'N-001', 'not now')
    expect(left.blocked).toEqual(['N-002', 'N-003'])
    const freed = unblock(left.graph, 'N-002')
    expect([marks(freed), next(freed)]).toEqual(['spp', '2'])
    expect(lookAhead(done(freed, 2, 3))).toEqual({ kind: 'completed' })
    expect(skip(chain, 'N-003').blocked).toEqual([])
  })
  it('waits for a person, and is put back when interrupted', () => {
    const asked = block(begin(chain, 'N-001', 1), 'N-001', 'Which colour?')
    expect([marks(asked), lookAhead(asked).kind]).toEqual(['bbb', 'stuck'])
    expect(next(unblock(asked, 'N-001'))).toBe('1')
    expect(marks(interrupt(begin(chain, 'N-001', 1), 'N-001'))).toBe('ppp')
  })
  it('is refused what its status does not allow', () => {
    const running = begin(chain, 'N-001', 1)
    for (const step of [
      () => begin(chain, 'N-002', 1),
      () => begin(running, 'N-001', 1),
      () => begin(done(chain, 1), 'N-001', 1),
      () => begin({ ...chain, status: 'paused' }, 'N-001', 1),
      () => begin(chain, 'N-009', 1),
      () => finish(chain, 'N-001', { summary: '', metrics: spent }),
      () => fail(done(chain, 1), 'N-001', { text: '', isRetryable: true, metrics: spent }),
      () => skip(running, 'N-001'),
      () => skip(done(chain, 1), 'N-001'),
      () => unblock(chain, 'N-001'),
      () => retry(chain, 'N-001'),
      () => setAside(running, 0),
      () => setAside(chain, 4),
      () => setAside(chain, 0.5),
      () => setAside({ ...chain, status: 'created' }, 0),
    ])
      expectRefused(step)
  })
})

describe('a graph', () => {
  const chain = toGraph(3, '1>2 2>3')
  it('rolls back to a step: what came after is pending, and is handed out', () => {
    const all = setStatus(done(chain, 1, 2, 3), 'completed')
    const { graph, setAside: aside } = setAside(all, 1)
    expect([graph.status, marks(graph), next(graph)]).toEqual(['running', 'dpp', '2'])
    expect(aside.map(({ id, status, outputs }) => [id, status, outputs.summary])).toEqual([
      ['N-002', 'done', 'Did 2.'],
      ['N-003', 'done', 'Did 3.'],
    ])
    expect(nodeOf(graph, 2)?.outputs.summary).toBe('')
    expect(setAside(all, 3).setAside).toEqual([])
    expect(marks(setAside(all, 0).graph)).toBe('ppp')
    const free = setAside(unblock(skip(chain, 'N-001').graph, 'N-002'), 1).graph
    expect(marks(free)).toBe('sbb')
  })
  it('goes from status to status', () => {
    const created: TaskGraph = { ...chain, status: 'created' }
    expect(setStatus(setStatus(created, 'running'), 'paused').status).toBe('paused')
    expect(marks(setStatus(begin(chain, 'N-001', 1), 'aborted'))).toBe('ppp')
    for (const step of [
      () => setStatus(created, 'completed'),
      () => setStatus(chain, 'completed'),
      () => setStatus(chain, 'created'),
      () => setStatus(setStatus(done(chain, 1, 2, 3), 'completed'), 'aborted'),
    ])
      expectRefused(step)
  })
})

/** By the definition: each node before it has ended so that it does not stand in its way, and one of them leads to it. */
function mayRun(graph: TaskGraph, node: TaskNode): boolean {
  const upOf = (id: string): TaskNode | undefined => graph.nodes.find((one) => one.id === id)
  const behind = (id: string): readonly string[] => [
    id,
    ...graph.edges.flatMap(({ from, to }) => (from === id ? behind(to) : [])),
  ]
  const stands = graph.edges
    .filter(({ to }) => to === node.id)
    .map(({ from, condition }) => {
      const up = upOf(from)
      if (node.waives.includes(from)) return 'leads'
      if (up?.status === 'done') return condition === 'on_failure' ? 'passes' : 'leads'
      if (up?.status === 'skipped' && condition === 'always') return 'leads'
      if (up?.status === 'skipped')
        return condition === 'on_success' && up.reason?.kind === 'person' ? 'stops' : 'passes'
      if (up?.status !== 'failed') return 'stops'
      if (condition !== 'on_success') return 'leads'
      const others = graph.edges.filter((one) => one.from === from && one.condition === 'on_failure')
      return others.some(({ to }) => behind(to).some((id) => behind(node.id).includes(id))) ? 'passes' : 'stops'
    })
  return !stands.includes('stops') && (stands.length === 0 || stands.includes('leads'))
}

const ways = [
  'begin',
  'finish',
  'fail',
  'failForGood',
  'skip',
  'unblock',
  'retry',
  'interrupt',
  'block',
  'setAside',
] as const
const likeliest: Readonly<Record<string, string>> = {
  finish: 'running',
  fail: 'running',
  failForGood: 'running',
  interrupt: 'running',
  skip: 'failed',
  retry: 'failed',
  unblock: 'blocked',
  block: 'running',
  setAside: 'done',
}
function go(graph: TaskGraph, way: (typeof ways)[number], id: string): TaskGraph {
  const failure = { text: 'no', metrics: spent }
  switch (way) {
    case 'begin':
      return begin(graph, id, 1)
    case 'finish':
      return finish(graph, id, { summary: 'yes', metrics: spent })
    case 'fail':
      return fail(graph, id, { ...failure, isRetryable: true }).graph
    case 'failForGood':
      return fail(graph, id, { ...failure, isRetryable: false }).graph
    case 'skip':
      return skip(graph, id).graph
    case 'block':
      return block(graph, id, 'why')
    case 'setAside':
      return setAside(graph, Number(id.slice(2)) - 1).graph
    case 'unblock':
      return unblock(graph, id)
    case 'retry':
      return retry(graph, id)
    case 'interrupt':
      return interrupt(graph, id)
  }
}

it('holds what it promises, whatever is done in whatever order', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...ways, 'begin', 'finish', 'begin', 'finish'), fc.nat()), {
    minLength: 15,
    maxLength: 40,
  })
  let legal = 0
  fc.assert(
    fc.property(soundGraphs(7), steps, (first, all) => {
      let graph = first
      for (const [way, at] of all) {
        const before = new Map(graph.nodes.map((node) => [node.id, node]))
        const ready = nextNodes(graph)
        const likely =
          way === 'begin' ? ready : graph.nodes.filter(({ status }) => status === likeliest[way]).map((one) => one.id)
        const id = likely[at % 4 === 0 ? -1 : at % likely.length] ?? graph.nodes[at % graph.nodes.length]?.id ?? ''
        try {
          graph = go(graph, way, id)
        } catch (error) {
          expect(error).toMatchObject({ code: 'internal' })
          continue
        }
        legal += 1
        expect(taskGraph.safeParse(graph).success).toBe(true)
        expect(JSON.parse(JSON.stringify(graph))).toEqual(graph)
        expect(settle(graph)).toEqual(graph)
        for (const node of graph.nodes) {
          const was = before.get(node.id)
          if (node.status === 'running' && was?.status !== 'running') {
            expect(ready).toContain(node.id)
            expect(was && mayRun({ ...graph, nodes: [...before.values()] }, was)).toBe(true)
          }
          if (was?.status === 'done')
            expect(['done', ...(way === 'setAside' ? ['pending', 'blocked', 'skipped'] : [])]).toContain(node.status)
          if (node.status === 'blocked' || node.status === 'skipped' || node.status === 'failed')
            expect(node.reason).not.toBeNull()
          else expect(node.reason).toBeNull()
          expect(node.retries).toBeLessThanOrEqual(5)
        }
        const ahead = lookAhead(graph)
        const left = graph.nodes.filter(({ status }) => status !== 'done' && status !== 'skipped')
        const isStill = nextNodes(graph).length === 0 && !graph.nodes.some(({ status }) => status === 'running')
        expect(ahead.kind === 'completed' || ahead.kind === 'stuck').toBe(isStill)
        if (ahead.kind === 'completed') expect(left.every(({ status }) => status === 'failed')).toBe(true)
        if (ahead.kind === 'stuck') expect(ahead.failed.length + ahead.blocked.length).toBeGreaterThan(0)
        if (isStill) expect(left.some(({ status }) => status === 'pending')).toBe(false)
      }
    }),
    runs(1500),
  )
  expect(legal).toBeGreaterThan(10_000)
}, 120_000)

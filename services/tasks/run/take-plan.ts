// A plan that passed the checks becomes the task's: it is kept whole, and the task goes on with it at its next event.
import { toOurs } from '#shared/feature/kept.ts'
import type { TaskGraph } from '#services/tasks/graph/graph.ts'
import { setStatus } from '#services/tasks/graph/progress.ts'
import { next } from '#services/tasks/graph/states.ts'
import type { TaskOwn } from './own.ts'
import { graphName } from './texts.ts'
import { set, type TaskStep } from './work.ts'

export function takePlan(
  { machine, generation }: Pick<TaskOwn, 'machine' | 'generation'>,
  graph: TaskGraph,
): readonly TaskStep[] {
  const isFirst = machine.current_state === 'PLANNING'
  return [
    { kind: 'artifact', name: graphName, text: JSON.stringify(setStatus(graph, 'running')) },
    set({
      machine: next(machine, isFirst ? 'plan_validated' : 'new_plan_ready'),
      outcome: 'done',
      node: toOurs(''),
      tries: 0,
      generation: generation + 1,
    }),
  ]
}

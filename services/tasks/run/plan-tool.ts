// The tool `task_plan`: the model gives the plan of a task, which is looked at as anything from outside. A plan that cannot be used is refused with what is
// wrong in it.
import { toOurs } from '#shared/feature/kept.ts'
import type { Tool, ToolContext, ToolResult } from '#shared/model/tool.ts'
import { planBounds } from '#services/tasks/graph/graph.ts'
import { setStatus } from '#services/tasks/graph/progress.ts'
import { planParameters, readPlan } from '#services/tasks/graph/read-plan.ts'
import { next } from '#services/tasks/graph/states.ts'
import type { TaskChange, TaskOwn } from './own.ts'
import { graphName } from './texts.ts'
import { goOnLater, set } from './work.ts'

const mostPlanned = 12

export const planTool: Tool<TaskOwn, TaskChange> = {
  name: 'task_plan',
  summary: { zh: '给出任务的计划。', en: 'Gives the plan of a task.' },
  description: 'Gives the plan of this task: its steps, in order.',
  parameters: planParameters,
  effect: 'write-local',
  listing: 'always',
  onCrash: 'rerun',
  run: async (input, context) => plan(input, context),
}

function plan(input: unknown, { slice }: ToolContext<TaskOwn>): ToolResult<TaskChange> {
  if (slice.phase !== 'plan' || slice.outcome === 'done')
    return { text: 'There is a plan already. Do the step that you were given.', source: 'own' }
  const read = readPlan(input, { ...planBounds, maxNodes: mostPlanned })
  if (read.kind === 'refused') {
    const simpler = 'Give a plan without these faults; a simpler one where that is hard.'
    return { text: ['The plan was not taken.', ...read.problems, simpler].join('\n'), source: 'own' }
  }
  const isFirst = slice.machine.current_state === 'PLANNING'
  const machine = next(slice.machine, isFirst ? 'plan_validated' : 'new_plan_ready')
  return {
    text: 'The plan is taken.',
    source: 'own',
    effects: [
      { kind: 'artifact', name: graphName, text: JSON.stringify(setStatus(read.graph, 'running')) },
      set({ machine, outcome: 'done', node: toOurs(''), tries: 0, generation: slice.generation + 1 }),
      goOnLater(slice),
    ],
    ends: 'suspended',
  }
}

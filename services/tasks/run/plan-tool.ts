// The tool `task_plan`: the model gives the plan of a task, which is looked at as anything from outside. A plan that cannot be used is refused with what is
// wrong in it.
import type { Tool, ToolContext, ToolResult } from '#shared/model/tool.ts'
import { planBounds } from '#services/tasks/graph/graph.ts'
import { planParameters, readPlan } from '#services/tasks/graph/read-plan.ts'
import type { TaskChange, TaskOwn } from './own.ts'
import { mostPlanned } from './found-plan.ts'
import { takePlan } from './take-plan.ts'
import { goOnLater } from './work.ts'

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
  return {
    text: 'The plan is taken.',
    source: 'own',
    effects: [...takePlan(slice, read.graph), goOnLater(slice)],
    ends: 'suspended',
  }
}

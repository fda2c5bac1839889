// What the model may do to its task while it works (seed 004 §4.2.2): look how far it is, change the steps that are still to come, and write on the
// whiteboard, which each later step reads.
import { z } from 'zod'
import { keepWhole, peek, retell, rework, type Kept } from '#shared/feature/kept.ts'
import type { Tool, ToolContext, ToolResult } from '#shared/model/tool.ts'
import { changeParameters, changePlan } from '#services/tasks/graph/change-plan.ts'
import { planBounds, type TaskGraph } from '#services/tasks/graph/graph.ts'
import { update } from '#services/tasks/graph/whiteboard.ts'
import type { TaskChange, TaskOwn } from './own.ts'
import { boardName, findBoard, findGraph, keepGraph } from './texts.ts'

type TaskTool = Tool<TaskOwn, TaskChange>
type Context = ToolContext<TaskOwn>
type Result = ToolResult<TaskChange>

const noPlan = { text: 'There is no plan yet. Give one by task_plan.', source: 'own' } as const

const progressTool: TaskTool = {
  name: 'task_check_progress',
  summary: { zh: '看任务做到了哪一步。', en: 'Looks how far the task is.' },
  description: 'Tells how far this task is: its steps, what each of them is like, and what it has used.',
  parameters: { type: 'object', properties: {} },
  effect: 'read',
  listing: 'rare',
  onCrash: 'rerun',
  run: async (_, context) => await check(context),
}

const updateTool: TaskTool = {
  name: 'task_update_plan',
  summary: { zh: '修改任务还没做的步骤。', en: 'Changes the steps of a task that are to come.' },
  description: 'Adds, removes or changes steps of this task that are not done and do not run.',
  parameters: changeParameters,
  effect: 'write-local',
  listing: 'rare',
  onCrash: 'rerun',
  run: async (input, context) => await changeSteps(input, context),
}

const boardTool: TaskTool = {
  name: 'task_whiteboard',
  summary: { zh: '在任务白板上记一项，给后面的步骤看。', en: 'Writes on the whiteboard of the task, for later steps.' },
  description:
    'Writes a value of JSON under a key on the whiteboard of this task, which later steps read; null takes the key away.',
  parameters: {
    type: 'object',
    properties: { key: { type: 'string' }, value: { description: 'JSON' } },
    required: ['key', 'value'],
  },
  effect: 'write-local',
  listing: 'rare',
  onCrash: 'rerun',
  run: async (input, context) => await writeBoard(input, context),
}

export const planTools: readonly TaskTool[] = [progressTool, updateTool, boardTool]

const hasPlan = ({ slice }: Context): boolean => slice.generation > 0

async function check(context: Context): Promise<Result> {
  if (!hasPlan(context)) return noPlan
  const { machine, tokens, tree, node } = context.slice
  const head = [`State: ${machine.current_state}. Now: ${node}. Tokens: ${tokens}. Workspace: ${tree || 'empty'}.`]
  const toLine = ({ id, status, title }: TaskGraph['nodes'][number]): string => `${id} ${status}: ${title}`
  const graph = await findGraph(context)
  return { text: retell([graph], context, ([one]) => [...head, ...(one?.nodes.map(toLine) ?? [])].join('\n')) }
}

async function changeSteps(input: unknown, context: Context): Promise<Result> {
  if (!hasPlan(context)) return noPlan
  if (context.slice.phase !== 'step') return { text: 'All steps are done: the plan stays as it is.', source: 'own' }
  const changed = rework(await findGraph(context), (graph) => changePlan(graph, input, planBounds))
  const isTaken = peek([changed], ([one]) => one?.kind === 'changed')
  if (!isTaken)
    return {
      text: retell([changed], context, ([one]) =>
        ['The plan stays as it is.', ...(one?.kind === 'refused' ? one.problems : [])].join('\n'),
      ),
    }
  const graph: Kept<TaskGraph | undefined> = rework(changed, (one) => (one.kind === 'changed' ? one.graph : undefined))
  return { text: 'The plan is changed.', source: 'own', effects: [keepGraph(graph, context)] }
}

const written = z.object({ key: z.string().max(100), value: z.unknown() })

async function writeBoard(input: unknown, context: Context): Promise<Result> {
  const { key, value } = written.parse(input)
  const changed = rework(await findBoard(context), (board) => update(board, key, value))
  const isTaken = peek([changed], ([one]) => one?.kind === 'updated')
  if (!isTaken) return { text: retell([changed], context, ([one]) => (one?.kind === 'refused' ? one.problem : '')) }
  const kept = keepWhole([changed], context, ([one]) => ({
    name: boardName,
    text: JSON.stringify(one?.kind === 'updated' ? one.board : {}),
  }))
  return { text: 'It stands on the whiteboard.', source: 'own', effects: [kept] }
}

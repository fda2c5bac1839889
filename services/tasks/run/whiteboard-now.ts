// The whiteboard of a task as it stands now (seed 004 §1.1), made of its plan and its counters: JSON for the end of each prompt.
import type { TaskGraph } from '#services/tasks/graph/graph.ts'
import { readWhiteboard, snapshot, type Whiteboard } from '#services/tasks/graph/whiteboard.ts'
import type { TaskOwn } from './own.ts'

const orderChars = 600

/** `written`: what the model wrote on it. */
export function toWhiteboard(
  own: TaskOwn,
  {
    graph: { nodes },
    order,
    written,
  }: { readonly graph: TaskGraph; readonly order: string; readonly written: Whiteboard | undefined },
): string {
  const outline = nodes.map(({ id, title, status }) => ({ id, title, status }))
  const isOver = ({ status }: { readonly status: string }): boolean => status === 'done' || status === 'skipped'
  return snapshot(
    readWhiteboard({
      ...written,
      task_specification: { order: order.slice(0, orderChars).toWellFormed() },
      execution_plan: { generation: own.generation, steps: outline.length },
      current_state: own.machine.current_state,
      loop_counter: own.loop,
      completed_subtasks: outline.filter(isOver),
      pending_subtasks: outline.filter((one) => !isOver(one)),
      checkpoint_data: { points: own.points.slice(-5).map(({ step, generation }) => ({ step, generation })) },
      content_registry: own.tree === '' ? (written?.content_registry ?? []) : [{ workspace: own.tree }],
    }),
  )
}

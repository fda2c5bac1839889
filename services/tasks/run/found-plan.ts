// The plan of a task that an answer began with, as text: its steps follow one another. Pure.
import { planBounds, type TaskGraph } from '#services/tasks/graph/graph.ts'
import { readPlan } from '#services/tasks/graph/read-plan.ts'

/** A plan of more steps is not taken. */
export const mostPlanned = 12

/** Undefined for what is no plan of a task. */
export function readFound(steps: readonly string[]): TaskGraph | undefined {
  const { maxTitleChars, maxTaskChars } = planBounds
  const given = steps.map((step) => {
    const [first = ''] = step.split('\n', 1)
    return { title: toTitle(first, maxTitleChars), task: cut(step, maxTaskChars) }
  })
  const read = readPlan({ steps: given }, { ...planBounds, maxNodes: mostPlanned })
  return read.kind === 'plan' ? read.graph : undefined
}

/** Of a step such as `**Sources**: find what is known`, all; its signs of emphasis are no words. */
const toTitle = (line: string, most: number): string => cut(line.replaceAll(/[*`]+|__/g, '').trim() || '…', most)

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text

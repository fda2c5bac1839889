// The texts that a task keeps whole beside it: its order, its plan, and what each step came to. Each says whose words it is.
import { z } from 'zod'
import type { OutsideWrite } from '#shared/feature/left.ts'
import { BotError } from '#shared/errors.ts'
import { keepWhole, rework, type Kept } from '#shared/feature/kept.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { parseJson } from '#shared/json.ts'
import { readWhiteboard, type Whiteboard } from '#services/tasks/graph/whiteboard.ts'
import { taskGraph, type TaskGraph } from '#services/tasks/graph/graph.ts'

export const orderName = 'order'
export const graphName = 'graph'
export const resultName = 'result'

export const boardName = 'whiteboard'

/** What the model wrote on the whiteboard; a fresh one where there is nothing. */
export async function findBoard(finder: Finder & { keep(value: string): Kept }): Promise<Kept<Whiteboard>> {
  const found = (await finder.findArtifact(boardName)) ?? finder.keep('{}')
  return rework(found, (text) => readWhiteboard(parseJson(text)))
}

type Finder = { findArtifact(name: string): Promise<Kept | undefined> }

/** What the nth turn that changed something outside has changed. */
export const writesName = (nth: number): string => `writes-${nth}`

const outside = z.array(
  z.object({
    name: z.string(),
    what: z.string().exactOptional(),
    isSure: z.boolean(),
    undo: z.object({ name: z.string(), arguments: z.string() }).exactOptional(),
    again: z.object({ arguments: z.string(), key: z.string(), asks: z.literal(true).exactOptional() }).exactOptional(),
  }),
)

/** Undefined where it is kept no more. */
export async function findWrites(finder: Finder, nth: number): Promise<Kept<readonly OutsideWrite[]> | undefined> {
  const found = await finder.findArtifact(writesName(nth))
  return found && rework(found, (text) => outside.catch([]).parse(parseJson(text)))
}

/** What a step came to, in which generation of the plan. */
export type Output = { readonly number: number; readonly generation: number }
export const outputName = ({ number, generation }: Output): string => `out-g${generation}-n${number}`
const outputPattern = /^out-g(\d{1,6})-n(\d{1,6})$/

/** Undefined for what is no name of an output. */
export function readOutputName(name: string): Output | undefined {
  const [, generation, number] = outputPattern.exec(name) ?? []
  return number === undefined ? undefined : { number: Number(number), generation: Number(generation) }
}

/** What the done steps of a plan came to, in their order. */
export const outputsOf = ({ nodes }: TaskGraph): readonly Output[] =>
  nodes.flatMap(({ status, outputs }) => {
    const output = readOutputName(outputs.named.find(({ name }) => name === outputKey)?.artifact ?? '')
    return status === 'done' && output ? [output] : []
  })
/** The name of a step's own answer among its outputs. */
export const outputKey = 'result'

/** The plan as it stood at a point. */
export const pointName = ({ step, generation }: { readonly step: number; readonly generation: number }): string =>
  `graph-g${generation}-s${step}`

/** Throws BotError `store-corrupt` for a plan that is kept no more, or cannot be read. */
export async function findGraph(finder: Finder, name = graphName): Promise<Kept<TaskGraph>> {
  const found = await finder.findArtifact(name)
  if (!found) throw new BotError('store-corrupt', `The plan "${name}" of a task is kept no more.`)
  return rework(found, readGraph)
}

function readGraph(text: string): TaskGraph {
  const read = taskGraph.safeParse(parseJson(text))
  if (read.success) return read.data
  throw new BotError('store-corrupt', 'The plan of a task has an unknown shape.', { cause: read.error })
}

export const keepGraph = (
  graph: Kept<TaskGraph | undefined>,
  whose: { readonly principal: PrincipalId },
  name = graphName,
) => keepWhole([graph], whose, ([one]) => ({ name, text: JSON.stringify(one) }))

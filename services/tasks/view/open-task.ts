// A task as it stands now, with the texts that tell of it: its order, its plan, and the logs of its turns.
import { rework, type Kept } from '#shared/feature/kept.ts'
import type { TaskGraph } from '#services/tasks/graph/graph.ts'
import { readTree, type Tree } from '#services/tasks/files/tree.ts'
import { logPrefix, readLog, type StepLog } from '#services/tasks/run/step-log.ts'
import { findGraph, graphName, orderName } from '#services/tasks/run/texts.ts'
import type { StoredTask, TaskPlace, TaskReader } from './task-reader.ts'

export type OpenTask = StoredTask & {
  /** Undefined where it is kept no more. */
  readonly order: Kept | undefined
  /** Undefined before there is one. */
  readonly graph: Kept<TaskGraph> | undefined
}

export async function openTask(reader: TaskReader, place: TaskPlace): Promise<OpenTask | undefined> {
  const [stored, order, plan] = await Promise.all([
    reader.find(place),
    reader.findText(place, orderName),
    reader.findText(place, graphName),
  ])
  if (!stored) return undefined
  return { ...stored, order, graph: plan && (await findGraph({ findArtifact: async () => plan })) }
}

const mostLogs = 80

/** Of its newest turns, the oldest first. */
export async function findLogs(reader: TaskReader, place: TaskPlace): Promise<readonly Kept<StepLog>[]> {
  const names = (await reader.listTexts(place, logPrefix)).slice(-mostLogs)
  const texts = await Promise.all(names.map((name) => reader.findText(place, name)))
  return texts.flatMap((text) => (text ? [rework(text, readLog)] : []))
}

/** The files of a state of the workspace; undefined where it has none, or they are kept no more. */
export async function findTree(reader: TaskReader, place: TaskPlace, name: string): Promise<Kept<Tree> | undefined> {
  const found = name === '' ? undefined : await reader.findText(place, name)
  return found && rework(found, readTree)
}

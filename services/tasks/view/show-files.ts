// What the page of tasks is told of files: two states of the workspace beside each other, how one file differs between them, and one file whole.
import { BotError } from '#shared/errors.ts'
import { peek, rework, tell, type Kept } from '#shared/feature/kept.ts'
import type { OutsideWrite } from '#shared/feature/left.ts'
import type { Taint } from '#shared/model/taint.ts'
import { diffText } from '#services/tasks/files/diff.ts'
import { emptyTree, type Tree } from '#services/tasks/files/tree.ts'
import { findWrites } from '#services/tasks/run/texts.ts'
import { findContent } from './find-files.ts'
import { findTree } from './open-task.ts'
import { notThere } from './show-task.ts'
import type { TaskPlace, TaskReader } from './task-reader.ts'

/** As much is shown of how two texts differ. */
const mostDiffChars = 60_000

/** Each names a state: `now`, `start` for no files at all, or the place of a point among those that are kept. */
export type Between = { readonly from: string; readonly to: string }

/** Undefined where there are no files. */
export async function showTrees(
  reader: TaskReader,
  place: TaskPlace,
  { from, to }: Between,
): Promise<{ readonly before: Kept<Tree> | undefined; readonly after: Kept<Tree> | undefined }> {
  const [before, after] = await Promise.all([findTreeAt(reader, place, from), findTreeAt(reader, place, to)])
  return { before, after }
}

/** Hunks of a unified diff; empty where the texts are the same. */
export async function showDiff(
  reader: TaskReader,
  place: TaskPlace,
  { from, to, path }: Between & { readonly path: string },
): Promise<{ readonly text: string; readonly taint: Taint }> {
  const [before, after] = await Promise.all([
    findFileAt(reader, place, { at: from, path }),
    findFileAt(reader, place, { at: to, path }),
  ])
  if (!before && !after) throw notFound
  type Side = { readonly side: 'before' | 'after'; readonly text: string }
  const sides = [
    ...(before ? [rework(before, (text): Side => ({ side: 'before', text }))] : []),
    ...(after ? [rework(after, (text): Side => ({ side: 'after', text }))] : []),
  ]
  const told = tell(sides, (all) => {
    const textOf = (side: Side['side']): string => all.find((one) => one.side === side)?.text ?? ''
    const { text } = diffText(textOf('before'), textOf('after'))
    return text.length > mostDiffChars ? `${text.slice(0, mostDiffChars).toWellFormed()}\n…` : text
  })
  return told.kind === 'send' ? { text: told.text, taint: told.taint ?? [] } : { text: '', taint: [] }
}

export async function showFile(
  reader: TaskReader,
  place: TaskPlace,
  wanted: { readonly at: string; readonly path: string },
): Promise<{ readonly text: Kept }> {
  const text = await findFileAt(reader, place, wanted)
  if (!text) throw notFound
  return { text }
}

/** What was changed outside since a point, turn by turn. */
export async function showOutside(
  reader: TaskReader,
  place: TaskPlace,
  { at }: { readonly at: string },
): Promise<{ readonly writes: readonly Kept<readonly OutsideWrite[]>[] }> {
  const task = await reader.find(place)
  if (!task) throw notThere(place)
  const { points, writes } = task.own
  const since = points[Number(at)]?.writes ?? Infinity
  const finder = { findArtifact: (name: string) => reader.findText(place, name) }
  const found = await Promise.all(writes.filter(({ nth }) => nth >= since).map(({ nth }) => findWrites(finder, nth)))
  return { writes: found.flatMap((one) => one ?? []) }
}

const notFound = new BotError('not-found', 'There is no such file in this task, or it is kept no more.')

async function findFileAt(
  reader: TaskReader,
  place: TaskPlace,
  { at, path }: { readonly at: string; readonly path: string },
): Promise<Kept | undefined> {
  const tree = await findTreeAt(reader, place, at)
  if (!tree) return undefined
  const found = peek([tree], ([all = emptyTree]) => all.findIndex((file) => file.path === path))
  return found < 0 ? undefined : await findContent(reader, place, { tree, at: found })
}

async function findTreeAt(reader: TaskReader, place: TaskPlace, at: string): Promise<Kept<Tree> | undefined> {
  if (at === 'start') return undefined
  const task = await reader.find(place)
  if (!task) throw notThere(place)
  const { tree, points } = task.own
  return await findTree(reader, place, at === 'now' ? tree : (points[Number(at)]?.tree ?? ''))
}

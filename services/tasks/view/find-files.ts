// The files of a state of the workspace with their texts, as they are given out.
import { peek, peekHash, rework, type Kept } from '#shared/feature/kept.ts'
import { contentOf, type Tree } from '#services/tasks/files/tree.ts'
import type { TaskPlace, TaskReader } from './task-reader.ts'

type FilePart =
  | { readonly kind: 'tree'; readonly tree: Tree }
  | { readonly kind: 'text'; readonly at: number; readonly text: string }
export type FileText = { readonly path: string; readonly text: string }

/** To be joined by `joinParts`. The first is the tree itself; of a text that is kept no more there is none. */
export async function findFiles(
  reader: TaskReader,
  place: TaskPlace,
  tree: Kept<Tree>,
): Promise<readonly Kept<FilePart>[]> {
  const count = peek([tree], ([all = []]) => all.length)
  const texts = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const text = await findContent(reader, place, { tree, at })
      return text && rework(text, (said): FilePart => ({ kind: 'text', at, text: said }))
    }),
  )
  return [rework(tree, (one): FilePart => ({ kind: 'tree', tree: one })), ...texts.flatMap((one) => one ?? [])]
}

/** What stands in the file at this place of the tree. */
export async function findContent(
  reader: TaskReader,
  place: TaskPlace,
  { tree, at }: { readonly tree: Kept<Tree>; readonly at: number },
): Promise<Kept | undefined> {
  const name = peekHash(tree, (all) => {
    const file = all[at]
    return file && contentOf(file)
  })
  return name === undefined ? undefined : await reader.findText(place, name)
}

export function joinParts(parts: readonly FilePart[]): readonly FileText[] {
  const tree = parts.flatMap((part) => (part.kind === 'tree' ? part.tree : []))
  return parts.flatMap((part) => (part.kind === 'text' ? [{ path: tree[part.at]?.path ?? '', text: part.text }] : []))
}

// A page of the list of files for the model.
import type { Tree } from './tree.ts'

/** Short enough that no page is cut again. */
const mostPageChars = 3500

/** `offset`: the first file, from 1. */
export function listPage(tree: Tree, offset = 1): string {
  if (tree.length === 0) return 'There are no files yet. file_write writes one.'
  if (offset > tree.length) return `There are ${tree.length} files.`
  const shown: string[] = []
  let room = mostPageChars
  for (const { path, bytes } of tree.slice(offset - 1)) {
    const line = `${path} (${bytes} bytes)`
    room -= line.length + 1
    if (room < 0) break
    shown.push(line)
  }
  const end = offset - 1 + shown.length
  const on = end < tree.length ? `; offset ${end + 1} goes on` : ''
  return `[files ${offset} to ${end} of ${tree.length}${on}]\n${shown.join('\n')}`
}

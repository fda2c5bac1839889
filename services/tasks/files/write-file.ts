// Puts a file into the workspace, or over one that is there, and takes one out. A file over a bound is refused by name, and nothing changes.
import { checkPath, quotePath } from './check-path.ts'
import {
  findFile,
  mostFileBytes,
  mostFiles,
  mostTreeBytes,
  toContent,
  totalBytes,
  type Content,
  type Tree,
} from './tree.ts'

/** `content` is to be kept as an artifact; nothing is where it is left out. */
export type Changed =
  | {
      readonly kind: 'done'
      readonly tree: Tree
      readonly path: string
      readonly isNew: boolean
      readonly content?: Content
    }
  | Refused
/** A sentence for the model. */
export type Refused = { readonly kind: 'refused'; readonly why: string }

/** Half of a character in `text` becomes U+FFFD. */
export function writeFile(tree: Tree, { path, text }: { readonly path: string; readonly text: string }): Changed {
  const content = toContent(text)
  const put = putFile(tree, path, content)
  return put.kind === 'done' ? { ...put, content } : put
}

/** The same with a text that is kept already, by its name and its length. */
export function putFile(tree: Tree, path: string, { name, bytes }: Pick<Content, 'name' | 'bytes'>): Changed {
  const checked = checkPath(
    path,
    tree.map((file) => file.path),
  )
  if (checked.kind === 'refused') return checked
  const refuse = (why: string): Refused => ({
    kind: 'refused',
    why: `The file ${quotePath(checked.path)} is not written: ${why}. Nothing has changed.`,
  })
  if (bytes > mostFileBytes)
    return refuse(`it would have ${bytes} bytes, and may have ${mostFileBytes}. Write it as several files`)
  const before = findFile(tree, checked.path)
  if (!before && tree.length >= mostFiles)
    return refuse(`there are ${mostFiles} files already, and that is all there may be. Write into one of them`)
  const others = tree.filter((file) => file !== before)
  const all = totalBytes(others) + bytes
  if (all > mostTreeBytes)
    return refuse(
      `all files together would have ${all} bytes, and may have ${mostTreeBytes}. Make others shorter first`,
    )
  const written = { path: checked.path, hash: name.slice('f-'.length), bytes }
  return { kind: 'done', tree: sorted([...others, written]), path: checked.path, isNew: !before }
}

export function removeFile(tree: Tree, path: string): Changed {
  const found = findPath(tree, path)
  if (typeof found !== 'string') return found
  return { kind: 'done', tree: tree.filter((file) => file.path !== found), path: found, isNew: false }
}

/** The path of a file that is there, as it is stored. */
export function findPath(tree: Tree, path: string): string | Refused {
  const checked = checkPath(
    path,
    tree.map((file) => file.path),
  )
  if (checked.kind === 'refused') return checked
  if (findFile(tree, checked.path)) return checked.path
  return { kind: 'refused', why: `There is no file ${quotePath(checked.path)}. file_list shows those that are there.` }
}

const sorted = (tree: Tree): Tree => tree.toSorted((one, other) => (one.path < other.path ? -1 : 1))

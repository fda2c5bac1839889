// The workspace of a task as a tree: which files it has, each by the hash of what is in it. Its text is an artifact of the run like each file's, so that
// one hash names the state of the whole workspace, and an earlier state is gone back to by its name.
import { hash } from 'node:crypto'
import { BotError } from '#shared/errors.ts'
import { mostArtifactBytes } from '#shared/run/artifact.ts'
import { checkPath, foldersOf, toPathKey } from './check-path.ts'

export const mostFiles = 200
/** Of one file, in UTF-8. */
export const mostFileBytes = mostArtifactBytes
/** Of all files together. */
export const mostTreeBytes = 4 * 1024 * 1024

/** `hash`: SHA-256 of the text, in hexadecimal digits. */
export type TreeFile = { readonly path: string; readonly hash: string; readonly bytes: number }
/** Sorted by path, in the order of UTF-16 units. */
export type Tree = readonly TreeFile[]
export const emptyTree: Tree = []

/** A text as it is kept: half of a character, which UTF-8 cannot hold, becomes U+FFFD. */
export type Content = { readonly name: string; readonly text: string; readonly bytes: number }

export function toContent(text: string): Content {
  const whole = text.toWellFormed()
  return { name: contentName(whole), text: whole, bytes: Buffer.byteLength(whole) }
}

/** The artifact that a file's text is kept as, and a file of a tree is. */
export const contentName = (text: string): string => `f-${hash('sha256', text.toWellFormed())}`
export const contentOf = (file: Pick<TreeFile, 'hash'>): string => `f-${file.hash}`

/** The artifact that a tree is kept as. */
export const treeName = (tree: Tree): string => `tree-${hash('sha256', toTreeText(tree))}`

export const totalBytes = (tree: Tree): number => tree.reduce((sum, { bytes }) => sum + bytes, 0)

export const findFile = (tree: Tree, path: string): TreeFile | undefined => tree.find((file) => file.path === path)

const head = 'tree 1\n'

/** A first line that names the shape, and one line for each file: hash, bytes and path. */
export const toTreeText = (tree: Tree): string =>
  head + tree.map((file) => `${file.hash} ${file.bytes} ${file.path}\n`).join('')

/**
 * Reads what `toTreeText` wrote, as if it came from outside. Throws BotError `store-newer` for a shape of a later release, and `store-corrupt` for all
 * else that is no tree.
 */
export function readTree(text: string): Tree {
  if (/^tree (?!1\n)[1-9]\d{0,5}\n/.test(text))
    throw new BotError('store-newer', 'A list of files was written by a newer release. Let that one read it.')
  if (!text.startsWith(head) || text.length > mostArtifactBytes)
    throw corrupt('its first line or its length does not fit')
  const body = text.slice(head.length)
  if (body !== '' && !body.endsWith('\n')) throw corrupt('its last line is cut')
  const lines = body === '' ? [] : body.slice(0, -1).split('\n')
  if (lines.length > mostFiles) throw corrupt(`it has ${lines.length} files`)
  const tree = lines.map((line, at) => readLine(line, at))
  if (tree.some(({ path }, at) => at > 0 && path <= (tree[at - 1]?.path ?? ''))) throw corrupt('it is not sorted')
  if (!areApart(tree.map(({ path }) => path))) throw corrupt('two of its paths are nearly the same')
  if (totalBytes(tree) > mostTreeBytes) throw corrupt('its files are too long together')
  return tree
}

function readLine(line: string, at: number): TreeFile {
  const [, found = '', size = '', path = ''] = /^([0-9a-f]{64}) (0|[1-9]\d{0,5}) (.{1,200})$/.exec(line) ?? []
  const checked = checkPath(path)
  if (checked.kind === 'refused' || checked.path !== path || Number(size) > mostFileBytes)
    throw corrupt(`its line ${at + 2} does not fit`)
  return { path, hash: found, bytes: Number(size) }
}

/** Whether no path is nearly another one, and none is the folder of another. */
function areApart(paths: readonly string[]): boolean {
  const keys = new Set(paths.map(toPathKey))
  return keys.size === paths.length && paths.every((path) => foldersOf(path).every((one) => !keys.has(toPathKey(one))))
}

const corrupt = (why: string): BotError =>
  new BotError('store-corrupt', `A list of files cannot be read: ${why}. Go back to an earlier state of the workspace.`)

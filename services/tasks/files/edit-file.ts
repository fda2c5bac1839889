// Replaces words of a file that is there. They are named exactly, and once, so that an edit never goes to another place than the one that was meant. The
// file's own line ends and its byte order mark stay, however the edit was written. Time is linear in the text.
import { quotePath } from './check-path.ts'
import { mostFileBytes, toContent, type Content, type Tree } from './tree.ts'
import { findPath, putFile, type Changed, type Refused } from './write-file.ts'

export type Edit = {
  readonly path: string
  /** As it stands in the file, which has it once, unless `all` is true. */
  readonly old: string
  readonly new: string
  readonly all?: boolean | undefined
}
export type Edited = { readonly kind: 'done'; readonly content: Content; readonly places: number } | Refused

/** `text`: what is in the file now. */
export function editFile(tree: Tree, text: string, edit: Edit): Changed {
  const path = findPath(tree, edit.path)
  if (typeof path !== 'string') return path
  const edited = editText(text, edit)
  if (edited.kind === 'refused') return edited
  const put = putFile(tree, path, edited.content)
  return put.kind === 'done' ? { ...put, content: edited.content } : put
}

export function editText(text: string, { path, all = false, ...edit }: Edit): Edited {
  const refuse = (why: string): Edited => ({
    kind: 'refused',
    why: `The file ${quotePath(path)} is not edited: ${why}. Nothing has changed.`,
  })
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : ''
  const body = text.slice(mark.length)
  const [old, more] = [edit.old, edit.new].map((said) => asIn(body, withoutMark(said.toWellFormed(), mark)))
  if (!old)
    return refuse('"old" is empty. Give the words that are to be replaced, or write the whole file with file_write')
  if (more === undefined || old === more) return refuse('"old" and "new" are the same')
  const places = findPlaces(body, old)
  if (places.length === 0)
    return refuse(
      '"old" is not in it. Read it with file_read, and copy the words exactly, without the numbers of lines',
    )
  if (places.length > 1 && !all)
    return refuse(
      `"old" is in it ${places.length} times. Give more of the words around it, or "all": true for each of them`,
    )
  // Before it is made: each of many places may become long.
  const chars = body.length + places.length * (more.length - old.length)
  if (chars > mostFileBytes)
    return refuse(`it would have more than ${mostFileBytes} bytes, which is all it may have. Write it as several files`)
  const ends = [0, ...places.map((at) => at + old.length)]
  const parts = ends.map((from, at) => body.slice(from, places[at]))
  return { kind: 'done', content: toContent(mark + parts.join(more)), places: places.length }
}

const byteOrderMark = '\ufeff'
const withoutMark = (said: string, mark: string): string => (mark && said.startsWith(mark) ? said.slice(1) : said)

/** With the line ends of the file, where these are all alike. */
function asIn(body: string, said: string): string {
  const both = findPlaces(body, '\r\n').length
  const all = findPlaces(body, '\n').length
  if (all === 0 || (both > 0 && both < all)) return said
  return said.replaceAll(/\r?\n/g, both > 0 ? '\r\n' : '\n')
}

/** Where it begins, none within another. The search never goes back in the text, whatever is sought (Knuth, Morris and Pratt). */
function findPlaces(text: string, wanted: string): readonly number[] {
  const first = text.indexOf(wanted.charAt(0))
  if (first < 0) return []
  const shorter = toShorter(wanted)
  const places: number[] = []
  let fits = 0
  for (let at = first; at < text.length; at++) {
    while (fits > 0 && text.charCodeAt(at) !== wanted.charCodeAt(fits)) fits = shorter[fits - 1] ?? 0
    if (text.charCodeAt(at) === wanted.charCodeAt(fits)) fits += 1
    if (fits < wanted.length) continue
    places.push(at + 1 - wanted.length)
    fits = 0
  }
  return places
}

/** For each beginning of what is sought: the longest end of it that is a beginning, too. */
function toShorter(wanted: string): Int32Array {
  const shorter = new Int32Array(wanted.length)
  let fits = 0
  for (let at = 1; at < wanted.length; at++) {
    while (fits > 0 && wanted.charCodeAt(at) !== wanted.charCodeAt(fits)) fits = shorter[fits - 1] ?? 0
    if (wanted.charCodeAt(at) === wanted.charCodeAt(fits)) fits += 1
    shorter[at] = fits
  }
  return shorter
}

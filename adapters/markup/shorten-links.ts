// Bare links end where Chinese punctuation begins: GFM knows only the marks of ASCII, and would take the rest of the sentence into the
// address. A link that is written as one (brackets, angles) stays.
import type { Link, Nodes, Root, Text } from 'mdast'

const mark =
  /[\u3001\u3002\u3008-\u3011\u3014-\u301b\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\u2018\u2019\u201c\u201d]/u

export function shortenLinks(root: Root, source: string): void {
  shorten(root, source)
}

function shorten(node: Nodes, source: string): void {
  if (!('children' in node)) return
  for (let i = 0; i < node.children.length; i++) {
    const child = node.children[i]
    if (child?.type !== 'link') {
      if (child) shorten(child, source)
      continue
    }
    const rest = cutRest(child, source)
    if (!rest) continue
    // What can hold a link can hold text.
    ;(node.children as Nodes[]).splice(i + 1, 0, rest)
    i += 1
  }
}

/** Takes what does not belong to a bare link out of it. */
function cutRest(link: Link, source: string): Text | undefined {
  const [words] = link.children
  const { start, end } = link.position ?? {}
  if (words?.type !== 'text' || link.children.length > 1 || start?.offset === undefined || end?.offset === undefined)
    return
  if (source.slice(start.offset, end.offset) !== words.value) return
  const at = words.value.search(mark)
  if (at <= 0) return
  const cut = { ...start, column: start.column + at, offset: start.offset + at }
  const rest: Text = { type: 'text', value: words.value.slice(at), position: { start: cut, end } }
  words.value = words.value.slice(0, at)
  link.url = link.url.slice(0, link.url.length - rest.value.length)
  link.position = { start, end: cut }
  words.position = { start, end: cut }
  return rest
}

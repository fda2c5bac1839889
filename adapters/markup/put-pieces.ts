// Puts back into the tree what was hidden from the parser: signs as they were written, and pieces as nodes of their own.
import type { Nodes, Root, Text } from 'mdast'
import { toUrl } from './bare-address.ts'
import type { Piece } from './read-pieces.ts'
import type { StandIns } from './stand-ins.ts'

type Hidden = { readonly source: string; readonly pieces: readonly Piece[]; readonly standIns: StandIns }
/** `next`: the first piece behind all that is put back. */
type Putting = Hidden & { next: number }
type Place = { readonly isInLink: boolean; readonly isInCell: boolean }

export function putPieces(root: Root, hidden: Hidden): void {
  putInto(root, { ...hidden, next: 0 }, { isInLink: false, isInCell: false })
}

function putInto(node: Nodes, putting: Putting, place: Place): void {
  if (!('children' in node)) return restoreTexts(node, putting.standIns)
  if (node.type === 'link') restoreTarget(node, putting.standIns)
  const inner = {
    isInLink: place.isInLink || node.type === 'link',
    isInCell: node.type === 'tableCell' || place.isInCell,
  }
  const children: Nodes[] = node.children
  const made = children.flatMap((child): Nodes[] => {
    if (child.type === 'text') return splitText(child, putting, inner)
    putInto(child, putting, inner)
    return [child]
  })
  // A cell of nothing else speaks of the break itself.
  const isAbout = node.type === 'tableCell' && made.every(({ type }) => type === 'break')
  const kept = isAbout ? made.map((one) => toText(one, putting.source)) : made
  if (isAbout || made.length !== children.length || made.some((one, i) => one !== children[i])) {
    children.length = 0
    for (const one of kept) children.push(one)
  }
}

function restoreTexts(node: Nodes, standIns: StandIns): void {
  if (node.type === 'image') {
    restoreTarget(node, standIns)
    if (node.alt) node.alt = standIns.restore(node.alt)
  }
  if (!('value' in node)) return
  node.value = standIns.restore(node.value)
  if (node.type !== 'code') return
  if (node.lang) node.lang = standIns.restore(node.lang)
  if (node.meta) node.meta = standIns.restore(node.meta)
}

function restoreTarget(node: { url: string; title?: string | null | undefined }, standIns: StandIns): void {
  node.url = standIns.restore(node.url)
  if (node.title) node.title = standIns.restore(node.title)
}

/** A text as it was written, with its pieces as nodes between. */
function splitText(text: Text, putting: Putting, place: Place): Nodes[] {
  const { source, pieces, standIns } = putting
  const restored = standIns.restore(text.value)
  const nodes: Nodes[] = []
  let done = 0
  let offset = text.position?.start.offset ?? 0
  const push = (to: number, end: number): void => {
    if (to > done) nodes.push({ type: 'text', value: restored.slice(done, to), position: toPosition(offset, end) })
  }
  for (
    let at = standIns.findPiece(text.value, 0);
    at >= 0;
    at = standIns.findPiece(text.value, Math.max(done, at + 1))
  ) {
    let piece = pieces[putting.next++]
    while (piece && !restored.startsWith(source.slice(piece.from, piece.to), at)) piece = pieces[putting.next++]
    if (!piece) break
    const node = toNode(piece, source, place)
    if (!node) continue
    push(at, piece.from)
    nodes.push(node)
    done = at + piece.to - piece.from
    offset = piece.to
  }
  if (nodes.length === 0) {
    text.value = restored
    return [text]
  }
  push(restored.length, text.position?.end.offset ?? offset)
  return nodes
}

/** Undefined for what stays text in its place. */
function toNode(piece: Piece, source: string, { isInLink, isInCell }: Place): Nodes | undefined {
  const position = toPosition(piece.from, piece.to)
  if (piece.kind === 'formula') {
    const { value, tex, isBlock } = piece
    return { type: 'formula', value, tex, isBlock, position }
  }
  if (piece.kind === 'break') return isInCell ? { type: 'break', position } : undefined
  if (isInLink) return undefined
  const words = source.slice(piece.from, piece.to)
  return { type: 'link', url: toUrl(words), position, children: [{ type: 'text', value: words, position }] }
}

function toText(node: Nodes, source: string): Text {
  const { start, end } = node.position ?? toPosition(0, 0)
  return {
    type: 'text',
    value: source.slice(start.offset, end.offset),
    position: toPosition(start.offset ?? 0, end.offset ?? 0),
  }
}

function toPosition(from: number, to: number): NonNullable<Text['position']> {
  return { start: { line: 1, column: 1, offset: from }, end: { line: 1, column: 1, offset: to } }
}

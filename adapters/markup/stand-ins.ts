// Hides signs from the Markdown parser: each is replaced by one sign for private use, which the parser reads as a letter, and put back in the tree.
// So a piece of text stays as it was written, while all offsets stay true.

export type StandIns = {
  /** From one offset to the next ones, in ascending order. */
  hide(from: number, to: number): void
  /** A piece that becomes a node of its own. Its first sign tells so. */
  hidePiece(from: number, to: number): void
  /** The source with what was hidden. */
  text(): string
  /** A text of the tree as it was written. */
  restore(text: string): string
  /** Where the next piece begins in a text of the tree, or -1. */
  findPiece(text: string, from: number): number
}

const [firstPrivate, lastPrivate, width] = [0xe000, 0xf8ff, 256]
const asPiece = 128
const hiddenSign = /[^A-Za-z0-9]/

/** Undefined where the text leaves no signs for private use. */
export function createStandIns(source: string): StandIns | undefined {
  const base = findFree(source)
  if (base === undefined) return undefined
  const parts: string[] = []
  let done = 0
  let isUsed = false
  const put = (from: number, to: number, shift: number): void => {
    if (from < done) return
    parts.push(source.slice(done, from))
    for (let at = from; at < to; at++) {
      const unit = source.charCodeAt(at)
      const offset = at === from ? shift : 0
      const isHidden = unit < asPiece && (offset > 0 || hiddenSign.test(source.charAt(at)))
      parts.push(isHidden ? String.fromCharCode(base + offset + unit) : source.charAt(at))
    }
    done = to
    isUsed = true
  }
  const known = new RegExp(`[\\u{${base.toString(16)}}-\\u{${(base + width - 1).toString(16)}}]`, 'gu')
  const piece = new RegExp(`[\\u{${(base + asPiece).toString(16)}}-\\u{${(base + width - 1).toString(16)}}]`, 'gu')
  return {
    hide: (from, to) => put(from, to, 0),
    hidePiece: (from, to) => put(from, to, asPiece),
    text: () => (isUsed ? parts.join('') + source.slice(done) : source),
    restore: (text) =>
      isUsed ? text.replaceAll(known, (sign) => String.fromCharCode((sign.charCodeAt(0) - base) % asPiece)) : text,
    findPiece(text, from) {
      piece.lastIndex = from
      return piece.exec(text)?.index ?? -1
    },
  }
}

/** The first of the zones for private use that this text does not use itself. */
function findFree(source: string): number | undefined {
  const used = new Set<number>()
  for (const sign of source.match(/[\ue000-\uf8ff]/g) ?? []) {
    used.add(Math.floor((sign.charCodeAt(0) - firstPrivate) / width))
  }
  const zones = Math.floor((lastPrivate + 1 - firstPrivate) / width)
  const free = Array.from({ length: zones }, (_, zone) => zone).find((zone) => !used.has(zone))
  return free === undefined ? undefined : firstPrivate + free * width
}

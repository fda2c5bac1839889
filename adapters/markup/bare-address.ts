// Where a bare address ends. GFM knows only the signs of ASCII: it takes a Chinese mark and the sentence behind it into the address, and with them the
// stars of bold words around it.

/** Signs of any script but ASCII that end a clause or a bracket. Dashes and dots within words may stand in an address. */
const mark = /[[\p{P}]--[\p{Pd}\p{Pc}\u0000-\u007f·‧・]]/v
/** As far as GFM would read. */
const token = /[^\s<`|]{1,2048}/y
const marks = /\*{1,3}|~~|_{1,3}/g
const trailing = /^[?!.,:;*_~'"]$/

export type BareAddress = {
  /** Where the address ends, if GFM would read on. */
  readonly end: number | undefined
  /** Where to look on. */
  readonly rest: number
}

export function toBareAddress(source: string, from: number): BareAddress {
  token.lastIndex = from
  const found = token.exec(source)?.[0] ?? ''
  const firstMark = found.search(/[*~]/)
  const inside = from + (firstMark < 0 ? found.length : firstMark)
  const none = { end: undefined, rest: Math.max(inside, from + 1) }
  if (/[\p{L}\p{N}]/u.test(source.charAt(from - 1)) && /^[\x00-\x7f]$/.test(source.charAt(from - 1))) return none
  const at = findEnd(found, toMarksBefore(source, from))
  if (at === undefined) return none
  const words = trim(found.slice(0, at))
  if (!URL.canParse(toUrl(words)) || !/[\p{L}\p{N}]/u.test(words.replace(/^(?:https?:\/\/|www\.)/i, ''))) return none
  return { end: from + words.length, rest: from + words.length }
}

export const toUrl = (words: string): string => (/^www\./i.test(words) ? `http://${words}` : words)

/** Where a mark of another script stands, or the closing of a mark that was opened before the address. */
function findEnd(found: string, before: string): number | undefined {
  const sign = found.search(mark)
  const end = sign < 0 ? found.length : sign
  marks.lastIndex = 0
  for (let run = marks.exec(found); run && run.index < end; run = marks.exec(found)) {
    const after = found.slice(run.index + run[0].length)
    if (isOpen(before, run[0]) && /^[^\x00-\x7f]/.test(after)) return run.index
  }
  return sign < 0 ? undefined : sign
}

/** The line up to the address. */
function toMarksBefore(source: string, from: number): string {
  const near = source.slice(Math.max(0, from - 400), from)
  return near.slice(near.lastIndexOf('\n') + 1)
}

const isOpen = (before: string, run: string): boolean => before.split(run).length % 2 === 0

function trim(words: string): string {
  let open = words.split('(').length - words.split(')').length
  let end = words.length
  for (; end > 0; end -= 1) {
    const last = words.charAt(end - 1)
    if (last === ')' && open < 0) open += 1
    else if (!trailing.test(last)) break
  }
  return words.slice(0, end)
}

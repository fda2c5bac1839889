// Finds lines that two texts have in common, in order, as many as there are unless that would take too long. Lines that only one of them has are left out
// first, so that two texts with little in common cost no more than reading them.

/** A run of lines that are the same: where it begins in each text. */
export type Match = { readonly old: number; readonly now: number; readonly count: number }
export type Matches = {
  readonly matches: readonly Match[]
  /** Of what lies between the first and the last change nothing was compared. */
  readonly isCoarse: boolean
}

/** So many lines may be only in one of the texts, of those that both have. The memory grows with the square: 16 MB. */
const mostEdits = 2000
/** Lines that are compared. */
const mostWork = 2_000_000

export function findMatches(old: readonly string[], now: readonly string[]): Matches {
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && old[head] === now[head]) head += 1
  let tail = 0
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1
  const first = toNumbers(old, now, { start: head, end: old.length - tail })
  const second = toNumbers(now, old, { start: head, end: now.length - tail })
  const numbers = new Map<string, number>()
  const toNumber = (line: string): number => {
    const known = numbers.get(line)
    if (known === undefined) numbers.set(line, numbers.size)
    return known ?? numbers.size - 1
  }
  const pairs = match(
    Int32Array.from(first, (at) => toNumber(old[at] ?? '')),
    Int32Array.from(second, (at) => toNumber(now[at] ?? '')),
  )
  const middle = (pairs ?? []).map(([a, b]) => ({ old: first[a] ?? 0, now: second[b] ?? 0, count: 1 }))
  const ends = { old: old.length - tail, now: now.length - tail, count: tail }
  return { matches: join([{ old: 0, now: 0, count: head }, ...middle, ends]), isCoarse: pairs === undefined }
}

/** Where lines between the ends are that the other text has there, too. */
function toNumbers(
  own: readonly string[],
  other: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
): readonly number[] {
  const there = new Set(other.slice(start, other.length - (own.length - end)))
  const found: number[] = []
  for (let at = start; at < end; at++) if (there.has(own[at] ?? '')) found.push(at)
  return found
}

/** Runs that go on in both texts become one. */
function join(matches: readonly Match[]): readonly Match[] {
  const joined: Match[] = []
  for (const one of matches) {
    const last = joined.at(-1)
    if (one.count === 0) continue
    if (last && last.old + last.count === one.old && last.now + last.count === one.now)
      joined[joined.length - 1] = { ...last, count: last.count + one.count }
    else joined.push(one)
  }
  return joined
}

/** Pairs of places in both, in order; undefined where it would take too long. */
function match(a: Int32Array, b: Int32Array): readonly (readonly [number, number])[] | undefined {
  // How far in `a` each diagonal was followed, a diagonal being the place in `a` less that in `b`; and the same as it was after each edit.
  const room = Math.min(mostEdits, a.length + b.length) + 1
  const far = new Int32Array(2 * room + 1)
  const past: Int32Array[] = []
  let work = 0
  for (let edits = 0; edits < room; edits++) {
    past.push(far.slice(room - edits, room + edits + 1))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = far[room + diagonal + 1] ?? 0
      const right = (far[room + diagonal - 1] ?? 0) + 1
      const begun = diagonal === -edits || (diagonal !== edits && right <= down) ? down : right
      let x = begun
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1
      far[room + diagonal] = x
      work += 1 + x - begun
      if (x >= a.length && x - diagonal >= b.length) return goBack(past, a.length, b.length)
    }
    if (work > mostWork) return undefined
  }
  return undefined
}

/** Follows the edits from the end, and finds what lies between them. */
function goBack(past: readonly Int32Array[], aLength: number, bLength: number): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  let [x, y] = [aLength, bLength]
  for (let edits = past.length - 1; edits >= 0; edits--) {
    const far = past[edits] ?? new Int32Array(1)
    const farAt = (diagonal: number): number => far[edits + diagonal] ?? 0
    const diagonal = x - y
    const isDown = diagonal === -edits || (diagonal !== edits && farAt(diagonal - 1) + 1 <= farAt(diagonal + 1))
    const before = isDown ? diagonal + 1 : diagonal - 1
    const fromX = edits === 0 ? 0 : farAt(before)
    const fromY = edits === 0 ? 0 : fromX - before
    const beginX = edits === 0 ? 0 : isDown ? fromX : fromX + 1
    for (; x > beginX; x -= 1, y -= 1) pairs.push([x - 1, y - 1])
    x = fromX
    y = fromY
  }
  return pairs.toReversed()
}

// Finds what somebody probably meant by a name that does not exist.

export type Nearest = { readonly name: string; /** Letters put in, left out or changed. */ readonly slips: number }

/** The known name with the fewest slips; the first of those that are equally near. */
export function findNearest(name: string, known: readonly string[]): Nearest {
  const ranked = known.map((one) => ({ name: one, slips: countSlips(name, one) }))
  return ranked.reduce((best, next) => (next.slips < best.slips ? next : best), { name: '', slips: Infinity })
}

/** Levenshtein distance. Names come from a person's keyboard: beyond a hundred letters they are not compared. */
function countSlips(left: string, right: string): number {
  if (left.length > 100) return Infinity
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}

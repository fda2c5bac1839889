// Sets of documents, by their places in an index.

export type Places = ReadonlySet<number>

export const either = (one: Places, other: Places): Places => new Set([...one, ...other])

export const without = (one: Places, other: Places): Places => new Set([...one].filter((at) => !other.has(at)))

export function both(one: Places, other: Places): Places {
  const [few, many] = one.size < other.size ? [one, other] : [other, one]
  return new Set([...few].filter((at) => many.has(at)))
}

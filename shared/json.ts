// What came as JSON from outside, looked at without trust. Pure.

export type Fields = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const toObject = (value: unknown): Fields | undefined => (isObject(value) ? value : undefined)

/** One alone is a list of one; none is an empty list. */
export function toList(value: unknown): readonly unknown[] {
  if (isList(value)) return value
  return value === undefined || value === null ? [] : [value]
}

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    const read: unknown = JSON.parse(text)
    return read
  } catch {
    return undefined
  }
}

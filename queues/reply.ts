// Reads what Redis answered: nested arrays of strings and numbers, whose shape is not trusted.

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
export const integer = (value: unknown): number => Number(text(value) || 0)

/** Splits a flat list into groups of `size`. */
export function groups(flat: readonly unknown[], size: number): (readonly unknown[])[] {
  const result: (readonly unknown[])[] = []
  for (let i = 0; i + size <= flat.length; i += size) result.push(flat.slice(i, i + size))
  return result
}

// Arithmetic on measurements: medians, percentiles, and a figure with its spread.

export type Figure = { readonly median: number; readonly min: number; readonly max: number }

export function toFigure(values: readonly number[]): Figure {
  return { median: percentile(values, 50), min: round(Math.min(...values)), max: round(Math.max(...values)) }
}

/** Nearest rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return round(sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN)
}

/** Three significant figures after the point for small numbers, whole ones for large. */
export function round(value: number): number {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4))
}

// A text is measured, to see whether it must be split, and soon afterwards sent: it is rendered once for both, since reading Markdown
// is most of what a delivered text costs.

export type Measured<T> = {
  measure(markdown: string): number
  /** What was measured, if it is still known; it is forgotten by that. */
  render(markdown: string): T
}

/** As many texts as may wait between the two; one that was forgotten is rendered again. */
const mostKept = 256

export function measured<T>(render: (markdown: string) => T, lengthOf: (rendered: T) => number): Measured<T> {
  const kept = new Map<string, T>()
  return {
    measure(markdown) {
      const rendered = render(markdown)
      kept.set(markdown, rendered)
      const [oldest] = kept.keys()
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
      return lengthOf(rendered)
    },
    render(markdown) {
      const known = kept.get(markdown)
      kept.delete(markdown)
      return known ?? render(markdown)
    },
  }
}

// A text is measured, to see whether it must be split, and rendered to be sent a moment later. Reading Markdown is most of what a
// delivered text costs, so what was rendered for the first is kept for the second.

/** UTF-16 units of all texts kept: those measured and not sent, such as drafts, make room for newer ones. */
const mostKeptUnits = 250_000

/** The same function; an answer that is asked for again is given and forgotten. */
export function askedTwice<T>(render: (markdown: string) => T): (markdown: string) => T {
  const kept = new Map<string, T>()
  let keptUnits = 0
  const forget = (markdown: string): void => {
    if (kept.delete(markdown)) keptUnits -= markdown.length
  }
  return (markdown) => {
    const known = kept.get(markdown)
    if (known !== undefined) {
      forget(markdown)
      return known
    }
    const rendered = render(markdown)
    kept.set(markdown, rendered)
    keptUnits += markdown.length
    for (const oldest of kept.keys()) {
      if (keptUnits <= mostKeptUnits) break
      forget(oldest)
    }
    return rendered
  }
}

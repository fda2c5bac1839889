// The sign that a message still grows, for platforms that show none by themselves.

/** Behind a table's row the mark would be one more cell, and behind a fence it would keep the code open: there it stands alone. */
export function withGrowthMark(text: string): string {
  const said = text.trimEnd()
  const isBlock = /(?:^|\n)[ \t]*(?:\||```|~~~)[^\n]*$/.test(said)
  return `${said}${isBlock ? '\n\n' : ' '}…`
}

// A table as text in columns, for platforms without tables. Wide characters (Chinese, emoji) count two columns.

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

/** Rows of cells, the first one the header; every row is one line. */
export function toTableText(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('\n', ' ')))
  const columns = Math.max(0, ...cells.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.min(40, Math.max(1, ...cells.map((row) => toWidth(row[i] ?? '')))),
  )
  const lines = cells.map((row) =>
    widths
      .map((width, i) => (row[i] ?? '') + ' '.repeat(Math.max(0, width - toWidth(row[i] ?? ''))))
      .join(' │ ')
      .trimEnd(),
  )
  const rule = widths.map((width) => '─'.repeat(width)).join('─┼─')
  return [lines[0] ?? '', ...(lines.length > 1 ? [rule] : []), ...lines.slice(1)].join('\n')
}

function toWidth(text: string): number {
  let width = 0
  for (const char of text) width += wide.test(char) ? 2 : 1
  return width
}

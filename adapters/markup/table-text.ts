// A table as text in columns, for platforms without tables. Wide characters (Chinese, emoji) count two columns.

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

/** Rows of cells, the first one the header. A row has as many lines as the longest of its cells. */
export function toTableText(rows: readonly (readonly string[])[]): string {
  const split = rows.map((row) => row.map((cell) => cell.split('\n').map((line) => line.trim())))
  const byRow = split.map(toLines)
  const cells = byRow.flat()
  // Only cells that were written cost anything: a head of a thousand columns over a thousand short rows is a million cells.
  const widths: number[] = []
  for (const row of cells) {
    for (const [i, cell] of row.entries()) widths[i] = Math.min(40, Math.max(widths[i] ?? 1, toWidth(cell)))
  }
  const lines = cells.map((row) =>
    row
      .map((cell, i) => cell + ' '.repeat(Math.max(0, (widths[i] ?? 0) - toWidth(cell))))
      .join(' │ ')
      .trimEnd(),
  )
  const rule = widths.map((width) => '─'.repeat(width)).join('─┼─')
  const head = byRow[0]?.length ?? 0
  return [...lines.slice(0, head), ...(rows.length > 1 ? [rule] : []), ...lines.slice(head)].join('\n')
}

function toLines(row: readonly (readonly string[])[]): string[][] {
  const most = row.reduce((lines, cell) => Math.max(lines, cell.length), 1)
  return Array.from({ length: most }, (_, i) => row.map((cell) => cell[i] ?? ''))
}

function toWidth(text: string): number {
  let width = 0
  for (const char of text) width += wide.test(char) ? 2 : 1
  return width
}

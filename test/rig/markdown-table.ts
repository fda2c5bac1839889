// A table of Markdown, as the formatter has it.

export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)))
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [toLine(head), toLine(widths.map((width) => '-'.repeat(width))), ...rows.map(toLine)].join('\n')
}

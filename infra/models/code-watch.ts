// Whether a text that grows sign by sign stands in code: in a block between fences, or between as many backticks of one line.

export type CodeWatch = {
  note(sign: string): void
  isInCode(): boolean
  /** Whether the next sign begins a line. */
  isAtLineStart(): boolean
}

/** Also in lists and quotations. */
const fence = /^[ \t>]{0,40}(?:(?:[-*+]|\d{1,3}[.)])[ \t]{1,4})?(`{3,}|~{3,})/
const mostLineChars = 60

export function createCodeWatch(): CodeWatch {
  let fencedBy = ''
  let line = ''
  /** The run of backticks that opened, and the one that stands here. */
  let opened = 0
  let run = 0

  function endLine(): void {
    const [, marks = ''] = fence.exec(line) ?? []
    if (fencedBy === '') fencedBy = marks
    else if (marks.startsWith(fencedBy)) fencedBy = ''
    line = ''
    opened = 0
    run = 0
  }
  return {
    note(sign) {
      if (sign === '\n') return endLine()
      if (line.length < mostLineChars) line += sign
      if (sign === '`') {
        run += 1
        return
      }
      if (run > 0) opened = opened === 0 ? run : run === opened ? 0 : opened
      run = 0
    },
    isInCode() {
      if (fencedBy !== '' || fence.test(line)) return true
      return run > 0 ? run !== opened : opened > 0
    },
    isAtLineStart: () => line === '',
  }
}

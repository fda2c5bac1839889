// Whether a text that grows sign by sign stands in code: in a block between fences, or between backticks of one line.

export type CodeWatch = {
  note(sign: string): void
  isInCode(): boolean
  /** Whether the next sign begins a line. */
  isAtLineStart(): boolean
}

const fence = /^ {0,3}(?:```|~~~)/

export function createCodeWatch(): CodeWatch {
  let isFenced = false
  let ticks = 0
  let line = ''
  return {
    note(sign) {
      if (sign === '\n') {
        if (fence.test(line)) isFenced = !isFenced
        line = ''
        ticks = 0
        return
      }
      if (sign === '`') ticks += 1
      if (line.length < 8) line += sign
    },
    isInCode: () => isFenced || fence.test(line) || ticks % 2 === 1,
    isAtLineStart: () => line === '',
  }
}

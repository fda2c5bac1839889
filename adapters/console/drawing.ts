// Text on a terminal above the line being typed: printed for good, or drawn below so that it can be drawn again.
import wrapAnsi from 'wrap-ansi'

export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** The line being typed. */
export type PromptLine = {
  /** Shows it again, on the line where the cursor is. */
  redraw(): void
  isTyping(): boolean
  /** Lines of the screen between its first and the cursor. */
  rowsAbove(): number
}

/** Of an open block so many of the last lines are drawn at most: nothing that scrolled away can be drawn again. */
const leastRows = 10

export type Drawing = {
  /** Of a line, at least 20. */
  columns(): number
  print(text: string): void
  draw(text: string): void
  /** Lines that are drawn below give way to the prompt. */
  giveWay(): void
}

export function createDrawing(output: Output, prompt: PromptLine): Drawing {
  const terminal = output.isTTY === true
  const columns = (): number => Math.max(20, (output.columns ?? 80) - 1)
  /** Lines drawn below what is printed, which can be drawn again; 0 is the prompt. */
  let drawnRows = 0

  function wipe(): string {
    if (!terminal) return ''
    const above = drawnRows > 0 ? drawnRows - 1 : prompt.rowsAbove()
    drawnRows = 0
    return `\r${above > 0 ? `\u001b[${above}A` : ''}\u001b[J`
  }

  return {
    columns,
    print(text) {
      output.write(`${wipe()}${text}\n`)
      if (terminal) prompt.redraw()
    },
    draw(text) {
      // A person who is typing is not disturbed.
      if (prompt.isTyping()) return
      const most = Math.max(leastRows, (output.rows ?? 24) - 4)
      const lines = wrapAnsi(`${text}…`, columns(), { trim: false, hard: true }).split('\n').slice(-most)
      output.write(`${wipe()}${lines.join('\n')}`)
      drawnRows = lines.length
    },
    giveWay() {
      if (drawnRows === 0) return
      output.write(wipe())
      prompt.redraw()
    },
  }
}

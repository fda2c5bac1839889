// What the terminal shows: replies as lines, and on a terminal the reply being written in its last line. Nothing a reply says can
// steer the terminal: control characters are taken out.
import type { Button } from '#shared/chat/message.ts'

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

export type Screen = {
  /** A line of the console's own. */
  note(text: string): void
  /** What somebody said elsewhere in the same conversation. */
  person(text: string): void
  /** A whole reply; `choices` are numbered from `first`. */
  reply(text: string, choices: readonly Button[], first: number): void
  /** The newest text of a reply in progress; on a terminal only. */
  draft(text: string): void
  /** The person has begun to type: the draft gives way to the prompt. */
  giveWay(): void
}

/** C0 and C1 controls but tab and newline, and marks that change the direction of what is read. */
const steering = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu

function toSafe(text: string): string {
  return text.replaceAll(steering, (found) => (found === '\n' || found === '\t' ? found : ''))
}

/** `redrawPrompt` shows the prompt and what is being typed again. */
export function createScreen(
  output: Output,
  prompt: { redraw(): void; isTyping(): boolean },
  marks: { readonly you: string; readonly bot: string },
): Screen {
  const tty = output.isTTY === true
  const clearLine = tty ? '\r\u001b[K' : ''

  let draftShown = false

  function lines(text: string): void {
    draftShown = false
    output.write(`${clearLine}${text}\n`)
    if (tty) prompt.redraw()
  }

  return {
    note: lines,
    person: (text) => lines(`${marks.you} ${toSafe(text)}`),
    reply(text, choices, first) {
      const numbered = choices.map(({ label }, index) => `  #${first + index} ${toSafe(label)}`)
      const said = tty ? `${marks.bot} ${toSafe(text)}` : toSafe(text)
      lines([said, ...numbered].join('\n'))
    },
    draft(text) {
      // Whoever is typing is not disturbed.
      if (!tty || prompt.isTyping()) return
      draftShown = true
      const last = toSafe(text).trimEnd().split('\n').at(-1) ?? ''
      output.write(`${clearLine}${marks.bot} ${toTail(last, (output.columns ?? 80) - 6)}…`)
    },
    giveWay() {
      if (!draftShown) return
      draftShown = false
      output.write(clearLine)
      prompt.redraw()
    },
  }
}

/** As much of the end as fits into so many cells; East Asian characters and emoji take two. */
function toTail(text: string, cells: number): string {
  let width = 0
  let tail = ''
  for (const character of [...text].toReversed()) {
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{3ffff}]/u.test(
        character,
      )
        ? 2
        : 1
    if (width > cells) break
    tail = character + tail
  }
  return tail
}

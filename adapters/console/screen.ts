// What the terminal shows: replies as they grow, notes, and below them the line being typed. Piped, it writes plain lines and no drafts.
import type { Button } from '#shared/chat/message.ts'
import { createDrawing, type Output, type PromptLine } from './drawing.ts'
import { createGrowingReply } from './growing-reply.ts'
import { toNumber, toSafe, toTerminal, withoutNumbers } from './to-terminal.ts'

/** `turn`: the turn, or other step, that says it. */
export type Said = { readonly turn: string; readonly text: string; readonly isPlan?: boolean }

export type Screen = {
  /** A line of the console's own. */
  note(text: string): void
  /** What a person said elsewhere in the same conversation, or earlier. */
  person(text: string): void
  /** A whole reply; `choices` are numbered from `first`, and below them stands the hint, if any. */
  reply(said: Said, choices: readonly Button[], first: number, hint?: string): void
  /** How far a plan is: those of its lines that have changed. */
  progress(plan: string): void
  /** The newest text of a reply in progress; on a terminal only. */
  draft(said: Said): void
  /** The person has begun to type: what is drawn below gives way to the prompt. */
  giveWay(): void
}

const marks = { person: '>', bot: '·' } as const
export function createScreen(output: Output, prompt: PromptLine): Screen {
  const terminal = output.isTTY === true
  const { columns, print, draw, giveWay } = createDrawing(output, prompt)
  const reply = createGrowingReply()

  /** With the bot's mark where a reply begins, and a blank line where it goes on. */
  const show = (markdown: string, goesOn: boolean): string =>
    goesOn ? `\n${toTerminal(markdown, columns())}` : `${marks.bot} ${toTerminal(markdown, columns() - 2)}`

  let progress: readonly string[] = []
  const interject = (text: string): void => {
    reply.interrupt()
    print(text)
  }
  return {
    note: interject,
    progress(plan) {
      const lines = plan.split('\n')
      const news = lines.filter((line) => !progress.includes(line) && line !== '').join('\n')
      if (news !== '') interject(terminal ? toTerminal(news, columns()) : withoutNumbers(toSafe(news)))
      progress = lines
    },
    person: (text) => interject(`${marks.person} ${toSafe(text)}`),
    reply({ turn, text, isPlan }, choices, first, hint) {
      if (isPlan) progress = text.split('\n')
      const numbered = choices.map(({ label }, index) => {
        const number = first + index
        return `  ${terminal ? toNumber(number) : `#${number}`} ${toSafe(label)}`
      })
      if (hint !== undefined) numbered.push(`  ${hint}`)
      if (!terminal) return print([withoutNumbers(toSafe(text)), ...numbered].join('\n'))
      const { finished, goesOn } = reply.end(turn, text)
      const rest = finished.trim() === '' && text.trim() !== '' ? [] : [show(finished, goesOn)]
      if (rest.length + numbered.length > 0) print([...rest, ...numbered].join('\n'))
    },
    draft({ turn, text }) {
      if (!terminal || text.trim() === '') return
      const { finished, open, goesOn } = reply.grow(turn, text)
      if (finished.trim() !== '') print(show(finished, goesOn))
      draw(show(open, goesOn || finished.trim() !== ''))
    },
    giveWay,
  }
}

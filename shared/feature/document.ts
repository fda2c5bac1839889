// A document of ours, such as WORKING.md, as a message: in a block of code, so that it reads and copies exactly as it is, and as a file where it is
// long and the channel can show one.
import type { StepEffect } from './effect.ts'

type Shown = {
  /** The file's. */
  readonly name: string
  readonly text: string
  /** Stands beside the file. */
  readonly caption: string
  /** Platform ids of the messages whose texts it repeats; those that the step is about when there are none. */
  readonly about?: readonly string[]
}

/** More would not stand in one message on every platform (Discord: 2,000). */
const mostChars = 1800

export function showDocument({ name, text, caption, about = [] }: Shown): StepEffect<never> {
  // Longer than any in the text, so that nothing said can end it.
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return {
    kind: 'send',
    text: `${fence}markdown\n${text}\n${fence}`,
    ...(about.length > 0 ? { about } : {}),
    ...(text.length > mostChars ? { file: { name, caption, text } } : {}),
  }
}

// A file for people that is made of what was kept: whose words are in it goes with it, as with a message (`tell` of kept.ts).
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Language } from '#shared/chat/message.ts'
import { peek, tell, type Kept } from '#shared/feature/kept.ts'
import type { OutFile } from '#shared/run/out-row.ts'
import { pick } from '#services/tasks/words.ts'

/** Some eight messages of a chat, where it can show no file. */
const mostChatChars = 30_000
export const mostFileChars = 1_000_000

/** `text` stands for the file where none can be shown. */
export function tellFile<T>(
  all: readonly Kept<T>[],
  compose: (values: readonly T[]) => { readonly text: string; readonly file: OutFile },
): readonly StepEffect<never>[] {
  const files: OutFile[] = []
  const told = tell(all, (values) => {
    const { text, file } = compose(values)
    files.push(file)
    return text
  })
  const [file] = files
  return told.kind === 'send' && file ? [{ ...told, file }] : []
}

/** Above that a text comes as a file: a chat would be full of it. */
export const mostTextChars = 12_000

/** A result under its heading, as a message or as a file. */
export function tellResult(
  all: readonly Kept[],
  compose: (values: readonly string[]) => string,
  { number, head, language }: { readonly number: number; readonly head: string; readonly language: Language },
): readonly StepEffect<never>[] {
  const isLong = peek(all, (values) => compose(values).length > mostTextChars)
  if (!isLong) return [tell(all, (values) => `**${head}**\n\n${compose(values)}`)]
  return tellFile(all, (values) =>
    toFileMessage({ path: `task-${number}.md`, text: compose(values), caption: head }, language),
  )
}

/** A text as a file, and as a message for who is shown none. */
export function toFileMessage(
  { path, text, caption }: { readonly path: string; readonly text: string; readonly caption: string },
  language: Language,
): { readonly text: string; readonly file: OutFile } {
  const whole = text.slice(0, mostFileChars).toWellFormed()
  const shown = whole.slice(0, mostChatChars).toWellFormed()
  const cut =
    shown.length < text.length
      ? pick(language, { zh: `（前 ${shown.length} 个字符）`, en: ` (its first ${shown.length} characters)` })
      : ''
  const longest = Math.max(3, ...(shown.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return {
    text: [`${caption}${cut}`, `${fence}\n${shown}\n${fence}`].join('\n\n'),
    file: { name: toFileName(path), caption, text: whole },
  }
}

/** As platforms take it: its last part, in letters of ASCII, digits, points, `_` and `-`. */
function toFileName(path: string): string {
  const last = path.split('/').at(-1) ?? ''
  const name = last.replaceAll(/[^\w.-]/g, '_').slice(-64)
  return /[A-Za-z0-9]/.test(name) ? name : 'file.txt'
}

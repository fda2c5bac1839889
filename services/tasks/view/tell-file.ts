// A file for people that is made of what was kept: whose words are in it goes with it, as with a message (`tell` of kept.ts).
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Language } from '#shared/chat/message.ts'
import { peek, tell, type Kept } from '#shared/feature/kept.ts'
import type { OutFile } from '#shared/run/out-row.ts'
import { toFileMessage } from './print-files.ts'

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
const mostTextChars = 12_000

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

// A file for people that is made of what was kept: whose words are in it goes with it, as with a message (`tell` of kept.ts).
import type { StepEffect } from '#shared/feature/effect.ts'
import { tell, type Kept } from '#shared/feature/kept.ts'
import type { OutFile } from '#shared/run/out-row.ts'

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

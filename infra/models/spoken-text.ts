// What was said of an answer so far, and which marks may stand where it has come to.
import { createCodeWatch } from './code-watch.ts'
import { findJson, findMark, findPython, sign, unsure, type Found } from './find-mark.ts'
import type { ThoughtMark } from './markup.ts'

export type SpokenText = {
  /** Says one sign. */
  say(one: string): string
  hasSaid(): boolean
  /** What stands at a place of the text that comes next. */
  find(held: string, at: number): Found
  /** What was said was no answer. */
  forget(): void
}

const sentenceEnd = /[.!?…。！？>)）]/

/** `tools`: the names of those that may be called. */
export function createSpokenText(tools: readonly string[]): SpokenText {
  let code = createCodeWatch()
  let hasSaid = false
  let lastSign = ''

  /** At the beginning of a line, or behind a sentence; a word only at the beginning of all. */
  function opensHere({ isWord }: ThoughtMark): boolean {
    if (isWord === true) return !hasSaid
    return code.isAtLineStart() || sentenceEnd.test(lastSign)
  }

  return {
    hasSaid: () => hasSaid,
    say(one) {
      code.note(one)
      hasSaid ||= one.trim() !== ''
      if (one.trim() !== '') lastSign = one
      return one
    },
    find(held, at) {
      if (code.isInCode()) return sign
      const json = code.isAtLineStart() ? findJson(held, at, hasSaid) : sign
      const python = json.kind === 'sign' && code.isAtLineStart() ? findPython(held, at, { hasSaid, tools }) : json
      const found = python.kind === 'sign' ? findMark(held, at) : python
      if (found.kind === 'thought') return opensHere(found.mark) ? found : sign
      if (found.kind !== 'closing' || code.isAtLineStart()) return found
      // Within a line it is spoken of, unless the line ends with it.
      const next = held.charAt(at + found.text.length)
      return next === '' ? unsure : next === '\n' ? found : sign
    },
    forget() {
      hasSaid = false
      lastSign = ''
      code = createCodeWatch()
    },
  }
}

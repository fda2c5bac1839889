// Tells pasted text from typed keys. A terminal in bracketed paste mode puts marks around what is pasted; a block of several lines is
// handed over whole, so that it becomes one message, and a single line goes on as if it had been typed.
import { Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Asks the terminal to mark pastes, and to leave that off. Source: xterm control sequences, "Bracketed Paste Mode". */
export const markPastes = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const

const begin = '\u001b[200~'
const end = '\u001b[201~'

/** Keys come out; `onPaste` gets each block, with `\n` between its lines. */
export function splitPastes(onPaste: (text: string) => void): Transform {
  const decoder = new StringDecoder('utf8')
  let held = ''
  let pasted: string[] | undefined

  function take(text: string): string {
    let keys = ''
    let rest = text
    while (rest !== '') {
      const mark = pasted ? end : begin
      const at = rest.indexOf(mark)
      const before = at < 0 ? rest.slice(0, rest.length - countBegun(rest, mark)) : rest.slice(0, at)
      held = at < 0 ? rest.slice(before.length) : ''
      rest = at < 0 ? '' : rest.slice(at + mark.length)
      if (!pasted) keys += before
      else pasted.push(before)
      if (at >= 0) keys += turn()
    }
    return keys
  }

  /** At a mark: a paste begins, or ends and is handed over. */
  function turn(): string {
    if (!pasted) {
      pasted = []
      return ''
    }
    const text = pasted.join('').replaceAll(/\r\n?/g, '\n').trimEnd()
    pasted = undefined
    if (!/\p{Cc}/u.test(text)) return text
    onPaste(text)
    return ''
  }

  return new Transform({
    transform(chunk: string | Buffer, _encoding, done) {
      const text = held + (typeof chunk === 'string' ? chunk : decoder.write(chunk))
      held = ''
      done(null, take(text))
    },
  })
}

/** How many characters at the end may be the beginning of a mark; a lone escape is a key. */
function countBegun(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 1; length--) {
    if (text.endsWith(mark.slice(0, length))) return length
  }
  return 0
}

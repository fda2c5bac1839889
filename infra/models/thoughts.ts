// Takes out what a model thinks aloud before it answers: `<think>…</think>` at the beginning of its text, as endpoints pass it on that do not know the
// model's own form. It is neither shown nor remembered.

export type ThoughtFilter = {
  /** What of the next piece is said. */
  take(piece: string): string
  /** What was held back and is said after all. */
  rest(): string
}

const opening = '<think>'
const closing = '</think>'

export function createThoughtFilter(): ThoughtFilter {
  let held = ''
  let state: 'begins' | 'thinks' | 'ends' | 'says' = 'begins'
  return {
    take(piece) {
      if (state === 'says') return piece
      held += piece
      if (state === 'begins') {
        const start = held.trimStart()
        if (opening.startsWith(start.slice(0, opening.length)) && start.length < opening.length) return ''
        state = start.startsWith(opening) ? 'thinks' : 'says'
      }
      if (state === 'thinks') {
        const end = held.indexOf(closing)
        // Of a long thought only what may be the beginning of its end.
        held = end < 0 ? held.slice(-(closing.length - 1)) : held.slice(end + closing.length)
        if (end < 0) return ''
        state = 'ends'
      }
      if (state === 'ends') {
        held = held.trimStart()
        if (held === '') return ''
        state = 'says'
      }
      const said = held
      held = ''
      return said
    },
    rest: () => (state === 'begins' ? held : ''),
  }
}

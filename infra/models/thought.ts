// A thought as it comes: where it ends may stand in several pieces. One that the template began may end by any mark.
import { longest } from './find-mark.ts'
import { thoughtMarks, type ThoughtMark } from './markup.ts'

export type Thought = {
  /** `opens`: its mark, as it stands. */
  begin(mark: ThoughtMark, opens: string): void
  /** Adds a piece. Once it ends: what follows. */
  take(piece: string): string | undefined
  /** Whether the template began it, and no mark did. */
  isOfTemplate(): boolean
  /** What there is of one that has not ended. */
  text(): string
  /** Of a mark that may be a word: the answer itself, where nothing follows. */
  wordText(): string
}

const allClosings = thoughtMarks.flatMap(({ closes, isWord }) => (isWord ? [] : [closes]))

export function createThought(beginsThinking: boolean): Thought {
  let closings: readonly string[] = beginsThinking ? allClosings : []
  let endsBefore: readonly string[] = []
  /** Piece by piece, and its last signs. */
  let pieces: string[] = []
  let tail = ''
  let wordText = ''
  let isWord = false
  return {
    begin(mark, opens) {
      closings = [mark.closes]
      endsBefore = mark.endsBefore ?? []
      isWord = mark.isWord === true
      pieces = [opens]
    },
    take(piece) {
      const ahead = tail + piece
      const end = findEnd(ahead, { closings, endsBefore })
      if (!end) {
        pieces.push(piece)
        tail = ahead.slice(-longest)
        return undefined
      }
      if (isWord) wordText += `${pieces.join('')}${piece.slice(0, Math.max(0, end.at + end.length - tail.length))}`
      pieces = []
      tail = ''
      return ahead.slice(end.at + end.length)
    },
    isOfTemplate: () => closings === allClosings,
    text: () => pieces.join(''),
    wordText: () => wordText,
  }
}

type Ends = { readonly closings: readonly string[]; readonly endsBefore: readonly string[] }

/** The first one. It ends with a closing, or before a mark. */
function findEnd(
  text: string,
  { closings, endsBefore }: Ends,
): { readonly at: number; readonly length: number } | undefined {
  let end: { readonly at: number; readonly length: number } | undefined
  for (const mark of endsBefore) {
    const at = text.indexOf(mark)
    if (at >= 0 && (!end || at < end.at)) end = { at, length: 0 }
  }
  for (const closes of closings) {
    const at = text.indexOf(closes)
    if (at >= 0 && (!end || at < end.at)) end = { at, length: closes.length }
  }
  return end
}

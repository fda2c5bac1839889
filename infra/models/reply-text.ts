// The text of a reply as it comes: what is new in a piece, less what belongs to the template, is said at once.
import type { ChatChunk } from './chat-chunk.ts'
import { createMarkupFilter, type Rest } from './markup-filter.ts'

export type ReplyText = {
  /** Says what of the chunk's text is new and fits. */
  add(chunk: ChatChunk, fit: (piece: string) => string): void
  say(piece: string): void
  /** Reads what was held back, once. */
  end(isCut: boolean): Rest
  text(): string
  /** Whether a thought ended that nothing had begun. */
  thinksAloud(): boolean
}

export type ReplyTextOptions = {
  readonly onText: (piece: string) => void
  readonly beginsThinking: boolean
  readonly tools: readonly string[]
}

/** A shorter piece may well be the same again. */
const leastRepeated = 20

export function createReplyText({ onText, ...template }: ReplyTextOptions): ReplyText {
  const markup = createMarkupFilter(template)
  /** As it came. */
  let raw = ''
  let text = ''
  let aloud = 0
  let rest: Rest | undefined

  function say(piece: string): void {
    // What was said before was a thought.
    if (markup.thoughtsAloud() > aloud) text = ''
    aloud = markup.thoughtsAloud()
    if (piece === '') return
    text += piece
    onText(piece)
  }

  /** A message after its pieces, and a last piece that repeats them, say only what is new. */
  function toNews({ text: piece, isWhole, finish }: ChatChunk): string {
    const mayRepeat = isWhole || (finish !== undefined && piece.length >= leastRepeated)
    return mayRepeat && raw !== '' && piece.startsWith(raw) ? piece.slice(raw.length) : piece
  }

  return {
    add(chunk, fit) {
      const piece = toNews(chunk)
      raw += piece
      say(markup.take(fit(piece)))
    },
    say,
    end(isCut) {
      if (!rest) {
        rest = markup.rest(isCut)
        say(rest.shown)
      }
      return rest
    },
    text: () => text,
    thinksAloud: () => aloud > 0,
  }
}

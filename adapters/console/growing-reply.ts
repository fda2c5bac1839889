// A reply that grows on a terminal. Blocks that are finished are printed once and for all; the last one, which still changes, is drawn
// below them and drawn again with each piece. What is read again is only that last block, however long the reply becomes.
import { parseMarkdown } from '#adapters/markup/markdown.ts'

export type Growth = {
  /** Markdown of blocks that are finished now and were not printed yet; empty when there are none. */
  readonly finished: string
  /** Markdown of the block that may still change. */
  readonly open: string
  /** Whether what was printed before belongs to this reply, and nothing came between. */
  readonly goesOn: boolean
}

export type GrowingReply = {
  /** The newest text of a turn's reply as far as it is known. */
  grow(turn: string, text: string): Growth
  /** A whole reply, of the turn that grew or of another: all of it that was not printed yet is finished. */
  end(turn: string, text: string): Growth
  /** Something else was printed. */
  interrupt(): void
}

export function createGrowingReply(): GrowingReply {
  /** What is printed of the reply that grows, and whether nothing stands below it. */
  let [growing, printed, isLast] = ['', '', true]
  const begin = (turn: string): void => {
    ;[growing, printed, isLast] = [turn, '', true]
  }
  return {
    grow(turn, text) {
      if (turn !== growing || !text.startsWith(printed)) begin(turn)
      const goesOn = printed !== '' && isLast
      const rest = text.slice(printed.length)
      const last = parseMarkdown(rest).children.at(-1)?.position?.start.offset ?? 0
      printed += rest.slice(0, last)
      if (last > 0) isLast = true
      return { finished: rest.slice(0, last), open: rest.slice(last), goesOn }
    },
    end(turn, text) {
      if (turn !== growing) {
        isLast = false
        return { finished: text, open: '', goesOn: false }
      }
      // A mark that people alone see may stand before it.
      const at = text.indexOf(printed)
      const finished = at < 0 ? text : text.slice(0, at) + text.slice(at + printed.length)
      const goesOn = printed !== '' && at === 0 && isLast
      begin('')
      return { finished, open: '', goesOn }
    },
    interrupt: () => {
      isLast = false
    },
  }
}

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
  /** The newest text as far as it is known. */
  grow(text: string): Growth
  /** The whole text of this reply, or of another that came meanwhile: all of it that was not printed yet is finished. */
  end(text: string): Growth
  /** Something else was printed. */
  interrupt(): void
}

export function createGrowingReply(): GrowingReply {
  let printed = ''
  let isLast = true
  const isSame = (text: string): boolean => printed !== '' && text.startsWith(printed)
  return {
    grow(text) {
      if (!isSame(text)) printed = ''
      const goesOn = printed !== '' && isLast
      const rest = text.slice(printed.length)
      const last = parseMarkdown(rest).children.at(-1)?.position?.start.offset ?? 0
      printed += rest.slice(0, last)
      if (last > 0) isLast = true
      return { finished: rest.slice(0, last), open: rest.slice(last), goesOn }
    },
    end(text) {
      const goesOn = isSame(text) && isLast
      const finished = isSame(text) ? text.slice(printed.length) : text
      // Another reply leaves this one as far as it is; one that begins with other words and has these within may be this one.
      if (text.includes(printed.trim())) printed = ''
      else isLast = false
      return { finished, open: '', goesOn }
    },
    interrupt: () => (isLast = false),
  }
}

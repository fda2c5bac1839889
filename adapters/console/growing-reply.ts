// A reply that grows on a terminal. Blocks that are finished are printed once and for all; the last one, which still changes, is drawn
// below them and drawn again with each piece. What is read again is only that last block, however long the reply becomes.
import { parseMarkdown } from '#adapters/markup/markdown.ts'

export type Growth = {
  /** Markdown of blocks that are finished now and were not printed yet; empty when there are none. */
  readonly finished: string
  /** Markdown of the block that may still change. */
  readonly open: string
  /** Whether what was printed before belongs to this reply. */
  readonly goesOn: boolean
}

export type GrowingReply = {
  /** The newest text as far as it is known. */
  grow(text: string): Growth
  /** The whole text: all that was not printed yet is finished. The next reply begins anew. */
  end(text: string): Growth
}

export function createGrowingReply(): GrowingReply {
  let printed = ''
  const begin = (text: string): { readonly rest: string; readonly goesOn: boolean } => {
    const goesOn = printed !== '' && text.startsWith(printed)
    if (!goesOn) printed = ''
    return { rest: text.slice(printed.length), goesOn }
  }
  return {
    grow(text) {
      const { rest, goesOn } = begin(text)
      const last = parseMarkdown(rest).children.at(-1)?.position?.start.offset ?? 0
      printed += rest.slice(0, last)
      return { finished: rest.slice(0, last), open: rest.slice(last), goesOn }
    },
    end(text) {
      const { rest, goesOn } = begin(text)
      printed = ''
      return { finished: rest, open: '', goesOn }
    },
  }
}

// A growing reply as blocks, reading each time only what can still change. Where a block begins is decided once its first two lines are
// complete (of a table the second line decides it), and with it that all blocks before are as they will be; only the last of those, and
// what follows it, is read again.
import type { Draft } from '#shared/run/draft.ts'
import { toReadable } from '#adapters/markup/markdown.ts'
import type { PageBlock, PageReader } from './page-blocks.ts'

/** The first `from` blocks are those shown before; then come these. */
export type DraftBlocks = { readonly from: number; readonly blocks: readonly PageBlock[] }

export type DraftReader = (draft: Draft) => DraftBlocks

export function createDraftReader(reader: PageReader): DraftReader {
  let turn = ''
  /** The text of the first `count` blocks. */
  let done = ''
  let count = 0
  return (draft) => {
    const source = toReadable(draft.text)
    if (draft.turn !== turn || !source.startsWith(done)) {
      turn = draft.turn
      done = ''
      count = 0
    }
    const tail = source.slice(done.length)
    const found = reader.readPlaced(tail)
    const from = count
    const lastEnd = tail.lastIndexOf('\n')
    const lastWhole = tail.lastIndexOf('\n', lastEnd - 1) + 1
    const open = found.findLastIndex(({ at }) => at < lastWhole)
    if (open > 0) {
      const cut = tail.lastIndexOf('\n', (found[open]?.at ?? 0) - 1) + 1
      done += tail.slice(0, cut)
      count += open
    }
    return { from, blocks: found.map(({ block }) => block) }
  }
}

// A growing reply as blocks, reading each time only what can still change. Where a block begins is decided once its first two lines are
// complete (of a table the second line decides it), and with it that all blocks before are as they will be; only the last of those, and
// what follows it, is read again.
import type { Draft } from '#shared/run/draft.ts'
import { findOpenFormula } from '#adapters/markup/formulas.ts'
import { toReadable } from '#adapters/markup/markdown.ts'
import type { BlockReader } from './open-block-reader.ts'
import type { PageBlock } from './page-blocks.ts'

/** The first `from` blocks are those shown before; then come these. */
export type DraftBlocks = { readonly from: number; readonly blocks: readonly PageBlock[] }

/** A draft as it was read. */
export type DraftReading = {
  /** What has yet to be shown where the first `settled` blocks of this text are. */
  after(settled: number): DraftBlocks
  /** How many of its first blocks are as they will be. */
  readonly settled: number
  /** The same while a text goes on; another one when it is begun anew. */
  readonly text: object
}

/** Reads one draft after the other; the next one waits for it. Never rejects. */
export type DraftReader = (draft: Pick<Draft, 'turn' | 'text'>) => Promise<DraftReading>

/** A text that grows: its first blocks, which are as they will be, and the text of these. */
type Growing = { readonly turn: string; done: string; readonly blocks: PageBlock[] }

export function createDraftReader(reader: Pick<BlockReader, 'readPlaced'>): DraftReader {
  let growing: Growing = { turn: '', done: '', blocks: [] }
  return async ({ turn, text }) => {
    const source = toReadable(text)
    if (turn !== growing.turn || !source.startsWith(growing.done)) growing = { turn, done: '', blocks: [] }
    const own = growing
    const tail = source.slice(own.done.length)
    const found = await reader.readPlaced(tail)
    const before = own.blocks.length
    const open = toOpen(tail, found)
    if (open > 0) {
      own.done += tail.slice(0, tail.lastIndexOf('\n', (found[open]?.at ?? 0) - 1) + 1)
      own.blocks.push(...found.slice(0, open).map(({ block }) => block))
    }
    const rest = found.map(({ block }) => block)
    return {
      after(settled) {
        const from = Math.min(settled, before)
        return { from, blocks: [...own.blocks.slice(from, before), ...rest] }
      },
      settled: own.blocks.length,
      text: own,
    }
  }
}

/** How many blocks at the beginning cannot change any more. */
function toOpen(tail: string, found: readonly { readonly at: number }[]): number {
  const lastEnd = tail.lastIndexOf('\n')
  const lastWhole = tail.lastIndexOf('\n', lastEnd - 1) + 1
  // The lines of a formula look like blocks until it is closed.
  const formula = findOpenFormula(tail)
  return Math.max(
    0,
    found.findLastIndex(({ at }) => at < lastWhole && at <= formula),
  )
}

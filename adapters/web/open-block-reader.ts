// Reads the bot's text for the page, in a thread that may die of it: nothing else of the process waits or ends. A text that cannot be read is
// one plain paragraph.
import { openQueryThread, type QueryThread } from '#queues/query-thread.ts'
import { toReadable } from '#adapters/markup/markdown.ts'
import { mostReadChars, plainBlock, type PageBlock, type PlacedBlock } from './page-blocks.ts'

/** Neither rejects. */
export type BlockReader = {
  /** Of a whole text. What was read lately is not read again. */
  read(markdown: string): Promise<readonly PageBlock[]>
  /** Of readable text, with where each block begins in it. */
  readPlaced(source: string): Promise<readonly PlacedBlock[]>
  /** Ends the thread; what is read after that starts another one. */
  close(): Promise<void>
}

export type BlockReaderOptions = {
  /** Told that a text is shown as it stands, and why a thread ended; neither has words of the text. */
  readonly say?: (text: string) => void
  /** The module that the thread runs, and how long it may take for one text. */
  readonly script?: URL
  readonly mostMs?: number
}

const ownScript = new URL('text-thread.ts', import.meta.url)
/** Reading ends by itself after 0.7 s. A busy machine may keep the thread from that for long, so only one that has lost its way takes this. */
const mostReadMs = 8000
/** UTF-16 units of all texts that were read lately. */
const mostKeptUnits = 250_000
/** A text that could not be read ends its thread each time, so it rests; it may have been the machine's fault. */
const restMs = 30_000

type Kept = { readonly blocks: Promise<readonly PageBlock[]>; untilMs: number }

export function openBlockReader(options: BlockReaderOptions = {}): BlockReader {
  const { say = () => {}, script = ownScript, mostMs = mostReadMs } = options
  const kept = new Map<string, Kept>()
  let keptUnits = 0
  let thread: QueryThread<string, readonly PlacedBlock[]> | undefined
  const onEnd = (): void => say('The thread that reads texts for the page ended. Another one takes its place.')

  async function ask(source: string): Promise<readonly PlacedBlock[] | undefined> {
    thread ??= openQueryThread({ script, data: {}, mostMs, alone: true, onEnd })
    const placed = await thread.run(source).catch(() => undefined)
    if (!placed) say('A text could not be read for the page. It is shown as it stands.')
    return placed
  }

  function forget(markdown: string): void {
    if (kept.delete(markdown)) keptUnits -= markdown.length
  }

  function keep(markdown: string): Kept {
    const source = toReadable(markdown)
    const own: Kept = {
      blocks: ask(source).then((placed) => {
        if (!placed) own.untilMs = performance.now() + restMs
        return placed?.map(({ block }) => block) ?? [plainBlock(source)]
      }),
      untilMs: Infinity,
    }
    kept.set(markdown, own)
    keptUnits += markdown.length
    for (const oldest of kept.keys()) {
      if (keptUnits <= mostKeptUnits) break
      forget(oldest)
    }
    return own
  }

  return {
    async read(markdown) {
      if (markdown.length > mostReadChars) return [plainBlock(toReadable(markdown))]
      const known = kept.get(markdown)
      if (known && known.untilMs > performance.now()) {
        kept.delete(markdown)
        kept.set(markdown, known)
        return await known.blocks
      }
      forget(markdown)
      return await keep(markdown).blocks
    },
    async readPlaced(source) {
      const placed = source.length > mostReadChars ? undefined : await ask(source)
      return placed ?? [{ block: plainBlock(source), at: 0 }]
    },
    async close() {
      const ending = thread
      thread = undefined
      await ending?.close()
    },
  }
}

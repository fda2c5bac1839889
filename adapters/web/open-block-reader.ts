// Reads the bot's text for the page, in a thread that may die of it: nothing else of the process waits or ends. A text that cannot be read is
// one plain paragraph.
import { openQueryThread, type QueryThread } from '#queues/query-thread.ts'
import { toReadable } from '#adapters/markup/markdown.ts'
import { createReadingTime, mostOneMs, type ReadingTime } from './reading-time.ts'
import { mostReadChars, plainBlock, type PageBlock, type PlacedBlock } from './page-blocks.ts'

/** Neither rejects. */
export type BlockReader = {
  /** Begins the thread, so that the first text does not wait for that. */
  start(): void
  /** Of a whole text. What was read lately is not read again. */
  read(markdown: string): Promise<readonly PageBlock[]>
  /** Of readable text, with where each block begins in it. */
  readPlaced(source: string): Promise<readonly PlacedBlock[]>
  /** Ends the thread; what is read after that starts another one. */
  close(): Promise<void>
}

export type TextQuery = { readonly source: string; readonly withinMs: number }
export type TextRead = { readonly placed: readonly PlacedBlock[]; readonly tookMs: number }

export type BlockReaderOptions = {
  /** Told that a text is shown as it stands, and why a thread ended; neither has words of the text. */
  readonly say?: (text: string) => void
  /** The module that the thread runs, and how long it may take for one text. */
  readonly script?: URL
  readonly mostMs?: number
  /** How long texts may take together. */
  readonly time?: ReadingTime
}

const ownScript = new URL('text-thread.ts', import.meta.url)
/** Reading ends by itself after 0.7 s. A busy machine may keep the thread from that for long, so only one that has lost its way takes this. */
const mostReadMs = 8000
/** UTF-16 units of all texts that were read lately. */
const mostKeptUnits = 250_000
/** A text that could not be read as a whole rests: it may end its thread each time. It may have been the fault of the machine, or of texts before it. */
const restMs = 30_000

type Read = TextRead & { readonly cut: boolean }
type Kept = { readonly blocks: Promise<readonly PageBlock[]>; untilMs: number }

export function openBlockReader(options: BlockReaderOptions = {}): BlockReader {
  const texts = openTexts(options)
  const kept = createKept(texts.readInTurn)
  return {
    start: texts.start,
    async read(markdown) {
      if (markdown.length > mostReadChars) return [plainBlock(toReadable(markdown))]
      return await kept.find(markdown)
    },
    async readPlaced(source) {
      const read = source.length > mostReadChars ? undefined : await texts.read(source, mostOneMs)
      return read?.placed ?? [{ block: plainBlock(source), at: 0 }]
    },
    close: texts.close,
  }
}

type Texts = Pick<BlockReader, 'start' | 'close'> & {
  /** In at most `withinMs`; what that leaves out is `cut`. Undefined where it cannot be read. */
  read(source: string, withinMs: number): Promise<Read | undefined>
  /** One text after the other: how long each may take depends on those before it. */
  readInTurn(source: string): Promise<Read | undefined>
}

/** Texts as the thread reads them. */
function openTexts(options: BlockReaderOptions): Texts {
  const { say = () => {}, script = ownScript, mostMs = mostReadMs, time = createReadingTime() } = options
  let thread: QueryThread<TextQuery, TextRead> | undefined
  let before: Promise<unknown> = Promise.resolve()
  const onEnd = (): void => say('The thread that reads texts for the page ended. Another one takes its place.')

  const open = (): QueryThread<TextQuery, TextRead> =>
    (thread ??= openQueryThread({ script, data: {}, mostMs, alone: true, onEnd }))

  async function ask(source: string, withinMs: number): Promise<Read | undefined> {
    const read = await open()
      .run({ source, withinMs })
      .catch(() => undefined)
    if (!read) say('A text could not be read for the page. It is shown as it stands.')
    return read && { ...read, cut: withinMs < mostOneMs && read.tookMs >= withinMs }
  }

  async function askInTime(source: string): Promise<Read | undefined> {
    const withinMs = time.next()
    if (withinMs === undefined) return undefined
    const startedMs = performance.now()
    const read = await ask(source, withinMs)
    // A busy machine ends it late.
    time.took(read ? Math.min(read.tookMs, withinMs) : performance.now() - startedMs)
    return read
  }

  return {
    start() {
      open()
    },
    read: ask,
    readInTurn(source) {
      const asked = before.then(async () => await askInTime(source))
      before = asked
      return asked
    },
    async close() {
      const ending = thread
      thread = undefined
      await ending?.close()
    },
  }
}

/** What was read lately, by its text. */
function createKept(readInTurn: Texts['readInTurn']): { find(markdown: string): Promise<readonly PageBlock[]> } {
  const kept = new Map<string, Kept>()
  let keptUnits = 0

  function forget(markdown: string): void {
    if (kept.delete(markdown)) keptUnits -= markdown.length
  }

  function keep(markdown: string): Kept {
    const source = toReadable(markdown)
    const own: Kept = {
      blocks: readInTurn(source).then((read) => {
        if (!read || read.cut) own.untilMs = performance.now() + restMs
        return read?.placed.map(({ block }) => block) ?? [plainBlock(source)]
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
    async find(markdown) {
      const known = kept.get(markdown)
      if (known && known.untilMs > performance.now()) {
        kept.delete(markdown)
        kept.set(markdown, known)
        return await known.blocks
      }
      forget(markdown)
      return await keep(markdown).blocks
    },
  }
}

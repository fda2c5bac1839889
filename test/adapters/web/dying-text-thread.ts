// A thread of the block reader that does what the first word of a text says: it ends, hangs, throws, wants all memory, or counts how often it was asked.
import process from 'node:process'
import { serveQueries } from '#queues/query-thread.ts'
import type { TextQuery, TextRead } from '#adapters/web/open-block-reader.ts'
import type { PageBlock } from '#adapters/web/page-blocks.ts'

let asked = 0
const toRead = (block: PageBlock): TextRead => ({ placed: [{ block, at: 0 }], tookMs: 1 })

serveQueries({
  open: () => ({
    answer({ source }: TextQuery): TextRead {
      const [what = ''] = source.split(' ', 1)
      if (what === 'ends') process.exit(1)
      if (what === 'throws') throw new Error(source)
      if (what === 'hangs') for (;;);
      const held: unknown[] = []
      if (what === 'grows') for (;;) held.push(Array.from({ length: 1_000_000 }).fill(held.length))
      if (what === 'count') return toRead({ kind: 'paragraph', phrases: [String(++asked)] })
      return toRead({ kind: 'heading', depth: 1, phrases: [source] })
    },
  }),
})

// The thread in which the bot's text is read for the page.
import { serveQueries } from '#queues/query-thread.ts'
import { createHighlighter } from './highlight.ts'
import type { TextQuery, TextRead } from './open-block-reader.ts'
import { createPageReader } from './page-blocks.ts'

serveQueries({
  open() {
    const highlighter = createHighlighter()
    // Loading the languages takes a while, on a busy machine seconds: no text is to wait for it.
    highlighter.prepare('', 'js')
    const reader = createPageReader(highlighter)
    return {
      answer({ source, withinMs }: TextQuery): TextRead {
        const startedMs = performance.now()
        const placed = reader.readPlaced(source, withinMs)
        return { placed, tookMs: performance.now() - startedMs }
      },
    }
  },
})

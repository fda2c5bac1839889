// The thread in which the bot's text is read for the page.
import { serveQueries } from '#queues/query-thread.ts'
import { createHighlighter } from './highlight.ts'
import { createPageReader, type PlacedBlock } from './page-blocks.ts'

serveQueries({
  open() {
    const highlighter = createHighlighter()
    // Loading the languages takes a while, on a busy machine seconds: no text is to wait for it.
    highlighter.prepare('', 'js')
    const reader = createPageReader(highlighter)
    return { answer: (source: string): readonly PlacedBlock[] => reader.readPlaced(source) }
  },
})

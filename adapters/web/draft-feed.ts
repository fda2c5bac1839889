// Sends a growing reply to one page no faster than is looked at, and no more than a fifth of the time may go into reading it.
import type { Draft } from '#shared/run/draft.ts'
import { createDraftReader, type DraftBlocks } from './draft-blocks.ts'
import type { PageBlock, PageReader } from './page-blocks.ts'

type Shown = Draft & { readonly resumed?: boolean }
/** What the page gets of it. */
type Sent = Omit<Shown, 'plan'> &
  DraftBlocks & { readonly plan: { readonly row: string; readonly blocks: readonly PageBlock[] } | undefined }

export type DraftFeed = {
  /** Sends it, or the newest one offered, when it is time. */
  offer(draft: Shown): void
  /** Forgets what was not sent. */
  drop(): void
}

const everyMs = 50
const restPerWork = 4

export function createDraftFeed(reader: PageReader, send: (draft: Sent) => Promise<unknown>): DraftFeed {
  const read = createDraftReader(reader)
  let newest: Shown | undefined
  let waiting: NodeJS.Timeout | undefined
  let sending = false
  let mayAtMs = 0

  function next(): void {
    if (!newest || sending || waiting) return
    const inMs = mayAtMs - performance.now()
    if (inMs <= 0) return void show(newest)
    waiting = setTimeout(() => {
      waiting = undefined
      next()
    }, inMs)
  }

  async function show(draft: Shown): Promise<void> {
    newest = undefined
    sending = true
    const startedMs = performance.now()
    const blocks = read(draft)
    const plan = draft.plan && { row: draft.plan.row, blocks: reader.read(draft.plan.text) }
    const endedMs = performance.now()
    mayAtMs = endedMs + Math.max(everyMs, restPerWork * (endedMs - startedMs))
    // A client that has gone is the follower's matter.
    await send({ ...draft, ...blocks, plan }).catch(() => {})
    sending = false
    next()
  }

  return {
    offer(draft) {
      newest = draft
      next()
    },
    drop() {
      newest = undefined
      clearTimeout(waiting)
      waiting = undefined
    },
  }
}

// Reads pages of the web: fetched in this process, taken apart in threads that may die of it. Few at once, since each may hold megabytes.
import type { Page, ReadPage } from '#services/browser-fetch/browser-fetch.ts'
import { openQueryThread, type QueryThread } from '#queues/query-thread.ts'
import { PageError } from '#infra/web/fetch/page-error.ts'
import type { PageQuery } from '#infra/web/reading/read-fetched.ts'
import { createGate } from '#queues/workers/start-gate.ts'
import { fetchPage, type FetchDeps, type Fetched } from '#infra/web/fetch/fetch-page.ts'

export type PageReader = { readonly read: ReadPage; close(): Promise<void> }

export type PageReaderOptions = {
  readonly deps: FetchDeps
  /** The module that the threads run. */
  readonly script: URL
  /** How long one page may take: half of it to find the main part, and if the thread died of that, half to read it as it is. */
  readonly mostMs?: number
  /** Told why a thread ended by itself, e.g. for want of memory. */
  readonly onEnd: (error: unknown) => void
}

const mostReadMs = 5000
const mostMemoryMb = 256
const mostThreads = 2
/** With the page of each, 5 MB, on its way. */
const mostAtOnce = 8
/** Whoever comes when so many wait would wait too long. */
const mostWaiting = 50

type Slot = { readonly thread: QueryThread<PageQuery, Page>; busy: number }

export function openPageReader({ deps, script, mostMs = mostReadMs, onEnd }: PageReaderOptions): PageReader {
  const gate = createGate(mostAtOnce)
  const slots: Slot[] = []
  let inside = 0

  /** One that rests, a new one, or the one that has least to do. */
  function findSlot(): Slot {
    const [least] = slots.toSorted((one, other) => one.busy - other.busy)
    if (least && (least.busy === 0 || slots.length === mostThreads)) return least
    const thread = openQueryThread<PageQuery, Page>({
      script,
      data: {},
      mostMs: mostMs / 2,
      mostMemoryMb,
      alone: true,
      onEnd,
    })
    const slot = { thread, busy: 0 }
    slots.push(slot)
    return slot
  }

  async function readFetched(fetched: Fetched): Promise<Page> {
    const slot = findSlot()
    slot.busy++
    try {
      const page =
        (await slot.thread.run({ fetched, plainly: false })) ?? (await slot.thread.run({ fetched, plainly: true }))
      if (!page)
        throw new PageError(`it cannot be read: that takes longer than ${mostMs / 1000} s, or too much memory.`)
      return page
    } catch (error) {
      if (error instanceof PageError) throw error
      // What is thrown in there may repeat what stands on the page.
      throw new PageError('it cannot be read.')
    } finally {
      slot.busy--
    }
  }

  return {
    async read(address, signal) {
      if (inside === mostWaiting) throw new Error('too many pages are read right now. Try again later.')
      inside++
      try {
        return await gate(async () => {
          signal.throwIfAborted()
          return await readFetched(await fetchPage(deps, address, signal))
        })
      } finally {
        inside--
      }
    },
    async close() {
      await Promise.all(slots.map(({ thread }) => thread.close()))
    },
  }
}

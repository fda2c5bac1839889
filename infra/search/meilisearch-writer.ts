// Writes to Meilisearch, in order, one request at a time. What comes while one is under way goes together in the next: up to a thousand documents. A write
// has happened when its task has ended well.
import type { Meilisearch } from 'meilisearch'
import type { SearchDocument } from '#services/memory/search/document.ts'
import type { SearchEngine } from '#services/memory/search/engine.ts'
import { connectMeilisearch, memoryUid, toUnavailable, type MeilisearchSettings } from './meilisearch-client.ts'
import { toDocumentId, toLine } from './meilisearch-documents.ts'
import { createSender, mostDocuments } from './meilisearch-sender.ts'
import { prepareMeilisearch, prepareVectors } from './meilisearch-setup.ts'
import type { Patience } from './meilisearch-tasks.ts'

/** What its owner is to hear. `made`: the index was missing, and is new and empty: it has to be filled. `refused`: one document was left out. */
export type MeilisearchNews =
  | { readonly kind: 'made' | 'changed' }
  | { readonly kind: 'refused'; readonly code: string }

export type WriterOptions = {
  readonly tell: (news: MeilisearchNews) => void
  readonly patience?: Partial<Patience>
}

export type MeilisearchWriter = Pick<SearchEngine, 'put' | 'drop' | 'together'> & {
  /**
   * Makes the index and its settings where they are not as they should be, whatever was there before: somebody may have deleted it meanwhile. Does nothing
   * without the operator's key.
   */
  prepare(): Promise<void>
}

type Batch =
  | { readonly kind: 'put'; readonly lines: readonly string[] }
  | { readonly kind: 'drop'; readonly ids: readonly string[] }
type Waiting = { readonly batch: Batch; readonly done: () => void; readonly failed: (error: unknown) => void }

const requestMs = 10_000
const defaultPatience: Patience = { mostMs: 60_000, firstPollMs: 50 }

export function createMeilisearchWriter(
  { url, keys }: MeilisearchSettings,
  { tell, patience: given }: WriterOptions,
): MeilisearchWriter {
  const patience = { ...defaultPatience, ...given }
  const operator = keys.operator === undefined ? undefined : connectMeilisearch(url, keys.operator, requestMs)
  let ready: Promise<void> | undefined
  const sender = createSender(connectMeilisearch(url, keys.writer, requestMs), {
    index: memoryUid,
    patience,
    refused: (code) => tell({ kind: 'refused', code }),
    lost: () => (ready = undefined),
  })

  async function prepare(): Promise<void> {
    if (operator) await (ready ??= setUp(operator))
  }

  async function setUp(by: Meilisearch): Promise<void> {
    try {
      const found = await prepareMeilisearch(by, memoryUid, { ...patience, mostMs: patience.mostMs * 2 })
      if (found !== 'as it was') tell({ kind: found })
    } catch (error) {
      ready = undefined
      throw toUnavailable(error)
    }
  }

  const write = createQueue(async (batch) => {
    await prepare()
    if (batch.kind === 'put') await sender.add(batch.lines)
    else await sender.remove(batch.ids)
  })
  return {
    prepare: async () => {
      ready = undefined
      await prepare()
    },
    together: mostDocuments,
    put: async (documents) => {
      if (documents.length === 0) return
      await prepare()
      if (operator) await prepareFor(operator, documents, patience)
      await write({ kind: 'put', lines: documents.map(toLine) })
    },
    drop: async (entries) => {
      if (entries.length > 0) await write({ kind: 'drop', ids: entries.map(toDocumentId) })
    },
  }
}

/** Looked at each time: another process may have made the index anew. */
async function prepareFor(by: Meilisearch, documents: readonly SearchDocument[], patience: Patience): Promise<void> {
  const dimensions = documents.find(({ vector }) => vector)?.vector?.values.length
  if (dimensions === undefined) return
  try {
    await prepareVectors(by, { index: memoryUid, dimensions }, { ...patience, mostMs: patience.mostMs * 2 })
  } catch (error) {
    throw toUnavailable(error)
  }
}

/** Batches in order, those of a kind that wait together as one. All that failed together fail with BotError `store-unavailable`. */
function createQueue(carryOut: (batch: Batch) => Promise<void>): (batch: Batch) => Promise<void> {
  const queue: Waiting[] = []
  let isBusy = false

  async function work(): Promise<void> {
    if (isBusy) return
    isBusy = true
    for (let taken = takeFirst(queue); taken.length > 0; taken = takeFirst(queue)) {
      try {
        await carryOut(merge(taken.map(({ batch }) => batch)))
        for (const { done } of taken) done()
      } catch (error) {
        const told = toUnavailable(error)
        for (const { failed } of taken) failed(told)
      }
    }
    isBusy = false
  }

  return async (batch) =>
    await new Promise<void>((done, failed) => {
      queue.push({ batch, done, failed })
      // What is written in the same moment goes together.
      setImmediate(() => {
        work().catch(failed)
      })
    })
}

const sizeOf = (batch: Batch): number => (batch.kind === 'put' ? batch.lines.length : batch.ids.length)

/** The first that wait, as long as they are of one kind and few enough. */
function takeFirst(queue: Waiting[]): readonly Waiting[] {
  const kind = queue[0]?.batch.kind
  let count = 0
  const end = queue.findIndex(({ batch }, at) => {
    count += sizeOf(batch)
    return batch.kind !== kind || (at > 0 && count > mostDocuments)
  })
  return queue.splice(0, end === -1 ? queue.length : end)
}

/** Of the same document the last in a request wins. */
function merge(batches: readonly Batch[]): Batch {
  const ids = batches.flatMap((batch) => (batch.kind === 'drop' ? batch.ids : []))
  if (ids.length > 0) return { kind: 'drop', ids: [...new Set(ids)] }
  return { kind: 'put', lines: batches.flatMap((batch) => (batch.kind === 'put' ? batch.lines : [])) }
}

// Writes to Meilisearch, in order, one request at a time. What comes while one is under way goes together in the next: up to a thousand documents. A write
// has happened when its task has ended well. One bad document fails all that the server did together, so a batch that fails is halved and sent again.
import type { Meilisearch } from 'meilisearch'
import type { SearchDocument } from '#services/memory/search/document.ts'
import type { EntryKey, SearchEngine } from '#services/memory/search/engine.ts'
import { BotError } from '#shared/errors.ts'
import { connectMeilisearch, isLost, memoryUid, toUnavailable, type MeilisearchSettings } from './meilisearch-client.ts'
import { toDocumentId, toLine } from './meilisearch-documents.ts'
import { prepareMeilisearch } from './meilisearch-setup.ts'
import { accepted, awaitTask, readTask, type Ended, type Patience } from './meilisearch-tasks.ts'

/** What its owner is to hear. `made`: the index was missing and is new and empty: it has to be filled. */
export type MeilisearchNews =
  | { readonly kind: 'made' | 'changed' }
  | { readonly kind: 'refused'; readonly documents: number; readonly code: string }

export type WriterOptions = {
  readonly tell: (news: MeilisearchNews) => void
  readonly patience?: Partial<Patience>
  /** `memory`, unless another one is filled. */
  readonly index?: string
}

export type MeilisearchWriter = Pick<SearchEngine, 'put' | 'drop'> & {
  /** Makes the index and its settings where they are not as they should be. Does nothing without the operator's key. */
  prepare(): Promise<void>
}

type Batch = { readonly lines: readonly string[] } | { readonly ids: readonly string[] }
type Waiting = Batch & { readonly done: () => void; readonly failed: (error: unknown) => void }

const mostDocuments = 1000
/** Of one request, in characters; the server takes 100 MB. */
const mostChars = 8_000_000
const requestMs = 10_000
const patience: Patience = { mostMs: 60_000, firstPollMs: 50 }
/** The document itself is what the server does not like. */
const ofDocuments = /^(?:vector_embedding_error|invalid_vector|invalid_document|missing_document_id|max_fields)/

export function createMeilisearchWriter(
  { url, keys }: MeilisearchSettings,
  { tell, patience: given, index = memoryUid }: WriterOptions,
): MeilisearchWriter {
  const client = connectMeilisearch(url, keys.writer, requestMs)
  const operator = keys.operator === undefined ? undefined : connectMeilisearch(url, keys.operator, requestMs)
  const waits = { ...patience, ...given }
  const queue: Waiting[] = []
  let ready: Promise<void> | undefined
  let isBusy = false
  let stuck: number | undefined

  async function prepare(): Promise<void> {
    if (operator) await (ready ??= setUp(operator))
  }

  async function setUp(by: Meilisearch): Promise<void> {
    try {
      const found = await prepareMeilisearch(by, index, { ...waits, mostMs: waits.mostMs * 2 })
      if (found !== 'as it was') tell({ kind: found })
    } catch (error) {
      ready = undefined
      throw toUnavailable(error)
    }
  }

  /** Behind a task that hangs nothing more is sent: it would only make the queue longer. */
  async function refuseStuck(): Promise<void> {
    if (stuck === undefined) return
    if ((await readTask(client, stuck)).kind === 'open') {
      const told = `Meilisearch still has not done its task ${stuck}, so nothing more is sent. Look whether its disk is full.`
      throw new BotError('store-unavailable', told, { retry: { afterMs: 10_000 } })
    }
    stuck = undefined
  }

  async function settle(sending: PromiseLike<unknown>): Promise<Ended> {
    const { taskUid } = accepted.parse(await sending)
    stuck = taskUid
    const ended = await awaitTask(client, taskUid, waits)
    stuck = undefined
    if (ended.kind === 'failed' && ended.code === 'index_not_found') ready = undefined
    return ended
  }

  async function add(lines: readonly string[]): Promise<void> {
    const sending = client.index(index).addDocumentsFromString(lines.join('\n'), 'application/x-ndjson')
    const ended = await settle(sending)
    if (ended.kind === 'done') return
    if (!ofDocuments.test(ended.code)) throw toFailure(ended.code)
    if (lines.length === 1) return tell({ kind: 'refused', documents: 1, code: ended.code })
    const middle = Math.ceil(lines.length / 2)
    await add(lines.slice(0, middle))
    await add(lines.slice(middle))
  }

  /** A text stays readable in the data file until the index is compacted. */
  async function remove(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += mostDocuments) {
      const ended = await settle(client.index(index).deleteDocuments(ids.slice(from, from + mostDocuments)))
      if (ended.kind === 'failed' && ended.code !== 'index_not_found') throw toFailure(ended.code)
    }
    try {
      const ended = await settle(client.index(index).compact())
      if (ended.kind === 'failed' && ended.code !== 'index_not_found') throw toFailure(ended.code)
    } catch (error) {
      if (!isLost(error)) throw error
    }
  }

  async function work(): Promise<void> {
    if (isBusy) return
    isBusy = true
    try {
      for (let batch = takeBatch(queue); batch; batch = takeBatch(queue)) await carryOut(batch)
    } finally {
      isBusy = false
    }
  }

  async function carryOut({ all, batch }: Taken): Promise<void> {
    try {
      await prepare()
      await refuseStuck()
      if ('lines' in batch) for (const lines of toRequests(batch.lines)) await add(lines)
      else await remove(batch.ids)
      for (const { done } of all) done()
    } catch (error) {
      const told = toUnavailable(error)
      for (const { failed } of all) failed(told)
    }
  }

  const write = async (batch: Batch): Promise<void> =>
    await new Promise((done, failed) => {
      queue.push({ ...batch, done: () => done(), failed })
      // What is written in the same moment goes together.
      setImmediate(() => work().catch(failed))
    })

  return {
    prepare,
    put: async (documents) => {
      if (documents.length > 0) await write({ lines: toLines(documents) })
    },
    drop: async (keys) => {
      if (keys.length > 0) await write({ ids: toIds(keys) })
    },
  }
}

const toLines = (documents: readonly SearchDocument[]): string[] => documents.map(toLine)
const toIds = (keys: readonly EntryKey[]): string[] => keys.map(toDocumentId)

const toFailure = (code: string): BotError =>
  new BotError('store-unavailable', `Meilisearch did not do what it had accepted: ${code}.`, {
    retry: { afterMs: 5000 },
  })

type Taken = { readonly all: readonly Waiting[]; readonly batch: Batch }

/** The first that wait, as long as they are of one kind and few enough. */
function takeBatch(queue: Waiting[]): Taken | undefined {
  const [first] = queue
  if (!first) return undefined
  const all: Waiting[] = []
  let count = 0
  for (const one of queue) {
    const size = 'lines' in one ? one.lines.length : one.ids.length
    if ('lines' in one !== 'lines' in first || (all.length > 0 && count + size > mostDocuments)) break
    all.push(one)
    count += size
  }
  queue.splice(0, all.length)
  // Of the same document the last in a request wins.
  const lines = all.flatMap((one) => ('lines' in one ? one.lines : []))
  const ids = all.flatMap((one) => ('ids' in one ? one.ids : []))
  return { all, batch: 'lines' in first ? { lines } : { ids: [...new Set(ids)] } }
}

function toRequests(lines: readonly string[]): string[][] {
  const requests: string[][] = []
  let chars = Infinity
  for (const line of lines) {
    const last = requests.at(-1)
    if (!last || last.length >= mostDocuments || chars + line.length > mostChars) {
      requests.push([line])
      chars = line.length
    } else {
      last.push(line)
      chars += line.length
    }
  }
  return requests
}

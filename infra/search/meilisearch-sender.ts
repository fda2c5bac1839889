// Sends what is to be written to Meilisearch, and waits until its task has ended. One bad document fails all that the server did together, so a batch that
// fails is halved and sent again. Behind a task that hangs nothing more is sent.
import type { Meilisearch } from 'meilisearch'
import { BotError } from '#shared/errors.ts'
import { isLost } from './meilisearch-client.ts'
import { accepted, awaitTask, readTask, type Ended, type Patience } from './meilisearch-tasks.ts'

export type SenderOptions = {
  readonly index: string
  readonly patience: Patience
  /** One document was refused, and left out. */
  readonly refused: (code: string) => void
  /** The index is not there. */
  readonly lost: () => void
}

/** All throw BotError `store-unavailable`, or what the client throws. */
export type Sender = {
  /** Lines of NDJSON. */
  add(lines: readonly string[]): Promise<void>
  /** The texts are gone from the data file, too. */
  remove(ids: readonly string[]): Promise<void>
}

export const mostDocuments = 1000
/** Of one request, in characters; the server takes 100 MB. */
const mostChars = 8_000_000
const retryMs = 10_000
/** The document itself is what the server does not like. */
const ofDocuments = /^(?:vector_embedding_error|invalid_vector|invalid_document|missing_document_id|max_fields)/

export function createSender(client: Meilisearch, { index, patience, refused, lost }: SenderOptions): Sender {
  let stuck: number | undefined

  async function settle(send: () => PromiseLike<unknown>): Promise<Ended> {
    if (stuck !== undefined && (await readTask(client, stuck)).kind === 'open') throw toStuck(stuck)
    const { taskUid } = accepted.parse(await send())
    stuck = taskUid
    const ended = await awaitTask(client, taskUid, patience)
    stuck = undefined
    if (ended.kind === 'failed' && ended.code === 'index_not_found') lost()
    return ended
  }

  async function addOnce(lines: readonly string[]): Promise<void> {
    const ended = await settle(() =>
      client.index(index).addDocumentsFromString(lines.join('\n'), 'application/x-ndjson'),
    )
    if (ended.kind === 'done') return
    if (!ofDocuments.test(ended.code)) throw toFailure(ended.code)
    if (lines.length === 1) return refused(ended.code)
    const middle = Math.ceil(lines.length / 2)
    await addOnce(lines.slice(0, middle))
    await addOnce(lines.slice(middle))
  }

  /** Of an index that is not there nothing is left. */
  async function removeBy(send: () => PromiseLike<unknown>): Promise<void> {
    try {
      const ended = await settle(send)
      if (ended.kind === 'failed' && ended.code !== 'index_not_found') throw toFailure(ended.code)
    } catch (error) {
      if (!isLost(error)) throw error
      lost()
    }
  }

  return {
    async add(lines) {
      for (const request of toRequests(lines)) await addOnce(request)
    },
    async remove(ids) {
      for (let from = 0; from < ids.length; from += mostDocuments) {
        await removeBy(() => client.index(index).deleteDocuments(ids.slice(from, from + mostDocuments)))
      }
      // A text stays readable in the data file until then.
      await removeBy(() => client.index(index).compact())
    },
  }
}

const toFailure = (code: string): BotError => toError(`Meilisearch did not do what it had accepted: ${code}.`)

const toStuck = (task: number): BotError =>
  toError(`Meilisearch still has not done its task ${task}, so nothing more is sent. Look whether its disk is full.`)

const toError = (told: string): BotError => new BotError('store-unavailable', told, { retry: { afterMs: retryMs } })

function toRequests(lines: readonly string[]): string[][] {
  const requests: string[][] = []
  let chars = 0
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

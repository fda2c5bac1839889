// What this process has sent: when Redis loses its last seconds, a row that was sent in them comes again, from the outbox or from its
// turn, which is run once more. It is not said twice, where the same process sends it: what is the same counts as sent, and what
// the turn says differently this time takes the place of what stands there.
import { createHash } from 'node:crypto'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { BegunRow } from '#queues/kernel/kernel.ts'

export type SentLately = {
  note(conversation: ConversationId, row: BegunRow, receipt: string): void
  /** The receipt, and whether the very same was sent. */
  find(conversation: ConversationId, row: BegunRow): Sent | undefined
}
type Sent = { readonly receipt: string; readonly isSame: boolean }

/** Some minutes at the pace that platforms allow, and some megabytes. */
const most = 10_000

export function createSentLately(): SentLately {
  const receipts = new Map<string, { readonly receipt: string; readonly digest: string }>()
  return {
    note(conversation, row, receipt) {
      receipts.set(toKey(conversation, row), { receipt, digest: toDigest(row) })
      const [oldest] = receipts.keys()
      if (receipts.size > most && oldest !== undefined) receipts.delete(oldest)
    },
    find(conversation, row) {
      const sent = receipts.get(toKey(conversation, row))
      return sent && { receipt: sent.receipt, isSame: sent.digest === toDigest(row) }
    },
  }
}

const toDigest = ({ body }: BegunRow): string => createHash('sha256').update(JSON.stringify(body)).digest('base64url')

/** A turn that is run once more may take in what was said since: then its answer is another, under the same name. */
function toKey(conversation: ConversationId, { id, body }: BegunRow): string {
  return [conversation, id, ...body.answers].join(' ')
}

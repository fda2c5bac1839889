// What this process has sent: when Redis loses its last seconds, a row that was sent in them comes again, from the outbox or from its
// turn, which is run once more. It is not said twice, where the same process sends it.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { BegunRow } from '#queues/kernel/kernel.ts'

export type SentLately = {
  note(conversation: ConversationId, row: BegunRow, receipt: string): void
  /** The receipt. */
  find(conversation: ConversationId, row: BegunRow): string | undefined
}

/** Some minutes at the pace that platforms allow, and some megabytes. */
const most = 10_000

export function createSentLately(): SentLately {
  const receipts = new Map<string, string>()
  return {
    note(conversation, row, receipt) {
      receipts.set(toKey(conversation, row), receipt)
      const [oldest] = receipts.keys()
      if (receipts.size > most && oldest !== undefined) receipts.delete(oldest)
    },
    find: (conversation, row) => receipts.get(toKey(conversation, row)),
  }
}

/** A turn that is run once more may take in what was said since: then its answer is another, under the same name. */
function toKey(conversation: ConversationId, { id, body }: BegunRow): string {
  return [conversation, id, ...body.answers].join(' ')
}

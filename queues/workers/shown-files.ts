// Files of the page's messages. A file may be larger than all else that is shown of a conversation, and would push that out: so it lies
// beside the stream, of each conversation the newest one, for two weeks. The message keeps its name and caption.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { OutBody, OutFile } from '#shared/run/out-row.ts'
import type { Append } from '#shared/run/step.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { storeAnswer } from '#queues/store-failure.ts'

export type ShownFiles = {
  /** Puts the file of a step's rows away, if a page will show them. Returns what is to be stored in its place. Safe to repeat. */
  keep(conversation: ConversationId, step: Append): Promise<Append>
  /** The text of a message's file, undefined when there is none or no more. */
  find(conversation: ConversationId, body: OutBody): Promise<string | undefined>
}

const livesSeconds = 14 * 86_400

export function createShownFiles(redis: Pick<RedisClient, 'set' | 'get'>): ShownFiles {
  const toKey = (conversation: ConversationId): string =>
    `${partitionPrefix(toPartition(conversation))}file:${conversation}`
  return {
    async keep(conversation, step) {
      if (!conversation.startsWith('web:') || !step.rows?.some(({ body }) => fileOf(body))) return step
      const rows = step.rows.map((row) => ({ ...row, body: withoutText(row.body) }))
      const found = step.rows.flatMap(({ id, body }) => {
        const file = fileOf(body)
        return file ? [`${id}\n${file.text}`] : []
      })
      await storeAnswer(redis.set(toKey(conversation), found.at(-1) ?? '', 'EX', livesSeconds))
      return { ...step, rows }
    },
    async find(conversation, body) {
      const file = fileOf(body)
      if (!file) return undefined
      // Older releases kept it in the message.
      if (file.text !== file.caption) return file.text
      const [row = '', ...lines] = ((await storeAnswer(redis.get(toKey(conversation)))) ?? '').split('\n')
      return row !== '' && row === body.row ? lines.join('\n') : undefined
    },
  }
}

const fileOf = (body: OutBody): OutFile | undefined => (body.kind === 'send' ? body.file : undefined)

/** What the page shows of it. */
function withoutText(body: OutBody): OutBody {
  if (body.kind !== 'send' || !body.file) return body
  const { caption } = body.file
  return { ...body, text: caption, file: { ...body.file, text: caption } }
}

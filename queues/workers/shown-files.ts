// Files of the page's messages. A file may be larger than all else that is shown of a conversation, and would push that out: so it lies
// beside the stream, of each conversation the newest one, for two weeks. The message keeps its name and caption. The step that writes the
// message writes the file: where nothing may be written any more, as in a conversation that was deleted, no file stays.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { OutBody, OutFile } from '#shared/run/out-row.ts'
import type { Append } from '#shared/run/step.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { fromStore } from '#queues/store-failure.ts'

/** The step as it is to be written: with the file of its rows apart, if a page will show them. */
export function keepFileApart(conversation: ConversationId, step: Append): Append {
  const found = (step.rows ?? []).flatMap(({ id, body }) => {
    const file = fileOf(body)
    return file ? [`${id}\n${file.text}`] : []
  })
  const newest = found.at(-1)
  if (!conversation.startsWith('web:') || newest === undefined) return step
  return { ...step, rows: step.rows?.map((row) => ({ ...row, body: withoutText(row.body) })) ?? [], file: newest }
}

/** The text of a message's file, undefined when there is none or no more. */
export async function findShownFile(
  redis: Pick<RedisClient, 'get'>,
  conversation: ConversationId,
  body: OutBody,
): Promise<string | undefined> {
  const file = fileOf(body)
  if (!file) return undefined
  const key = `${partitionPrefix(toPartition(conversation))}file:${conversation}`
  const [row = '', ...lines] = ((await fromStore(redis.get(key))) ?? '').split('\n')
  return row !== '' && row === body.row ? lines.join('\n') : undefined
}

const fileOf = (body: OutBody): OutFile | undefined => (body.kind === 'send' ? body.file : undefined)

/** What the page shows of it. */
function withoutText(body: OutBody): OutBody {
  if (body.kind !== 'send' || !body.file) return body
  const { caption } = body.file
  return { ...body, text: caption, file: { ...body.file, text: caption } }
}

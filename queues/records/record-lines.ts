// Lines of the records' log as they are stored, read with the texts that they lead to.
import { z } from 'zod'
import { conversationId } from '#shared/chat/conversation.ts'
import { BotError, isNewer } from '#shared/errors.ts'
import { feedback } from '#shared/run/feedback.ts'
import { forgotten, turnRecord, workRecord, type RecordLine } from '#shared/run/record.ts'
import { readStored } from '#shared/stored-json.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitionPrefix } from '#queues/partition.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { GoneLine } from './records.ts'

/** A line as the log has it. */
type Raw = {
  readonly name: string
  readonly kind: string
  readonly conversation: string
  readonly id: string
  readonly says: string
}

export function toRaw(name: string, fields: readonly string[]): Raw {
  const [head = '', ...says] = (fields[1] ?? '').split('\n')
  const [kind = '', conversation = '', ...ids] = head.split(' ')
  return { name, kind, conversation, id: ids.join(' '), says: says.join('\n') }
}

/** What a record says, empty where it is gone, and the platform ids of the messages that it came of. */
export type RecordText = { readonly says: string; readonly messages: readonly string[] }

/** What the records say whose lines these are. */
export async function readTexts(
  redis: RedisClient,
  partition: number,
  lines: readonly Raw[],
): Promise<ReadonlyMap<Raw, RecordText>> {
  const texts = new Map<Raw, RecordText>()
  const named = lines.filter(({ kind }) => kind === 'turn' || kind === 'work' || kind === 'feedback')
  const read = async (conversation: string, own: readonly Raw[]): Promise<void> => {
    const key = `${partitionPrefix(partition)}tr:${conversation}`
    const fields = own.flatMap(({ id }) => [id, `${id}/`])
    // A key of a wrong type is for the worker that meets it to park: its records are gone.
    const found = await fromStore(redis.hmget(key, ...fields)).catch(unlessAway)
    own.forEach((line, i) =>
      texts.set(line, { says: found[2 * i] ?? '', messages: toMessages(found[2 * i + 1] ?? '') }),
    )
  }
  await Promise.all([...Map.groupBy(named, ({ conversation }) => conversation)].map(([one, own]) => read(one, own)))
  return texts
}

/** Of the lines that stand beside a record: its place, what it came of (`@`) and by which messages it was answered (`>`). */
const toMessages = (beside: string): readonly string[] =>
  beside.split('\n').flatMap((line) => (line.startsWith('@') ? [line.slice(1)] : []))

function unlessAway(error: unknown): readonly string[] {
  if (error instanceof BotError && error.retry === 'never') return []
  throw error
}

const versioned = z.object({ v: z.literal(1) })
const gone: RecordText = { says: '', messages: [] }

/** Throws BotError `store-newer` for what only a newer release can read. */
export function toLine(
  { name, kind, conversation: given, id, says }: Raw,
  { says: stored, messages }: RecordText = gone,
): RecordLine | GoneLine {
  const { data: conversation } = conversationId.safeParse(given)
  if (conversation === undefined) return { name, kind: 'broken' }
  const line = { name, conversation } as const
  try {
    switch (kind) {
      case 'turn':
        return stored === ''
          ? { ...line, kind: 'gone' }
          : { ...line, kind, id, messages, record: readStored('record', turnRecord, stored) }
      case 'work':
        return stored === ''
          ? { ...line, kind: 'gone' }
          : { ...line, kind, id, messages, record: readStored('record', workRecord, stored) }
      case 'feedback':
        return { ...line, kind, id, messages, feedback: readStored('feedback', feedback, says) }
      case 'forgotten':
        return { ...line, kind, ids: id.split(' ').filter(Boolean), forgotten: readStored('line', forgotten, says) }
      case 'erased':
        readStored('line', versioned, says)
        return { ...line, kind }
      default:
        throw new BotError(
          'store-newer',
          `A record's line is of the kind "${kind.slice(0, 40)}", which only a newer release knows.`,
        )
    }
  } catch (error) {
    if (isNewer(error)) throw error
    return { ...line, kind: 'broken' }
  }
}

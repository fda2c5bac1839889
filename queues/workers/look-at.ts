// What is stored of a conversation or of a task, for those who only look: no lease is taken and nothing is written. All of it is of one moment.
import type { Address } from '#shared/chat/address.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { BotError, isNewer } from '#shared/errors.ts'
import type { Claimed } from '#shared/run/step.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitionPrefix, partitions, toPartition } from '#queues/partition.ts'
import { fromStore } from '#queues/store-failure.ts'
import { parseEntry, parseEvent } from '#queues/stored.ts'

export type Looked = Pick<Claimed, 'snapshot' | 'parts' | 'rest' | 'tail'> & {
  /** Events of the mailbox, by their numbers. */
  findEvent(seq: number): ChatEvent | undefined
}

/** Fields of a run that are no part of the conversation's state, as `prelude.lua` names them. */
const ownFields = new Set(['epoch', 'aHead', 'starts', 'excused', 'jseq', 'snapSeq', 'snap', 'rest', 'reply', 'held'])

/** Undefined for a conversation or a task in which nothing was ever done. Throws BotError `store-unavailable`, `store-newer` or `store-corrupt`. */
export async function lookAt(redis: RedisClient, conversation: Address): Promise<Looked | undefined> {
  const key = (kind: string): string => `${partitionPrefix(toPartition(conversation))}${kind}:${conversation}`
  const answers = await fromStore(redis.multi().hgetall(key('r')).lrange(key('j'), 0, -1).hgetall(key('in')).exec())
  const [run, journal, mailbox] = (answers ?? []).map(([error, answer]) => {
    if (error) throw new BotError('store-corrupt', `CORRUPT ${conversation}: ${error.message}`, { cause: error })
    return answer
  })
  const stored = toTexts(run)
  if (Object.keys(stored).length === 0) return undefined
  const snapSeq = Number(stored['snapSeq'] ?? 0)
  const entries = Array.isArray(journal) ? journal.map(String) : []
  const events = toTexts(mailbox)
  const { snap, rest } = stored
  return {
    ...(snap ? { snapshot: snap } : {}),
    ...(rest === undefined ? {} : { rest }),
    parts: Object.fromEntries(Object.entries(stored).filter(([name]) => !ownFields.has(name))),
    tail: entries.flatMap((line) => {
      const seq = Number.parseInt(line, 10)
      return seq > snapSeq ? [{ seq, entry: parseEntry(line.slice(line.indexOf('\n') + 1)) }] : []
    }),
    findEvent: (seq) => readEvent(events[String(seq)]),
  }
}

/** One that only a newer release can read is none of a turn that this one could show. */
function readEvent(stored: string | undefined): ChatEvent | undefined {
  try {
    return stored === undefined ? undefined : parseEvent(stored)
  } catch (error) {
    if (isNewer(error)) return undefined
    throw error
  }
}

const toTexts = (answer: unknown): Readonly<Record<string, string>> =>
  typeof answer === 'object' && answer !== null
    ? Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)]))
    : {}

const mostFound = 20

/** Conversations that are not put away whose id, or the part of it behind the channel, is this: some of them where there are very many. */
export async function findConversations(redis: RedisClient, name: string): Promise<readonly ConversationId[]> {
  const found = new Set<ConversationId>()
  const pattern = `*${name.replaceAll(/[*?[\]\\^]/g, String.raw`\$&`)}`
  for (let partition = 0; partition < partitions && found.size < mostFound; partition++) {
    let cursor = '0'
    do {
      const key = `${partitionPrefix(partition)}idle`
      const [next, pairs] = await fromStore(redis.zscan(key, cursor, 'MATCH', pattern, 'COUNT', 1000))
      for (const [at, id = ''] of pairs.entries())
        if (at % 2 === 0 && (id === name || id.slice(id.indexOf(':') + 1) === name)) found.add(id)
      cursor = next
    } while (cursor !== '0')
  }
  return [...found].toSorted()
}

/** Conversations that are not put away, the one in which something happened last first; `most` of them. */
export async function listConversations(redis: RedisClient, most: number): Promise<readonly ConversationId[]> {
  const found: { readonly id: ConversationId; readonly atMs: number }[] = []
  for (let partition = 0; partition < partitions; partition++) {
    const key = `${partitionPrefix(partition)}idle`
    const pairs = await fromStore(redis.zrevrange(key, 0, most - 1, 'WITHSCORES'))
    for (let at = 0; at + 1 < pairs.length; at += 2) found.push({ id: pairs[at] ?? '', atMs: Number(pairs[at + 1]) })
  }
  return found
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, most)
    .map(({ id }) => id)
}

/** Platform ids of the messages that a turn came of, and the names of the newest turns that are on record, the newest first. */
export async function findTurnFacts(
  redis: RedisClient,
  conversation: ConversationId,
  turn: string | undefined,
): Promise<{ readonly messages: readonly string[]; readonly newest: readonly string[] }> {
  const prefix = partitionPrefix(toPartition(conversation))
  const about =
    turn === undefined ? '' : ((await fromStore(redis.hget(`${prefix}tr:${conversation}`, `${turn}/`))) ?? '')
  const links = await fromStore(
    redis.zrevrangebylex(`${prefix}tm:${conversation}`, '(*\u000b', '[*\n', 'LIMIT', 0, mostFound),
  )
  const messages = about.split('\n').flatMap((line) => (line.startsWith('@') ? [line.slice(1)] : []))
  return {
    messages,
    newest: links.map((link) => link.slice(link.lastIndexOf('\n') + 1)).filter((id) => id.startsWith('t')),
  }
}

/** Numbers of the tasks that a conversation has. */
export async function listTasks(redis: RedisClient, home: ConversationId): Promise<readonly number[]> {
  const names = await fromStore(redis.hkeys(`${partitionPrefix(toPartition(home))}tasks:${home}`))
  return names.map(Number).toSorted((a, b) => a - b)
}

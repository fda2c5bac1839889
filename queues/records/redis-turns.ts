// Records of single turns on Redis, found by name, by message or by session.
import { hasStream, type ConversationId } from '#shared/chat/conversation.ts'
import { toTurn } from '#shared/run/out-row.ts'
import { turnRecord, workRecord, type TurnRecord, type WorkRecord } from '#shared/run/record.ts'
import { readStored } from '#shared/stored-json.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { FoundTurn, Records } from './records.ts'

export function createRedisTurns(redis: RedisClient): Pick<Records, 'findTurn' | 'findTurns'> {
  return {
    async findTurn(conversation, by) {
      const find = async (from: string): Promise<FoundTurn | undefined> =>
        (await readLinked(redis, conversation, { from, most: mostLookedAt })).flatMap(toFound)[0]
      const read = async (turn: string): Promise<FoundTurn | undefined> => {
        const key = `${partitionPrefix(toPartition(conversation))}tr:${conversation}`
        const [stored, links] = await fromStore(redis.hmget(key, turn, `${turn}/`))
        return stored ? toFound({ text: stored, links: links ?? '' })[0] : undefined
      }
      if (by === 'last') return await find('*')
      if ('turn' in by) return isName(by.turn) ? await read(by.turn) : undefined
      const { message } = by
      const named = (await find(`>${message}`)) ?? (await find(`@${message}`))
      return named ?? (hasStream(conversation) && isName(message) ? await read(toTurn(message)) : undefined)
    },

    async findTurns(conversation, session) {
      const texts = await readLinked(redis, conversation, { from: '*', most: mostTurns })
      const found = texts.flatMap(toFound).filter(({ record }) => record.session === session)
      return found.toReversed()
    },
  }
}

/** Records of a conversation to which `from` leads, the newest first, and what leads to each. */
type Linked = { readonly text: string; readonly links: string }

/** Nothing of work that is no turn. */
function toFound({ text: stored, links }: Linked): FoundTurn[] {
  const record = readStored('record', turnRecord.or(workRecord), stored)
  const about = links.split('\n').flatMap((link) => (link.startsWith('@') ? [link.slice(1)] : []))
  return isTurn(record) ? [{ record, about }] : []
}

async function readLinked(
  redis: RedisClient,
  conversation: ConversationId,
  { from, most }: { readonly from: string; readonly most: number },
): Promise<readonly Linked[]> {
  const prefix = partitionPrefix(toPartition(conversation))
  const [start, end] = [`[${from}\n`, `(${from}\u000b`]
  const found = await fromStore(redis.zrevrangebylex(`${prefix}tm:${conversation}`, end, start, 'LIMIT', 0, most))
  if (found.length === 0) return []
  const ids = found.map((link) => link.slice(link.lastIndexOf('\n') + 1))
  const stored = await fromStore(redis.hmget(`${prefix}tr:${conversation}`, ...ids.flatMap((id) => [id, `${id}/`])))
  return ids.flatMap((_, i) => {
    const [record, links] = [stored[2 * i], stored[2 * i + 1]]
    return record ? [{ text: record, links: links ?? '' }] : []
  })
}

const mostTurns = 100
/** Of records of other work, with which a conversation may be full, so many are passed over. */
const mostLookedAt = 20
/** Other fields of the hash tell what leads to a record. */
const isName = (turn: string): boolean => /^[\w.-]{1,64}$/.test(turn)
const isTurn = (record: TurnRecord | WorkRecord): record is TurnRecord => 'turn' in record

// The questions of a conversation that wait for their turn, as the executor keeps them beside its state. They have no card yet, so that Redis knows no
// question of them. It only reads.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { OpenQuestion } from '#shared/feature/open-question.ts'
import { readStored } from '#shared/stored-json.ts'
import { asking, toOpen } from '#services/executor/state/asking.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { fromStore } from '#queues/store-failure.ts'

/** The most urgent first. Throws BotError `store-newer` and `store-corrupt`. */
export async function findWaiting(
  redis: Pick<RedisClient, 'hget'>,
  conversation: ConversationId,
): Promise<readonly OpenQuestion[]> {
  const run = `${partitionPrefix(toPartition(conversation))}r:${conversation}`
  const stored = await fromStore(redis.hget(run, 'asking'))
  if (!stored) return []
  return toOpen(readStored('question', asking, stored), 0).filter(({ dueMs }) => dueMs === undefined)
}

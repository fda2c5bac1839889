// What the page's list calls conversations by, from their beginnings, which may be kept no more. A title goes when anything of its conversation is forgotten:
// then it is made anew of what is left.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

const key = 'fl:{web}:titles'
const web = 'web:'

/** By the ids that the page has for conversations, in their order. Throws BotError `store-unavailable`. */
export const findTitles = async (redis: RedisClient, ids: readonly string[]): Promise<readonly (string | null)[]> =>
  await fromStore(redis.hmget(key, ...ids))

/** Safe to repeat. An empty title is none. */
export async function keepTitle(redis: RedisClient, id: string, title: string): Promise<void> {
  await fromStore(title === '' ? redis.hdel(key, id) : redis.hset(key, id, title))
}

export async function dropTitle(redis: RedisClient, conversation: ConversationId): Promise<void> {
  if (conversation.startsWith(web)) await fromStore(redis.hdel(key, conversation.slice(web.length)))
}

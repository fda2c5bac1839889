// What the page's list calls conversations by, from their beginnings, which may be kept no more. A title goes when anything of its conversation is forgotten:
// then it is made anew of what is left. Who read the beginning before that keeps no title of it.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

const key = 'fl:{web}:titles'
const web = 'web:'
/** How many titles were dropped ever. No conversation has such a name. */
const dropped = '=dropped'

/** `asOf` goes to `keepTitle` for a title that is read after this. */
export type KeptTitles = { readonly titles: readonly (string | undefined)[]; readonly asOf: string }

/** By the ids that the page has for conversations, in their order. Throws BotError `store-unavailable`. */
export async function findTitles(redis: RedisClient, ids: readonly string[]): Promise<KeptTitles> {
  const [asOf, ...titles] = await fromStore(redis.hmget(key, dropped, ...ids))
  return { titles: titles.map((title) => title ?? undefined), asOf: asOf ?? '' }
}

const keepScript = `
if (redis.call('HGET', KEYS[1], '${dropped}') or '') ~= ARGV[3] then return end
if ARGV[2] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end`

/** Safe to repeat. An empty title is none. Where any title was dropped since `asOf` it keeps none: the next list does. */
export async function keepTitle(redis: RedisClient, { id, title, asOf }: KeptTitle): Promise<void> {
  await fromStore(redis.eval(keepScript, 1, key, id, title, asOf))
}
export type KeptTitle = { readonly id: string; readonly title: string; readonly asOf: string }

export async function dropTitle(redis: RedisClient, conversation: ConversationId): Promise<void> {
  if (!conversation.startsWith(web)) return
  // In this order: a title that is kept in between goes too.
  await fromStore(redis.hincrby(key, dropped, 1))
  await fromStore(redis.hdel(key, conversation.slice(web.length)))
}

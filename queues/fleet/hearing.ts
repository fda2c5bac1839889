// Whether a platform gives the bot every message of the groups it is in, as the channel's process learned it from the platform. One field for
// each channel beside the access list.
import type { Channel } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

/** Both throw BotError `store-unavailable`. */
export type Hearing = {
  /** True also where nobody has said. */
  hearsAll(channel: Channel): Promise<boolean>
  note(channel: Channel, hearsAll: boolean): Promise<void>
}

const key = 'fl:{access}'
const toField = (channel: Channel): string => `deaf:${channel}`

export const createHearing = (redis: RedisClient): Hearing => ({
  hearsAll: async (channel) => (await fromStore(redis.hexists(key, toField(channel)))) === 0,
  async note(channel, hearsAll) {
    await fromStore(hearsAll ? redis.hdel(key, toField(channel)) : redis.hset(key, toField(channel), '1'))
  },
})

// What web and console conversations show, on Redis.
import type { RedisClient } from '#queues/connection.ts'
import { toOutItem } from './out-item.ts'
import { forgetMemory } from '#queues/memory/forget-memory.ts'
import { blankRecords } from '#queues/records/blank-records.ts'
import { groups, integer } from '#queues/reply.ts'
import type { CallOf, CallUnit } from '#queues/units.ts'
import { dropTitle } from './kept-titles.ts'
import type { Shown } from './shown.ts'

export function createRedisShown(redis: RedisClient, call: CallUnit, unit: CallOf): Shown {
  return {
    readOut: (conversation, after, limit) =>
      unit('readOut', conversation, [integer(after), limit, 'after'], ([, ...flat]) => groups(flat, 2).map(toOutItem)),

    readOutBefore: (conversation, before, limit) =>
      unit('readOut', conversation, [integer(before), limit, 'before'], ([, ...flat]) =>
        groups(flat, 2).map(toOutItem),
      ),

    async erase(conversation, atMs) {
      // One that is given again may find the conversation begun anew.
      if (atMs === undefined) {
        await blankRecords(unit, conversation, 'all')
        await forgetMemory(call, conversation, 'all')
      }
      return await unit('erase', conversation, [atMs ?? ''], ([at]) => integer(at))
    },

    async forget(event, positions) {
      const { conversation, messageId } = event
      const args = [messageId, JSON.stringify(event), ...positions]
      const isKnown = await unit('forget', conversation, args, ([, left]) => left === 1)
      // It may be what the page's list calls the conversation by.
      await dropTitle(redis, conversation)
      if (isKnown) await blankRecords(unit, conversation, { message: messageId, why: 'forgotten' })
      await forgetMemory(call, conversation, [messageId])
    },
  }
}

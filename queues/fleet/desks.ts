// Each person has a text that says how they are asked, and a list says for whom something waits. No words of anybody stand here.
import type { Desks } from '#shared/desk/desks.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { principalId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import { list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'

const waitingKey = 'fl:{desks}:waiting'
const toKey = (principal: PrincipalId): string => `fl:{desk-${principal}}`

export function createDesks(redis: RedisClient, call: CallUnit): Desks {
  return {
    async find(principal) {
      const [version = '', found = ''] = list(await call('desk', toKey(principal), ['find'])).map(text)
      return { version, ...(found === '' ? {} : { text: found }) }
    },
    async write(principal, version, changed) {
      return Number(await call('desk', toKey(principal), ['write', version, changed])) === 1
    },
    async wait(principal, untilMs) {
      if (untilMs === undefined) await fromStore(redis.zrem(waitingKey, principal))
      else await fromStore(redis.zadd(waitingKey, untilMs, principal))
    },
    async findWaiting(untilMs, most) {
      const found = await fromStore(redis.zrangebyscore(waitingKey, '-inf', untilMs, 'LIMIT', 0, most))
      return found.flatMap((one) => principalId.safeParse(one).data ?? [])
    },
  }
}

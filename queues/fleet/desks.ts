// Each person has a text that says how they are asked; one list says for whom something waits, and one who has such a text. No words of anybody stand here.
import type { Desks } from '#shared/desk/desks.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { principalId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import { list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'

const waitingKey = 'fl:{desks}:waiting'
const knownKey = 'fl:{desks}:known'
/** Who was written longest ago is counted no more. */
const mostKnown = 10_000
const toKey = (principal: PrincipalId): string => `fl:{desk-${principal}}`
const toPeople = (found: readonly string[]): readonly PrincipalId[] =>
  found.flatMap((one) => principalId.safeParse(one).data ?? [])

export function createDesks(redis: RedisClient, call: CallUnit, now: () => number = Date.now): Desks {
  return {
    async find(principal) {
      const [version = '', found = ''] = list(await call('desk', toKey(principal), ['find'])).map(text)
      return { version, ...(found === '' ? {} : { text: found }) }
    },
    async write(principal, version, changed) {
      // Before it is written: a desk that nobody lists is never counted, and a name without a desk counts nothing.
      await fromStore(redis.zadd(knownKey, now(), principal))
      await fromStore(redis.zremrangebyrank(knownKey, 0, -mostKnown - 1))
      return Number(await call('desk', toKey(principal), ['write', version, changed])) === 1
    },
    async wait(principal, untilMs) {
      if (untilMs === undefined) await fromStore(redis.zrem(waitingKey, principal))
      else await fromStore(redis.zadd(waitingKey, untilMs, principal))
    },
    async findWaiting(untilMs, most) {
      return toPeople(await fromStore(redis.zrangebyscore(waitingKey, '-inf', untilMs, 'LIMIT', 0, most)))
    },
    async findKnown(most) {
      return toPeople(await fromStore(redis.zrevrange(knownKey, 0, most - 1)))
    },
  }
}

// Each person has a text that says how they are asked; one list says for whom something waits, and one who has such a text. No words of anybody stand here.
import type { Desks, FoundDesk } from '#shared/desk/desks.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { principalId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { RedisClient } from '#queues/connection.ts'
import { list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'

const waitingKey = 'fl:{desks}:waiting'
const knownKey = 'fl:{desks}:known'
/** Who was written longest ago is counted no more. */
const mostKnown = 10_000
const toKey = (name: string): string => `fl:{desk-${name}}`
const toPeople = (found: readonly string[]): readonly PrincipalId[] =>
  found.flatMap((one) => principalId.safeParse(one).data ?? [])

async function findText(call: CallUnit, name: string): Promise<FoundDesk> {
  const [version = '', found = ''] = list(await call('desk', toKey(name), ['find'])).map(text)
  return { version, ...(found === '' ? {} : { text: found }) }
}

export type DesksOptions = {
  readonly now?: () => number
  /** The name under which a person's text stands: linked accounts share one text. */
  readonly toName?: (principal: PrincipalId) => Promise<string>
}

export function createDesks(
  redis: RedisClient,
  call: CallUnit,
  { now = Date.now, toName = (principal) => Promise.resolve(principal) }: DesksOptions = {},
): Desks {
  return {
    find: async (principal) => await findText(call, await toName(principal)),
    async write(principal, version, changed) {
      // Before it is written: a desk that nobody lists is never counted, and a name without a desk counts nothing.
      await fromStore(redis.zadd(knownKey, now(), principal))
      await fromStore(redis.zremrangebyrank(knownKey, 0, -mostKnown - 1))
      return Number(await call('desk', toKey(await toName(principal)), ['write', version, changed])) === 1
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

const mostTries = 20

/** Joins and copies the texts of accounts that are linked or part. `merge`: what both say; the same twice is the same. */
export function createSharedDesks(redis: RedisClient, call: CallUnit, merge: (one: string, other: string) => string) {
  async function copy(from: string, to: string): Promise<void> {
    const { text: added } = await findText(call, from)
    if (added === undefined) return
    for (let tries = 0; tries < mostTries; tries++) {
      const { version, text: known } = await findText(call, to)
      const merged = known === undefined ? added : merge(known, added)
      if (merged === known) return
      if (Number(await call('desk', toKey(to), ['write', version, merged])) === 1) return
    }
    throw new BotError('store-unavailable', `The desk of ${to} changes all the time. Try again.`)
  }
  return {
    copy,
    async join(from: string, to: string): Promise<void> {
      await copy(from, to)
      await fromStore(redis.del(toKey(from)))
    },
  }
}

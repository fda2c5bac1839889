// Letters on Redis: two units in the partition of who wrote them, and between these one in the partition of whom they are for.
import { partitionPrefix } from '#queues/partition.ts'
import { groups, integer, list, text } from '#queues/reply.ts'
import type { CallOf, CallUnit } from '#queues/units.ts'
import type { Letters, Received } from './letters.ts'

export function createRedisLetters(call: CallUnit, callOf: CallOf): Letters {
  return {
    async giveOut(partition) {
      const [more, strange, atMs, ...flat] = list(await call('giveOut', partitionPrefix(partition), ['']))
      const letters = groups(flat, 4).map(([to, number, id, says]) => ({
        to: text(to),
        number: integer(number),
        id: text(id),
        says: text(says),
      }))
      return { more: integer(more) === 1, strange: integer(strange), atMs: integer(atMs), letters }
    },

    receive(to, { partition, atMs }, letters, agoMs) {
      const carried = letters.flatMap(({ number, id, says }) => [number, id, says])
      const args = [toMark(partition), Math.round(atMs), agoMs ?? '', ...carried]
      return callOf('receive', to, args, ([has, fresh, refused]) => ({
        has: integer(has),
        isNew: integer(fresh) > 0,
        ...toRefused(text(refused)),
      }))
    },

    async acknowledge(partition, to, letters, putOffMs) {
      await call('acknowledge', partitionPrefix(partition), ['', to, putOffMs, ...letters.map(({ id }) => id)])
    },
  }
}

/** Where a conversation counts which letters it has of a partition. */
const toMark = (partition: number): string => `p${String(partition).padStart(2, '0')}`

function toRefused(why: string): Pick<Received, 'refused'> {
  const refused = (['full', 'parked', 'stale'] as const).find((one) => one.toUpperCase() === why)
  return refused ? { refused } : {}
}

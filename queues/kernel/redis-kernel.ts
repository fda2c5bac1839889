// The kernel on Redis: turns calls into Lua units and their answers into types. Each group of units has a file; this one puts them together.
import type { RedisClient } from '#queues/connection.ts'
import { createRedisArtifacts } from '#queues/artifacts/redis-artifacts.ts'
import type { FindOwner } from '#queues/fleet/take-from-gone.ts'
import { createRedisLetters } from '#queues/letters/redis-letters.ts'
import { partitionPrefix } from '#queues/partition.ts'
import { createRedisQuestions } from '#queues/questions/redis-questions.ts'
import { createRedisRecords } from '#queues/records/redis-records.ts'
import { integer, list } from '#queues/reply.ts'
import { createRedisShown } from '#queues/shown/redis-shown.ts'
import type { CallUnit } from '#queues/units.ts'
import { createConversationUnits, type ConversationUnits } from './conversation-units.ts'
import type { Kernel } from './kernel.ts'
import { createRedisMailbox } from './redis-mailbox.ts'
import { createRedisOutbox } from './redis-outbox.ts'
import { createRedisRuns } from './redis-runs.ts'
import { toSwept } from './unit-answers.ts'

/** A lease whose owner's process is gone is free. */
export function createRedisKernel(
  redis: RedisClient,
  call: CallUnit,
  findOwner: FindOwner = async () => ({ kind: 'lives' }),
): Kernel {
  const units = createConversationUnits(call)
  return {
    ...createRedisMailbox(redis, units),
    ...createRedisRuns(redis, units, findOwner),
    ...createRedisOutbox(units, findOwner),
    ...createRedisQuestions(call, units.unit, units.park),
    ...createRedisLetters(call, units.unit),
    ...createRedisRecords(redis, call),
    ...createRedisArtifacts(units.unit),
    ...createRedisShown(redis, call, units.unit),
    ...createUpkeep(units),
  }
}

/** Of whole partitions, and of conversations that are out of service. */
function createUpkeep({
  call,
  unit,
  park,
}: ConversationUnits): Pick<Kernel, 'due' | 'sweep' | 'archive' | 'park' | 'unpark'> {
  return {
    due: async (partition, graceMs, gone = []) =>
      toSwept(list(await call('due', partitionPrefix(partition), ['', graceMs, '0', ...gone]))).due,
    sweep: async (partition, graceMs, gone = []) =>
      toSwept(list(await call('due', partitionPrefix(partition), ['', graceMs, '1', ...gone]))),

    async archive(partition, idleMs, most) {
      return integer(await call('archive', partitionPrefix(partition), ['', idleMs, most]))
    },

    async park(conversation, reason) {
      await park(conversation, reason)
    },
    unpark: (conversation) => unit('park', conversation, [''], () => undefined),
  }
}

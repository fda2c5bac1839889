// Takes away records that nobody confirmed in time. The unit looks again at each: one that is confirmed meanwhile stays.
import type { MemoryScope } from '#shared/memory/record.ts'
import { partitions } from '#queues/partition.ts'
import { list, text } from '#queues/reply.ts'
import type { Memory } from './open-memory.ts'
import { raw } from './place.ts'
import { unpoint } from './pointers.ts'
import { memoryPrefix, scopePrefix } from './scope-key.ts'

/** Of one partition at once; the rest goes the next time. */
const mostAtOnce = 500

/** How many went. Safe to repeat. A scope that cannot be read holds up no other one; what was wrong with the first of these is thrown in the end. */
export async function fadeRecords(memory: Memory, nowMs: number): Promise<number> {
  let gone = 0
  const failures: unknown[] = []
  for (let partition = 0; partition < partitions; partition++) {
    const due = await memory.findUpTo(`${memoryPrefix(partition)}fading`, nowMs, mostAtOnce)
    const byScope = Map.groupBy(due, (member) => member.slice(0, member.lastIndexOf(' ')))
    for (const [scope, members] of byScope) {
      const numbers = members.map((member) => Number(member.slice(member.lastIndexOf(' ') + 1)))
      try {
        gone += await fadeScope(memory, scope, numbers, nowMs)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  if (failures.length > 0) throw failures[0]
  return gone
}

async function fadeScope(
  memory: Memory,
  scope: MemoryScope,
  numbers: readonly number[],
  nowMs: number,
): Promise<number> {
  const records = await memory.find(scope, numbers)
  const answer = await memory.call('memoryFade', scopePrefix(scope), [scope, raw, nowMs, ...numbers])
  const went = new Set(list(answer).map(text))
  for (const record of records) if (went.has(String(record.number))) await unpoint(memory.call, scope, record)
  return went.size
}

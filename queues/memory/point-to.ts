// Pointers from messages to what memory makes of them. They stand before it is written, so that a message that is forgotten takes it along.
import { BotError } from '#shared/errors.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import type { MemoryScope } from '#shared/memory/record.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { integer } from '#queues/reply.ts'
import type { CallUnit } from '#queues/units.ts'

type Made = { readonly id: string; readonly from: readonly CameOf[] }

/** Whether no message that it comes of is forgotten. Throws BotError `internal` where a conversation has more pointers than it may have. */
export async function pointTo(call: CallUnit, scope: MemoryScope, { id, from }: Made): Promise<boolean> {
  for (const source of from) {
    const messages = toLines(source)
    if (messages.length === 0) continue
    const { conversation } = source
    const answer = integer(
      await call('memoryPoint', partitionPrefix(toPartition(conversation)), [conversation, scope, id, ...messages]),
    )
    if (answer === 1) continue
    if (answer === 0) return false
    throw new BotError('internal', `Too much is remembered of ${conversation}. Forget some of it first.`)
  }
  return true
}

export async function unpoint(call: CallUnit, scope: MemoryScope, { id, from }: Made): Promise<void> {
  for (const source of from) {
    const { conversation } = source
    const pointers = toLines(source).map((message) => `${message}\n${scope}\n${id}`)
    if (pointers.length > 0)
      await call('memoryUnpoint', partitionPrefix(toPartition(conversation)), [conversation, ...pointers])
  }
}

/** No channel has ids with a line break: one could not be told apart from two. */
const toLines = ({ messages }: CameOf): readonly string[] => messages.filter((id) => !id.includes('\n'))

// Pointers from messages to the records that they led to, in the partition of their conversation: a message that is forgotten takes these along.
import type { CameOf } from '#shared/feature/came-of.ts'
import type { MemoryScope } from '#shared/memory/record.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { integer } from '#queues/reply.ts'
import type { CallUnit } from '#queues/units.ts'

type Pointed = { readonly id: string; readonly from: readonly CameOf[] }

/** No channel has ids with a line break: one could not be told apart from two. */
const toLines = ({ messages }: CameOf): readonly string[] => messages.filter((id) => !id.includes('\n'))

/** Before anything is made of them. `full`: so much was made of this conversation that no more is to be. */
export async function point(
  call: CallUnit,
  scope: MemoryScope,
  { id, from }: Pointed,
): Promise<'pointed' | 'forgotten' | 'full'> {
  for (const source of from) {
    const messages = toLines(source)
    if (messages.length === 0) continue
    const { conversation } = source
    const answer = integer(
      await call('memoryPoint', partitionPrefix(toPartition(conversation)), [conversation, scope, id, ...messages]),
    )
    if (answer !== 1) return answer === 0 ? 'forgotten' : 'full'
  }
  return 'pointed'
}

export async function unpoint(call: CallUnit, scope: MemoryScope, { id, from }: Pointed): Promise<void> {
  for (const source of from) {
    const { conversation } = source
    const pointers = toLines(source).map((message) => `${message}\n${scope}\n${id}`)
    if (pointers.length > 0)
      await call('memoryUnpoint', partitionPrefix(toPartition(conversation)), [conversation, ...pointers])
  }
}

// A question that was collected: a record of memory that asks.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Ref } from '#shared/desk/source.ts'
import type { Asks } from '#shared/memory/asks.ts'
import { ofAsked, type MemoryRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'

export type Collected = MemoryRecord & { readonly asks: Asks }

/** One that is never to be asked waits no more. */
export const isCollected = (record: MemoryRecord): record is Collected =>
  record.asks !== undefined && record.asks.never !== true

export async function findQuestion(
  memory: Pick<MemoryStore, 'find'>,
  principal: PrincipalId,
  { number, id }: Ref,
): Promise<Collected | undefined> {
  const [record] = await memory.find(ofAsked(principal), [number])
  return record?.id === id && isCollected(record) ? record : undefined
}

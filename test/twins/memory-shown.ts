// What web and console show of a conversation of the in-memory twin.
import type { Button } from '#shared/chat/message.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import { sizeOf, type MemoryConversation } from './memory-state.ts'

const mostShown = 1000
const mostShownBytes = 8 * 1024 * 1024

// A union loses its discriminant under Omit, so the item without its id is spelled by role.
type Shown = OutItem extends infer Item ? (Item extends OutItem ? Omit<Item, 'id'> : never) : never

export function show(c: MemoryConversation, item: Shown): void {
  const id = String(Number(c.shown.at(-1)?.id ?? 0) + 1)
  c.shown.push(item.role === 'bot' ? { ...item, id } : { ...item, id })
  const isMuch = (): boolean => c.shown.length > mostShown || sizeOf(c.shown) > mostShownBytes
  while (c.shown.length > 1 && isMuch()) c.shown.shift()
}

export const buttonsOf = (item: OutItem): readonly Button[] =>
  item.role === 'bot' && item.body.kind === 'send' ? (item.body.buttons?.flat() ?? []) : []

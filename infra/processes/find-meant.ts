// Commands that people order in plain words: the whole message is one, and all of it is understood.
import { findOrder } from '#services/memory/order.ts'
import { findWish } from '#services/reminders/read/wish.ts'
import type { SlashCommand } from '#shared/chat/event.ts'

export function findMeant(text: string): SlashCommand | undefined {
  const reminder = findWish(text)
  if (reminder !== undefined) return { name: 'remind', args: reminder }
  const order = findOrder(text)
  return order && { name: 'remember', args: order.text }
}

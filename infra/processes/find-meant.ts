// Commands that people order in plain words: the whole message is one, and all of it is understood.
import { findOrder } from '#services/memory/order.ts'
import { findAnchorOrder } from '#services/memory/anchors/order.ts'
import { findPlain, type Said } from '#services/memory/plain-words.ts'
import { findLesson } from '#services/memory/skills/find-lesson.ts'
import { findWish } from '#services/reminders/read/wish.ts'
import type { SlashCommand } from '#shared/chat/event.ts'

export function findMeant(text: string, said: Said): SlashCommand | undefined {
  if (said.toOwn) return findPlain(text, said)
  const anchor = findAnchorOrder(text)
  if (anchor !== undefined) return { name: 'anchor', args: anchor }
  // A message that replies to another one gives no order by itself.
  if (said.replies) return findPlain(text, said)
  const reminder = findWish(text)
  if (reminder !== undefined) return { name: 'remind', args: reminder }
  const lesson = findLesson(text)
  if (lesson !== undefined) return { name: 'teach', args: lesson }
  const order = findOrder(text)
  return order ? { name: 'remember', args: order.text } : findPlain(text, said)
}

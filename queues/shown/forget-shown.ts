// Forgetting in what web and console show. A step names the messages whose texts went into its rows, so that a message leads to all that
// came of it; before a step that forgets one is stored, its items are blanked. A crash between the two repeats both.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { hasStream, toChat } from '#shared/chat/conversation.ts'
import type { DeleteEvent } from '#shared/chat/event.ts'
import type { OutRow } from '#shared/run/out-row.ts'
import type { Append } from '#shared/run/step.ts'

import type { OutItem, Shown } from './shown.ts'
import { toPosition } from './out-position.ts'

const pageItems = 100

/** The step as it is to be written where it is shown: with what its rows are about. */
export function nameAbout(step: Append): Append {
  const { about = [], rows = [] } = step
  if (about.length === 0 || rows.length === 0) return step
  return { ...step, rows: rows.map((row) => withAbout(row, about)) }
}

/** A body that says itself what it is about has the last word. */
const withAbout = (row: OutRow, about: readonly string[]): OutRow =>
  row.body.kind === 'send' ? { ...row, body: { ...row.body, about: row.body.about ?? [...about] } } : row

/** Safe to repeat. Throws what the kernel throws. */
export async function forgetShown(
  kernel: Pick<Shown, 'readOut' | 'forget'>,
  conversation: ConversationId,
  messageIds: readonly string[],
): Promise<void> {
  if (messageIds.length === 0) return
  const all = messageIds.map(createFound)
  if (hasStream(conversation)) await findAbout(kernel, conversation, all)
  for (const { messageId, positions } of all) {
    const event: DeleteEvent = {
      v: 1,
      kind: 'delete',
      id: `forgotten-${messageId}`.slice(0, 120),
      conversation,
      principal: toChat(conversation),
      at: Date.now(),
      messageId,
    }
    await kernel.forget(event, positions)
  }
}

/** Positions of a message, of what was answered to it, and of what stands in the place of that. */
type Found = {
  readonly messageId: string
  readonly positions: string[]
  readonly rows: Set<string>
  readonly events: Set<string>
}
const createFound = (messageId: string): Found => ({
  messageId,
  positions: [],
  rows: new Set(),
  events: new Set(),
})

/** Reads the stream once for all messages: it may hold eight megabytes, and one turn may be about two hundred. */
async function findAbout(
  kernel: Pick<Shown, 'readOut'>,
  conversation: ConversationId,
  all: readonly Found[],
): Promise<void> {
  for (let after = '0'; ;) {
    const items = await kernel.readOut(conversation, after, pageItems)
    for (const item of items)
      for (const found of all) {
        if (!isAbout(item, found)) continue
        found.positions.push(toPosition(item))
        if (item.role === 'person') found.events.add(item.event.id)
        else if (item.body.row !== undefined) found.rows.add(item.body.row)
      }
    const last = items.at(-1)
    if (!last || items.length < pageItems) return
    after = last.id
  }
}

function isAbout(item: OutItem, { messageId, rows, events }: Found): boolean {
  if (item.role === 'person') return item.event.kind === 'message' && item.event.messageId === messageId
  const { body } = item
  if (body.kind !== 'send') return false
  // A step that names no messages, as one that shows a plan, is about what it answers.
  const isOwn = body.about?.includes(messageId) ?? body.answers.some((id) => events.has(id))
  return isOwn || (body.replaces !== undefined && rows.has(body.replaces))
}

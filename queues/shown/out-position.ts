// Positions in what a web or console conversation shows, as clients keep them: `<ms>-<id>`, or `0` for the beginning.
// A store that was restored from older data, or a conversation that was deleted, gives known ids to new items: the time tells, and the
// client then gets all that is newer.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { OutItem, Shown } from './shown.ts'

export function toPosition(item: OutItem): string {
  return `${item.at}-${item.id}`
}

export function isPosition(text: string): boolean {
  return /^(0|\d{1,15}-\d{1,15})$/.test(text)
}

/** Reads what follows a position, page by page, keeping its own position. Throws what the kernel throws. */
export type OutReader = { next(limit: number): Promise<readonly OutItem[]> }

type Position = { readonly id: number; readonly ms: number }
const beginning: Position = { id: 0, ms: 0 }

export function readFrom(kernel: Pick<Shown, 'readOut'>, conversation: ConversationId, position: string): OutReader {
  const [ms = 0, id = 0] = position.split('-').map(Number)
  let last: Position = { id, ms }
  // What is not newer was seen before the reading began anew.
  let newerThanMs = 0

  /** What follows the last item; undefined when that is not where it was. It is read along each time, since it may go at any time. */
  async function findNext(limit: number): Promise<readonly OutItem[] | undefined> {
    if (last.id === 0) return await kernel.readOut(conversation, '0', limit)
    const items = await kernel.readOut(conversation, String(last.id - 1), limit + 1)
    const [known] = items
    // Trimmed items are no reason to begin anew: what is left of the conversation is all newer.
    const holds = known !== undefined && (Number(known.id) > last.id || known.at === last.ms)
    return holds ? items.filter((item) => Number(item.id) > last.id).slice(0, limit) : undefined
  }

  return {
    async next(limit) {
      for (;;) {
        const items = await findNext(limit)
        if (!items) {
          newerThanMs = Math.max(newerThanMs, last.ms)
          last = beginning
          continue
        }
        const newest = items.at(-1)
        if (newest) last = { id: Number(newest.id), ms: newest.at }
        const newer = items.filter((item) => item.at > newerThanMs)
        const isAll = items.length < limit
        // Whatever comes after all that is there is new, whatever its time.
        if (isAll) newerThanMs = 0
        if (newer.length > 0 || isAll) return newer
      }
    },
  }
}

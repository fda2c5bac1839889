// Places in what a web or console conversation shows, as clients keep them: `<ms>-<id>`, or `0` for the beginning.
// A store that was restored from older data gives known ids to new items; the time tells, and the client then gets all that is newer.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Kernel, OutItem } from '#queues/kernel/kernel.ts'

export function toPosition(item: OutItem): string {
  return `${item.at}-${item.id}`
}

export function isPosition(text: string): boolean {
  return /^(0|\d{1,15}-\d{1,15})$/.test(text)
}

/** Reads what follows a position, page by page, keeping its own place. Throws what the kernel throws. */
export type OutReader = { next(limit: number): Promise<readonly OutItem[]> }

export function readFrom(kernel: Pick<Kernel, 'readOut'>, conversation: ConversationId, position: string): OutReader {
  const [ms, id] = position.split('-').map(Number)
  let after = String(id ?? 0)
  let newerThanMs = 0
  let checked = id === undefined
  return {
    async next(limit) {
      if (!checked && id !== undefined) {
        const [known] = await kernel.readOut(conversation, String(id - 1), 1)
        // Trimmed items are no reason to begin anew: what is left of the conversation is all newer.
        const holds = known !== undefined && (Number(known.id) > id || known.at === ms)
        if (!holds) {
          after = '0'
          newerThanMs = ms ?? 0
        }
        checked = true
      }
      for (;;) {
        const items = await kernel.readOut(conversation, after, limit)
        after = items.at(-1)?.id ?? after
        const newer = items.filter((item) => item.at > newerThanMs)
        if (newer.length > 0 || items.length < limit) return newer
      }
    },
  }
}

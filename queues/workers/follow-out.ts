// Follows what a web or console conversation shows, from any position on, missing nothing: it listens first, then reads, and reads
// again on news and every two seconds, since news may be lost. Drafts are told as they come and are no part of what is resumed.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import type { Live } from './live.ts'
import { readFrom } from '#queues/shown/out-position.ts'

const readEveryMs = 2000
const pageItems = 50

export type FollowDeps = {
  readonly kernel: Pick<Kernel, 'readOut' | 'findDraft'>
  readonly live: Pick<Live, 'listen'>
}
export type Follower = {
  /** Each item once, in order; the next one waits for it. */
  onItem(item: OutItem): Promise<void>
  /** The newest text; what came between is left out. `resumed`: it was there before. */
  onDraft(draft: Draft & { readonly resumed?: boolean }): Promise<void>
  /** At least every two seconds; false ends the following. */
  onTick?(): Promise<boolean>
}

/** Runs until `signal` aborts or a tick says so. Throws when the store cannot be read: begin again from the last item's position. */
export async function followOut(
  deps: FollowDeps,
  {
    conversation,
    position,
    ...follower
  }: Follower & { readonly conversation: ConversationId; readonly position: string },
  signal: AbortSignal,
): Promise<void> {
  const bell = createBell()
  const reader = readFrom(deps.kernel, conversation, position)
  let newest: Draft | undefined
  const end = await deps.live.listen(conversation, (news) => {
    if (news.kind === 'draft') {
      const { kind: _, ...draft } = news
      newest = draft
    }
    bell.ring()
  })
  signal.addEventListener('abort', bell.ring, { once: true })

  async function takeItems(): Promise<void> {
    for (let full = true; full && !signal.aborted;) {
      const items = await reader.next(pageItems)
      for (const item of items) if (!signal.aborted) await follower.onItem(item)
      full = items.length > 0
    }
  }

  try {
    await takeItems()
    const found = await deps.kernel.findDraft(conversation)
    if (found && !signal.aborted) await follower.onDraft({ ...found, resumed: true })
    while (!signal.aborted) {
      await bell.heard(readEveryMs)
      if (signal.aborted || (follower.onTick && !(await follower.onTick()))) return
      // A draft known before the reading is older than what the reading finds.
      const draft = newest
      newest = undefined
      if (draft) await follower.onDraft(draft)
      await takeItems()
    }
  } finally {
    end()
    signal.removeEventListener('abort', bell.ring)
  }
}

/** Rings are not counted: one heard, or the time limit, ends the waiting. */
function createBell(): { readonly ring: () => void; heard(timeoutMs: number): Promise<void> } {
  let rung = false
  let wake = (): void => {}
  return {
    ring: () => {
      rung = true
      wake()
    },
    async heard(timeoutMs) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, timeoutMs)
        await promise
        clearTimeout(timer)
      }
      rung = false
    },
  }
}

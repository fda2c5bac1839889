// Stores the drafts of a turn, one at a time. What comes while one is under way is left out, since more will come; but for what tells of a
// plan, which changes seldom: of that the newest comes next.
import { hasStream, type ConversationId } from '#shared/chat/conversation.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { RunStore } from '#services/executor/run/run-store.ts'

type DraftingDeps = { readonly kernel: Pick<Kernel, 'saveDraft'>; readonly hints: Pick<Hints, 'outbound'> }

/** Who hears of drafts shows them, unless it died and its connection stands still. */
const hintAgainMs = 5000

export function createDrafting({ kernel, hints }: DraftingDeps, conversation: ConversationId): RunStore['draft'] {
  const delivered = !hasStream(conversation)
  let drafting = false
  let next: Draft | undefined
  let hintedAtMs = -Infinity
  const save = async (draft: Draft): Promise<void> => {
    const isHeard = await kernel.saveDraft(conversation, draft)
    if (!delivered || (isHeard && performance.now() < hintedAtMs + hintAgainMs)) return
    hintedAtMs = performance.now()
    await hints.outbound(conversation)
  }
  return function offer(draft) {
    if (drafting) {
      if (draft.plan) next = draft
      return
    }
    drafting = true
    save(draft)
      .catch(() => {})
      .finally(() => {
        drafting = false
        const waiting = next
        next = undefined
        if (waiting) offer(waiting)
      })
  }
}

// When a draft is shown: a new text at the platform's pace, the typing indicator anew before it fades. Drafts are never queued:
// the latest one wins and the others are never seen.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Draft } from '#queues/kernel/kernel.ts'
import type { ChannelAdapter } from './channel-adapter.ts'

/** Telegram's typing indicator lasts 5 s, Discord's 10 s. */
const typingEveryMs = 4000

export function createDraftShow(
  adapter: ChannelAdapter,
  conversation: ConversationId,
): { show(draft: Draft, signal: AbortSignal): Promise<void> } {
  const textEveryMs = adapter.draftEveryMs?.(conversation) ?? 1000
  let last: { readonly draft: Draft; readonly atMs: number } | undefined
  return {
    async show(draft, signal) {
      const sinceMs = last === undefined ? Infinity : Date.now() - last.atMs
      const isNew = last?.draft.text !== draft.text || last.draft.turn !== draft.turn
      if (sinceMs < (isNew ? textEveryMs : typingEveryMs)) return
      last = { draft, atMs: Date.now() }
      await adapter.showDraft?.(conversation, draft, signal)
    },
  }
}

// One request that shows what a reply has come to, while the sender's lease is certain; nothing where half of it has gone by.
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { Sender } from '#queues/kernel/kernel.ts'
import { findAddress } from './address.ts'
import type { ChannelDelivery, DraftOutcome, ShownDraft } from './channel-adapter.ts'

/** Until a closed chat is looked at again. */
const closedAfterMs = 30_000

type PutDeps = { readonly delivery: ChannelDelivery; readonly chats: Pick<ChatBook, 'find'> }
type Putting = Pick<Sender, 'conversation' | 'ttlMs'> & {
  /** How long ago the sender's lease was asked for and given. */
  readonly heldMs: () => number
  readonly draft: ShownDraft
}

export async function putDraft(
  { chats, delivery }: PutDeps,
  { conversation, ttlMs, heldMs, draft }: Putting,
  signal: AbortSignal,
): Promise<DraftOutcome | undefined> {
  const address = await findAddress({ chats, delivery }, conversation)
  const leftMs = ttlMs - heldMs()
  if (leftMs < ttlMs / 2) return undefined
  if (address.standing?.closed !== undefined) return { kind: 'refused', afterMs: closedAfterMs }
  return await delivery.showDraft(address, draft, AbortSignal.any([signal, AbortSignal.timeout(leftMs)]))
}

// One request that shows what a reply has come to, while the sender's lease is certain; nothing where it no longer is.
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { OwnSender } from './own-sender.ts'
import { findAddress } from './address.ts'
import type { ChannelDelivery, DraftOutcome, ShownDraft } from './channel-adapter.ts'

/** Until a closed chat is looked at again. */
const closedAfterMs = 30_000
/** A draft is for now. */
const mostMs = 8000

type PutDeps = { readonly delivery: ChannelDelivery; readonly chats: Pick<ChatBook, 'find'> }
type Putting = { readonly sender: Pick<OwnSender, 'conversation' | 'certain'>; readonly draft: ShownDraft }

export async function putDraft(
  { chats, delivery }: PutDeps,
  { sender: { conversation, certain }, draft }: Putting,
  signal: AbortSignal,
): Promise<DraftOutcome | undefined> {
  const address = await findAddress({ chats, delivery }, conversation)
  if (!certain.holds()) return undefined
  if (address.standing?.closed !== undefined) return { kind: 'refused', afterMs: closedAfterMs }
  return await delivery.showDraft(
    address,
    draft,
    AbortSignal.any([signal, certain.signal, AbortSignal.timeout(mostMs)]),
  )
}

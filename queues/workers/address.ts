// Where a conversation's rows go now, by the chat book: moved chats, closed ones. A book that cannot be read keeps nothing from being sent.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { Address, ChannelDelivery } from './channel-adapter.ts'

export type AddressDeps = {
  readonly chats: Pick<ChatBook, 'find'>
  readonly delivery: Pick<ChannelDelivery, 'chatOf'>
}

/** Never throws. */
export async function findAddress({ chats, delivery }: AddressDeps, conversation: ConversationId): Promise<Address> {
  return { conversation, standing: await chats.find(delivery.chatOf(conversation)).catch(() => undefined) }
}

// "Something new for a conversation somebody is working on": a stop or a routed event. Lost signals cost a little time, never truth.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'

export type Signals = {
  /** Calls back on each signal for the conversation. Returns what ends that. */
  listen(conversation: ConversationId, callback: () => void): () => void
  close(): void
}

const channel = 'fl:signal'

export async function createSignals(subscriber: RedisClient): Promise<Signals> {
  const listeners = new Map<ConversationId, Set<() => void>>()
  subscriber.on('message', (from: string, conversation: string) => {
    if (from !== channel) return
    for (const callback of listeners.get(conversation) ?? []) callback()
  })
  await subscriber.subscribe(channel)
  return {
    listen(conversation, callback) {
      const callbacks = listeners.get(conversation) ?? new Set()
      callbacks.add(callback)
      listeners.set(conversation, callbacks)
      return () => {
        callbacks.delete(callback)
        if (callbacks.size === 0) listeners.delete(conversation)
      }
    },
    close() {
      listeners.clear()
      subscriber.disconnect()
    },
  }
}

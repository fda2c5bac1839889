// "Something new for a conversation somebody is working on": a stop or a routed event. Lost signals cost a little time, never truth.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'

export type Signals = {
  /** Calls back on each signal for the conversation. Returns what ends that. */
  listen(conversation: ConversationId, callback: () => void): () => void
  /**
   * Calls back for a conversation that this process is told of and nobody here listens for: as a rule whoever worked on it has just ended. But Redis
   * may have lost that the lease was given back, and then no other process may have it.
   */
  onUnheard(callback: (conversation: ConversationId) => void): void
  /** Calls back who listens here, as a signal does. */
  tell(conversation: ConversationId): void
  /** Calls back who listens for this anywhere in the fleet, as for a conversation; it is lost where Redis is away. */
  tellAll(what: string): void
  close(): void
}

/** What all processes are told. */
const channel = 'fl:signal'

/** `process`: whose leases' conversations are told of here, and nowhere else. */
export async function createSignals(
  subscriber: RedisClient,
  publisher: Pick<RedisClient, 'publish'>,
  process: string,
): Promise<Signals> {
  const own = `${channel}:${process}`
  const listeners = new Map<ConversationId, Set<() => void>>()
  let unheard: ((conversation: ConversationId) => void) | undefined
  const tell = (conversation: ConversationId): void => {
    for (const callback of listeners.get(conversation) ?? []) callback()
  }
  subscriber.on('message', (from: string, conversation: string) => {
    if (from === own && !listeners.has(conversation)) unheard?.(conversation)
    else if (from === own || from === channel) tell(conversation)
  })
  await subscriber.subscribe(own, channel)
  // What was published while the connection was gone is lost.
  subscriber.on('ready', () => {
    const tellEach = (): void => {
      for (const conversation of listeners.keys()) tell(conversation)
    }
    subscriber.subscribe(own, channel).then(tellEach, () => {})
  })
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
    onUnheard: (callback) => {
      unheard = callback
    },
    tell,
    tellAll: (what) => {
      publisher.publish(channel, what).catch(() => {})
    },
    close() {
      listeners.clear()
      subscriber.disconnect()
    },
  }
}

// What web and console show as it happens, from any process: "something was delivered" and drafts of replies in progress.
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { draft } from '#shared/run/draft.ts'
import type { RedisClient } from '#queues/connection.ts'

const shown = draft.pick({ turn: true, text: true, plan: true, follows: true })
export type LiveNews = { readonly kind: 'out' } | ({ readonly kind: 'draft' } & z.infer<typeof shown>)

export type Live = {
  /**
   * Calls back on news of a conversation. News may be lost: read the stream anew now and then. Returns what ends that, once the
   * subscription holds, or after two seconds without: while Redis is away it is made as soon as Redis is back.
   */
  listen(conversation: ConversationId, callback: (news: LiveNews) => void): Promise<() => void>
  close(): void
}

const prefix = 'fl:live:'
const patienceMs = 2000

export function createLive(subscriber: RedisClient): Live {
  const listeners = new Map<ConversationId, Set<(news: LiveNews) => void>>()
  const subscribing = new Map<ConversationId, Promise<unknown>>()
  subscriber.on('message', (channel: string, payload: string) => {
    if (!channel.startsWith(prefix)) return
    const news = toNews(payload)
    if (news) for (const callback of listeners.get(channel.slice(prefix.length)) ?? []) callback(news)
  })
  return {
    async listen(conversation, callback) {
      const known = listeners.get(conversation)
      const callbacks = known ?? new Set()
      callbacks.add(callback)
      listeners.set(conversation, callbacks)
      if (!known) subscribing.set(conversation, subscriber.subscribe(prefix + conversation))
      const end = (): void => {
        callbacks.delete(callback)
        if (callbacks.size > 0 || listeners.get(conversation) !== callbacks) return
        listeners.delete(conversation)
        subscribing.delete(conversation)
        subscriber.unsubscribe(prefix + conversation).catch(() => {})
      }
      try {
        // A second listener must not begin before the first one's subscription holds.
        await heldOrLate(subscribing.get(conversation))
      } catch (error) {
        end()
        throw error
      }
      return end
    },
    close() {
      listeners.clear()
      subscriber.disconnect()
    },
  }
}

async function heldOrLate(subscription: Promise<unknown> | undefined): Promise<void> {
  const held = new AbortController()
  const late = sleep(patienceMs, undefined, { signal: held.signal }).catch(() => {})
  await Promise.race([subscription, late]).finally(() => held.abort())
}

function toNews(payload: string): LiveNews | undefined {
  if (payload === 'out') return { kind: 'out' }
  try {
    const parsed = shown.safeParse(JSON.parse(payload))
    return parsed.success ? { kind: 'draft', ...parsed.data } : undefined
  } catch {
    return undefined
  }
}

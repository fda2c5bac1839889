// Where chats are and whether they can be written to. A chat that moved (a group that became a supergroup) keeps the id it began with
// for everything of ours, and messages go to where it is now. A closed chat is one that refused the bot: nothing is sent there
// until somebody opens it again. It decides nothing: adapters say what they learned from their platform.
import { createBatch } from '#queues/batch.ts'
import type { RedisClient } from '#queues/connection.ts'
import { parseConversation, type Channel } from '#shared/chat/conversation.ts'
import { groups, list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'

/** Chats as `channel:chat`; where a platform's threads can refuse by themselves, as `channel:chat:thread` too. */
export type ChatStanding = {
  /** Under which everything about the chat is kept. */
  readonly home: string
  /** Where its messages go. */
  readonly current: string
  /** Why nothing can be sent there. */
  readonly closed?: string
  /** Since when, in Redis' time; older releases did not say. */
  readonly closedAtMs?: number
}

/** All are safe to repeat; all throw BotError `store-unavailable`. */
export type ChatBook = {
  /** By any id the chat has or had. */
  find(chat: string): Promise<ChatStanding>
  /** Opens it too: a chat that moved is there. */
  move(from: string, to: string): Promise<void>
  close(chat: string, reason: string): Promise<void>
  open(chat: string): Promise<void>
}

const key = 'fl:{chats}'

export function createChatBook(call: CallUnit): ChatBook {
  const look = createBatch<string, ChatStanding>(64, async (chats) =>
    groups(list(await call('chats', key, ['find', ...chats])), 4).map(([home, current, closed, since]) => ({
      home: text(home),
      current: text(current),
      ...(text(closed) ? { closed: text(closed) } : {}),
      ...(text(closed) && text(since) ? { closedAtMs: Number(text(since)) } : {}),
    })),
  )
  return {
    find: look,
    async move(from, to) {
      await call('chats', key, ['move', from, to])
    },
    async close(chat, reason) {
      await call('chats', key, ['close', chat, reason.slice(0, 200)])
    },
    async open(chat) {
      await call('chats', key, ['open', chat])
    },
  }
}

/** The chats of a channel that its platform told of, as they stand now. */
export async function listChats(redis: RedisClient, channel: Channel): Promise<readonly ChatStanding[]> {
  const book = await fromStore(redis.hgetall(key))
  const homes = Object.keys(book).flatMap((field) => /^(?:open|closed|now):(.+)$/.exec(field)?.[1] ?? [])
  return [...new Set(homes)]
    .filter((home) => parseConversation(home).channel === channel)
    .map((home) => {
      const closed = book[`closed:${home}`]
      return { home, current: book[`now:${home}`] ?? home, ...(closed === undefined ? {} : { closed }) }
    })
}

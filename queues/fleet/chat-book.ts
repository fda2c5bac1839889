// Where chats are and whether they can be written to. A chat that moved (a group that became a supergroup) keeps the id it began with
// for everything of ours, and messages go to where it is now. A closed chat is one that refused the bot: nothing is sent there
// until somebody opens it again. It decides nothing: adapters say what they learned from their platform.
import { createBatch } from '#queues/batch.ts'
import type { RedisClient } from '#queues/connection.ts'
import { parseConversation, type Channel } from '#shared/chat/conversation.ts'
import { groups, list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { Signals } from '#queues/fleet/signals.ts'
import type { CallUnit } from '#queues/units.ts'
import { createHashCopy } from './hash-copy.ts'

/** Chats as `channel:chat`; where a platform's threads can refuse by themselves, as `channel:chat:thread` too. */
export type ChatStanding = {
  /** Under which everything about the chat is kept. */
  readonly home: string
  /** Where its messages go. */
  readonly current: string
  /** Why nothing can be sent there. */
  readonly closed?: string
  /** Since when, in Redis' time; unknown where the book had no room for it. */
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

/** `redis`: of which the whole book is read, so that one chat is no question to all; `news`: other processes hear of a change at once. */
export type ChatBookOptions = { readonly redis: RedisClient; readonly news?: Pick<Signals, 'listen' | 'tellAll'> }

export function createChatBook(call: CallUnit, options?: ChatBookOptions): ChatBook {
  const copy = options && createHashCopy(options.redis, key)
  if (copy) options?.news?.listen(key, copy.forget)
  const ask = createBatch<string, ChatStanding>(64, async (chats) =>
    groups(list(await call('chats', key, ['find', ...chats])), 4).map(([home, current, closed, since]) => ({
      home: text(home),
      current: text(current),
      ...(text(closed) ? { closed: text(closed) } : {}),
      ...(text(closed) && text(since) ? { closedAtMs: Number(text(since)) } : {}),
    })),
  )
  const change = async (...what: readonly string[]): Promise<void> => {
    const hasChanged = (await call('chats', key, what)) === 1
    if (!hasChanged) return
    copy?.forget()
    options?.news?.tellAll(key)
  }
  return {
    async find(chat) {
      const book = await copy?.read()
      return book ? toStanding(book, chat) : await ask(chat)
    },
    move: (from, to) => change('move', from, to),
    close: (chat, reason) => change('close', chat, reason.slice(0, 200)),
    open: (chat) => change('open', chat),
  }
}

/** As `chats.lua` reads it. */
function toStanding(book: ReadonlyMap<string, string>, chat: string): ChatStanding {
  const home = book.get(`was:${chat}`) ?? chat
  const [closed, since] = [book.get(`closed:${home}`), book.get(`since:${home}`)]
  return {
    home,
    current: book.get(`now:${home}`) ?? home,
    ...(closed ? { closed } : {}),
    ...(closed && since ? { closedAtMs: Number(since) } : {}),
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

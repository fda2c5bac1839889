// What the fleet knows of a person, by principal: where to reach them alone, their time zone, the language of their program, and what they chose
// of settings of their own. All but the choices is learned from what they say in direct chats, and written only when it is news to this process. Whether they blocked the bot is what the chat book
// says of that chat: there is no second truth. It keeps no names and nothing that anybody said.
import { z } from 'zod'
import { channels, conversationId, parseConversation, toChat } from '#shared/chat/conversation.ts'
import type { Channel, ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { isZone } from '#shared/chat/is-zone.ts'
import { languages, type Language } from '#shared/chat/message.ts'
import { BotError } from '#shared/errors.ts'
import type { RedisClient } from '#queues/connection.ts'
import { groups, list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'
import type { ChatBook } from './chat-book.ts'

export type Person = {
  /** Where they last spoke to the bot alone, by channel. */
  readonly direct: Readonly<Partial<Record<Channel, ConversationId>>>
  /** As `Intl` knows it: the one they set, else that of their program. */
  readonly zone?: string
  /** Of their program. */
  readonly language?: Language
  /** Since when their direct chat refuses the bot, ms; until they write there again. */
  readonly blockedSinceMs?: number
}

/** All are safe to repeat; all throw BotError `store-unavailable`. */
export type People = {
  /** Notes what an event tells of who is let in. Nearly always nothing is written. */
  learn(event: ChatEvent): Promise<void>
  find(principal: PrincipalId): Promise<Person>
  /** Without a zone it is not known any more. */
  setZone(principal: PrincipalId, zone: string | undefined): Promise<void>
  /** What they chose of a setting of their own; undefined where they chose nothing. What is asked for stays another 400 days. */
  findChoice(principal: PrincipalId, setting: string): Promise<string | undefined>
  /** Throws BotError `internal` where they chose of so many settings already that there is no room. */
  setChoice(principal: PrincipalId, setting: string, choice: string): Promise<void>
  /** Whether a person may be told something in a chat of theirs that they are told once a month; it counts as told. */
  mayTell(principal: PrincipalId, chat: string): Promise<boolean>
  /** How a direct chat with the bot is opened on a platform. */
  setLink(channel: Channel, link: string): Promise<void>
  findLink(channel: Channel): Promise<string | undefined>
}

export type PeopleDeps = {
  readonly redis: RedisClient
  readonly call: CallUnit
  readonly chats: Pick<ChatBook, 'find'>
  /** Whether a person may use the bot: of strangers nothing is noted. */
  mayTalk(event: Pick<ChatEvent, 'principal' | 'conversation'>): Promise<boolean>
  now(): number
}

const linksKey = 'fl:{links}'
const toKey = (principal: PrincipalId): string => `fl:{person-${principal}}`
const mostKnown = 10_000
/** So that what is true for long does not end as if nothing was heard. */
const renewAfterMs = 30 * 86_400_000
const tellAgainMs = 30 * 86_400_000
const language = z.enum(languages)

export function createPeople(deps: PeopleDeps): People {
  const { redis, call, chats } = deps
  const known = createKnown(deps.now)
  return {
    async learn(event) {
      if (event.kind !== 'message' || event.group || known.has(event.principal, toNews(event))) return
      if (!(await deps.mayTalk(event))) return
      const { principal } = event
      const news = toNews(event)
      await call('people', toKey(principal), ['note', ...Object.entries(news).flat()])
      known.add(principal, news)
    },
    async find(principal) {
      const stored = Object.fromEntries(
        groups(list(await call('people', toKey(principal), ['find'])), 2).map(([field, value]) => [
          text(field),
          text(value),
        ]),
      )
      const person = toPerson(stored)
      const own = person.direct[parseConversation(principal).channel]
      const standing = own === undefined ? undefined : await chats.find(toChat(own))
      return standing?.closedAtMs === undefined ? person : { ...person, blockedSinceMs: standing.closedAtMs }
    },
    async setZone(principal, zone = '') {
      await call('people', toKey(principal), ['note', 'zone', zone])
    },
    async findChoice(principal, setting) {
      const chosen = await call('people', toKey(principal), ['chosen', setting])
      return chosen === null ? undefined : text(chosen)
    },
    async setChoice(principal, setting, choice) {
      if (Number(await call('people', toKey(principal), ['choose', setting, choice])) === 1) return
      throw new BotError(
        'internal',
        `${principal} cannot choose ${setting}: there is room for 20 settings of a person.`,
      )
    },
    mayTell: async (principal, chat) =>
      Number(await call('people', toKey(principal), ['tell', chat, tellAgainMs])) === 1,
    async setLink(channel, link) {
      await fromStore(redis.hset(linksKey, channel, link))
    },
    findLink: async (channel) => (await fromStore(redis.hget(linksKey, channel))) ?? undefined,
  }
}

type News = Readonly<Record<string, string>>

function toNews({ conversation, language: spoken, zone }: Extract<ChatEvent, { kind: 'message' }>): News {
  const { channel } = parseConversation(conversation)
  return {
    [`direct:${channel}`]: toChat(conversation),
    ...(spoken ? { language: spoken } : {}),
    ...(zone !== undefined && isZone(zone) ? { programZone: zone } : {}),
  }
}

function toPerson(stored: Readonly<Record<string, string>>): Person {
  const direct = channels.flatMap((channel) => {
    const read = conversationId.safeParse(stored[`direct:${channel}`])
    return read.success ? [[channel, read.data] as const] : []
  })
  const spoken = language.safeParse(stored['language'])
  const zone = stored['zone'] ?? stored['programZone']
  return {
    direct: Object.fromEntries(direct),
    ...(zone ? { zone } : {}),
    ...(spoken.success ? { language: spoken.data } : {}),
  }
}

/** What this process has written lately, of those who spoke last. */
function createKnown(now: () => number) {
  const people = new Map<PrincipalId, { readonly news: News; readonly atMs: number }>()
  return {
    has(principal: PrincipalId, news: News): boolean {
      const found = people.get(principal)
      if (!found || now() - found.atMs > renewAfterMs) return false
      return Object.entries(news).every(([field, value]) => found.news[field] === value)
    },
    add(principal: PrincipalId, news: News): void {
      const before = people.get(principal)?.news
      people.delete(principal)
      people.set(principal, { news: { ...before, ...news }, atMs: now() })
      const [oldest] = people.keys()
      if (people.size > mostKnown && oldest !== undefined) people.delete(oldest)
    },
  }
}

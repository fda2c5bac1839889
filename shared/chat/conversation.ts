// A conversation is `channel:chat[:thread]`, e.g. `telegram:-100123:7` or `web:main`.
// A principal is `channel:person`, e.g. `telegram:4711`: a platform's id, never a display name.
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'

export const channels = ['telegram', 'discord', 'feishu', 'web', 'console'] as const
export type Channel = (typeof channels)[number]

/** `channel:chat[:thread]`; each segment 1–64 characters of `A-Z a-z 0-9 _ - @ .`. */
export const conversationPattern = /^(telegram|discord|feishu|web|console):[\w@.-]{1,64}(:[\w@.-]{1,64})?$/
export const conversationId = z.string().regex(conversationPattern)
export type ConversationId = string

/** `channel:person`. */
export const principalId = z.string().regex(/^(telegram|discord|feishu|web|console):[\w@.-]{1,64}$/)
export type PrincipalId = string

/** The segments of a conversation id. Throws `bad-input` for anything else. */
export function parseConversation(id: ConversationId): { channel: Channel; chat: string; thread?: string } {
  const [name, chat, thread] = id.split(':')
  const channel = channels.find((known) => known === name)
  if (!channel || !chat || !conversationPattern.test(id)) {
    throw new BotError(
      'bad-input',
      `Not a conversation id: "${id.slice(0, 140)}". Use channel:chat or channel:chat:thread.`,
    )
  }
  return thread ? { channel, chat, thread } : { channel, chat }
}

/** What those must know of a channel who have no adapter at hand. */
type Traits = {
  /** What is said there is read from a stream of its own; elsewhere it is delivered. */
  readonly stream: boolean
  /** How people point at one message: by a reply to it, by a button below it, or in no way. */
  readonly points: 'reply' | 'button' | 'none'
}
const platform: Traits = { stream: false, points: 'reply' }
const traits: Readonly<Record<Channel, Traits>> = {
  telegram: platform,
  discord: platform,
  feishu: platform,
  web: { stream: true, points: 'button' },
  console: { stream: true, points: 'none' },
}
const traitsOf = (id: ConversationId): Traits => traits[parseConversation(id).channel]

export const hasStream = (id: ConversationId): boolean => traitsOf(id).stream
export const toPoints = (id: ConversationId): Traits['points'] => traitsOf(id).points

/** Whether nobody can tell what is a reply to which message: in a topic Feishu names its first message for each. */
export const hidesReplies = (id: ConversationId): boolean => {
  const { channel, thread } = parseConversation(id)
  return channel === 'feishu' && thread !== undefined
}

/** The chat that several threads share, `channel:chat`: budgets and admission count per chat. */
export function toChat(id: ConversationId): string {
  return id.split(':', 2).join(':')
}

/** When the bot answers in a group: addressed, always, or never but to commands. `always` and `observe` also remember what is said. */
export const replyModes = ['mention', 'always', 'observe'] as const
export type ReplyMode = (typeof replyModes)[number]

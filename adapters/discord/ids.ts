// Discord's ids in ours: conversation `discord:<channel>` or `discord:<parent>:<thread>`, principal `discord:<user>`. And what kind
// of channel one is, which most events do not say: it is remembered from those that do.
import { parseConversation, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { DcChannel } from './payloads.ts'

/** `parent`: the channel a thread belongs to; `guild`: the server, as far as it is known. */
export type ChannelInfo = {
  readonly kind: 'dm' | 'guild' | 'thread'
  readonly parent?: string | undefined
  readonly guild?: string | undefined
  /** As people call it, where this process was told. */
  readonly name?: string | undefined
}

/** Stands for "nobody we know" where Discord does not say who did something. No person has it. */
export const nobody: PrincipalId = 'discord:0'

export function toConversation(channel: string, info: ChannelInfo): ConversationId {
  return info.parent === undefined ? `discord:${channel}` : `discord:${info.parent}:${channel}`
}

export function toPrincipal(user: string): PrincipalId {
  return `discord:${user}`
}

/** The part of an event that says which server it is from; a direct channel is in none. */
export function toServer({ guild }: ChannelInfo): { readonly server?: string } {
  return guild === undefined ? {} : { server: `discord:${guild}` }
}

/** The channel to send to: a thread is one. Throws `bad-input` for a conversation of another shape. */
export function toChannel(conversation: ConversationId): string {
  const { chat, thread } = parseConversation(conversation)
  return thread ?? chat
}

const threadTypes = new Set([10, 11, 12])
const dmTypes = new Set([1, 3])

/** https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
export function toChannelInfo({ type, parent_id: parent, guild_id: guild, name }: Omit<DcChannel, 'id'>): ChannelInfo {
  if (dmTypes.has(type)) return { kind: 'dm' }
  const named = name ? { name: name.slice(0, 200).toWellFormed() } : {}
  return threadTypes.has(type) && parent
    ? { kind: 'thread', parent, guild, ...named }
    : { kind: 'guild', guild, ...named }
}

/** The time in a snowflake, ms since 1970. */
export function toTimeMs(id: string): number {
  return Number((BigInt(id) >> 22n) + 1_420_070_400_000n)
}

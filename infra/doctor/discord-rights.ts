// Which of the rights that Flotilla needs a bot lacks in a channel. Pure.
// https://docs.discord.com/developers/topics/permissions#permission-hierarchy
import { PermissionFlagsBits } from 'discord-api-types/v10'

export type Overwrite = { readonly id: string; readonly allow: bigint; readonly deny: bigint }

/** In the words of the developer portal. */
const needed = {
  'View Channels': PermissionFlagsBits.ViewChannel,
  'Send Messages': PermissionFlagsBits.SendMessages,
  'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
  'Read Message History': PermissionFlagsBits.ReadMessageHistory,
  'Add Reactions': PermissionFlagsBits.AddReactions,
} as const

/** The names of what is missing. An administrator lacks nothing. */
export function findMissingRights(rights: bigint): string[] {
  if ((rights & PermissionFlagsBits.Administrator) !== 0n) return []
  return Object.entries(needed).flatMap(([name, bit]) => ((rights & bit) === 0n ? [name] : []))
}

export type Membership = {
  readonly guild: string
  readonly member: string
  readonly roles: readonly string[]
  /** What the member may do in the whole guild. */
  readonly rights: bigint
}

/** What a member may do in a channel: the guild's rights, changed for everyone, then for the member's roles, then for the member. */
export function toChannelRights(
  { guild, member, roles, rights }: Membership,
  overwrites: readonly Overwrite[],
): bigint {
  if ((rights & PermissionFlagsBits.Administrator) !== 0n) return rights
  const levels = [[guild], roles, [member]].map((ids) => overwrites.filter(({ id }) => ids.includes(id)))
  return levels.reduce((held, level) => {
    const deny = level.reduce((bits, one) => bits | one.deny, 0n)
    const allow = level.reduce((bits, one) => bits | one.allow, 0n)
    return (held & ~deny) | allow
  }, rights)
}

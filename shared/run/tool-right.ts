// Who may use a tool of the bot, and what a chat or an owner says of it.
import type { ToolEffect } from '#shared/model/tool.ts'

/** Who of a chat may use a tool. */
export const audiences = ['everybody', 'owners', 'nobody'] as const
export type Audience = (typeof audiences)[number]

/** What is said of a tool: in a chat, and of a person wherever they are. */
export type ToolRight = { readonly chat?: Audience | undefined; readonly person?: 'allow' | 'deny' | undefined }

/** Where nobody has said anything: what changes something outside of the conversation is for owners. */
export const usualAudience = (effect: ToolEffect): Audience => (effect === 'write' ? 'owners' : 'everybody')

/** `ask`: an owner may approve a call of it; `none`: nobody can. */
export type Right = 'use' | 'ask' | 'none'

/** What a person may do with a tool. */
export function findRight(effect: ToolEffect, right: ToolRight, isOwner: boolean): Right {
  if (mayUse(effect, right, isOwner)) return 'use'
  const isClosed = right.chat === 'nobody' || right.person === 'deny'
  return isClosed ? 'none' : 'ask'
}

/**
 * Every no holds: what is closed to a chat is closed to its owners too, and a person who is denied a tool has it nowhere. A person's yes opens
 * what is for owners.
 */
export function mayUse(effect: ToolEffect, { chat, person }: ToolRight, isOwner: boolean): boolean {
  const audience = chat ?? usualAudience(effect)
  if (audience === 'nobody' || person === 'deny') return false
  return audience === 'everybody' || isOwner || person === 'allow'
}

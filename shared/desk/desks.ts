// How people are asked what only they can tell: what was asked, and when. All throw BotError `store-unavailable`.
import type { PrincipalId } from '#shared/chat/conversation.ts'

/** `text`: JSON of whoever keeps it; undefined where nothing is kept. */
export type FoundDesk = { readonly version: string; readonly text?: string }

export type Desks = {
  find(principal: PrincipalId): Promise<FoundDesk>
  /** Whether it is written: it is not where somebody else wrote since it was found. */
  write(principal: PrincipalId, version: string, text: string): Promise<boolean>
  /** Something waits for them, to be looked at by then, ms since 1970; undefined: nothing does. Safe to repeat. */
  wait(principal: PrincipalId, untilMs: number | undefined): Promise<void>
  /** Whose time to be looked at has come, at most so many, the longest waiting first. */
  findWaiting(untilMs: number, most: number): Promise<readonly PrincipalId[]>
  /** Who has a desk, at most so many, the one last written first. For who counts: it is no list of all who ever had one. */
  findKnown(most: number): Promise<readonly PrincipalId[]>
}
